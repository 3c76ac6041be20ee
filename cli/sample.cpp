// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc sample`: as a check, but by random runs.
#include <fmt/format.h>

#include "cli/check.hpp"
#include "cli/failure.hpp"
#include "cli/names.hpp"
#include "cli/units.hpp"

namespace futexmc::cli {
namespace {

using checker::Scheduler;

constexpr std::uint64_t kMaxDepth = 100;
constexpr std::uint64_t kMaxSteps = 50'000;  ///< a trace has to be one that the reader accepts

std::uint64_t parse_up_to(const char* option, const std::string& text, std::uint64_t most) {
  const std::uint64_t value = parse_count(option, text);
  if (value <= most) return value;
  throw Failure(exit_code::kUsage, fmt::format("{} '{}': at most {}", option, text, most));
}

checker::SampleOptions how(const SampleOptions& options) {
  checker::SampleOptions how;
  require("scheduler", options.scheduler, {"pct", "random"});
  how.scheduler = options.scheduler == "pct" ? Scheduler::pct : Scheduler::random;
  if (!options.depth.empty()) {
    if (how.scheduler != Scheduler::pct) {
      throw Failure(exit_code::kUsage, "--depth needs --scheduler pct");
    }
    how.depth = static_cast<unsigned>(parse_up_to("--depth", options.depth, kMaxDepth));
  }
  if (!options.check.limits.max_time.empty()) how.runs = 0;
  if (!options.runs.empty()) how.runs = parse_count("--runs", options.runs);
  if (how.scheduler == Scheduler::pct && how.runs != 0 && how.runs <= checker::kCalibrationRuns) {
    throw Failure(exit_code::kUsage,
                  fmt::format("--runs '{}': the first {} are random and measure the program for "
                              "pct; ask for more, or for --scheduler random",
                              options.runs, checker::kCalibrationRuns));
  }
  if (!options.seed.empty()) how.seed = parse_count("--seed", options.seed);
  if (!options.max_steps.empty()) {
    how.max_steps = parse_up_to("--max-steps", options.max_steps, kMaxSteps);
  }
  return how;
}

/// "sample --seed 7": the command with the options that are not the defaults.
std::string command(const SampleOptions& options) {
  std::string text = "sample --scheduler " + options.scheduler;
  const auto add = [&text](const char* option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, value);
  };
  add("--depth", options.depth);
  add("--runs", options.runs);
  add("--seed", options.seed);
  add("--max-steps", options.max_steps);
  add("--max-time", options.check.limits.max_time);
  return text;
}

}  // namespace

int sample(const SampleOptions& options, Streams& streams) {
  if (options.check.expect == "holds") {
    throw Failure(exit_code::kUsage,
                  "--expect 'holds': no sample shows that; 'inconclusive' is "
                  "the verdict if nothing was found");
  }
  return check_as(options.check, {command(options), how(options)}, streams);
}

}  // namespace futexmc::cli
