// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explores one benchmark model depth first and prints one line of `name=value` pairs: states,
// transitions, matched transitions, CPU seconds (user and system, of the whole process up to now),
// states and transitions a CPU second, bytes a state. `bench/run` drives it.
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "checker/search.hpp"
#include "tests/models/pivot.hpp"
#include "tests/models/semaphore.hpp"

namespace {

using namespace futexmc;

constexpr int kUsage = 64;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::unique_ptr<checker::Program> make(std::string_view model, const std::size_t (&n)[5]) {
  const int rounds = static_cast<int>(n[2]);
  const int posts = static_cast<int>(n[3]);
  if (model == "semaphore") {
    return std::make_unique<models::Semaphore>(
        models::SemaphoreParameters{n[0], n[1], rounds, posts});
  }
  if (model == "pivot") {
    return std::make_unique<models::Pivot>(
        models::PivotParameters{n[0], n[1], rounds, posts, n[4]});
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    fmt::print(stderr, "usage: bench_models semaphore|pivot unreduced|reduced "
                       "WAITERS WAKERS ROUNDS POSTS [RESIZES]\n");
    return kUsage;
  }
  std::size_t numbers[5] = {};
  for (int i = 3; i < argc && i < 8; ++i) numbers[i - 3] = std::strtoul(argv[i], nullptr, 10);
  const std::unique_ptr<checker::Program> program = make(argv[1], numbers);
  if (program == nullptr) return kUsage;
  checker::Options options;
  options.movers = options.sleep_sets = std::strcmp(argv[2], "reduced") == 0;
  const checker::Result result = checker::depth_first(*program, options);
  const double cpu = cpu_seconds();
  const auto states = static_cast<double>(result.states);
  fmt::print("states={} transitions={} matched={} findings={} depth={} cpu={:.3f} "
             "states_per_second={:.0f} transitions_per_second={:.0f} bytes_per_state={:.1f}\n",
             result.states, result.transitions, result.matched, result.findings.size(),
             result.max_depth, cpu, states / cpu, static_cast<double>(result.transitions) / cpu,
             static_cast<double>(result.bytes) / states);
  return 0;
}
