// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/limits.hpp"

#include <unistd.h>

#include <algorithm>

#include "cli/interrupt.hpp"
#include "cli/pool.hpp"
#include "cli/units.hpp"

namespace futexmc::cli {
namespace {

std::uint64_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return 4ULL << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace

checker::Options limited(const LimitOptions& limits, std::size_t jobs) {
  checker::Options options;
  if (!limits.max_states.empty()) {
    options.max_states = parse_count("--max-states", limits.max_states);
  }
  if (!limits.max_time.empty()) options.max_seconds = parse_seconds("--max-time", limits.max_time);
  options.max_bytes = limits.max_memory.empty()
                          ? machine_memory() / 4 * 3 / std::max<std::size_t>(1, jobs)
                          : parse_bytes("--max-memory", limits.max_memory);
  options.interrupt = &interrupted();
  return options;
}

std::size_t job_count(const std::string& jobs, std::size_t tasks) {
  constexpr std::uint64_t kMost = 1024;
  const std::uint64_t wanted = jobs.empty() ? processors() : parse_count("--jobs", jobs);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(tasks, 1, std::min(wanted, kMost)));
}

}  // namespace futexmc::cli
