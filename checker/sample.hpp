// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sampling: runs from the initial state to the end, each scheduled at random. For programs too big
// for a search; what was not seen may still be there, so that nothing found never means "holds".
//
// A run goes on after a final state while optional events can happen: every final state it comes
// through is checked. Where an operation has alternatives, each has equal odds. Events of the
// environment, owed or not, are scheduled like threads.
//
// Invariants
//  1. A run is determined by program, scheduler, depth, max_steps, seed and its number (by way of
//     the length of those before it); not by the number of runs, the time, or the table.
//  2. Result::limit is never `none`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/search.hpp"

namespace futexmc::checker {

/// `pct`: priorities.hpp, where k comes from the longest run so far. The first kCalibrationRuns are
/// random.
enum class Scheduler : std::uint8_t { random, pct };
inline constexpr std::uint64_t kCalibrationRuns = 16;

struct SampleOptions {
  Scheduler scheduler = Scheduler::pct;
  unsigned depth = 3;  ///< of the violations that PCT promises to find; at least 1
  std::uint64_t seed = 1;
  std::uint64_t runs = 10'000;     ///< 0: until the time is over
  std::size_t max_steps = 10'000;  ///< transitions after which a run is cut
};

/// What was covered, beside what Result has: there `states` and `finals` are the distinct ones
/// seen, `transitions` the steps of all runs, `max_depth` those of the longest.
struct Sampled {
  SampleOptions options;
  std::uint64_t runs = 0;               ///< made to the end, or cut
  std::uint64_t cut = 0;                ///< by max_steps: a livelock, or a bound too low
  bool table_full = false;              ///< of states seen: `states` and `finals` are too low
  std::uint64_t outcomes = 0;           ///< distinct, of final states
  std::uint64_t outcomes_once = 0;      ///< of these, seen in one run only
  std::size_t agents = 0;               ///< PCT's n
  std::uint64_t decisions = 0;          ///< PCT's k: those of the longest run that was not cut
  std::uint64_t longer = 0;             ///< PCT runs that turned out longer than the ones before
  std::vector<std::uint64_t> found_in;  ///< the run of each of Result::findings, from 1
  /// What check_all() says of the final states seen. No violations: another run may show them.
  std::vector<std::string> not_seen;

  /// PCT's lower bound for each run after the random ones; 0 if there is none. Runs before the
  /// longest drew their change points from fewer decisions, which can only raise the odds of
  /// executions that short.
  double promise() const;
  /// Good-Turing: an estimate of the odds that the next run shows a new outcome.
  double new_outcome() const;
};

struct SampleResult {
  Result result;
  Sampled sampled;
};

/// Of `options`: movers, scoped, outcomes, stop_at_first, max_bytes, max_seconds, coverage,
/// interrupt and progress count. Findings have a path as a search's do.
SampleResult sample(Program& program, const Options& options, const SampleOptions& how);

/// "random", "pct".
const char* to_string(Scheduler scheduler);

}  // namespace futexmc::checker
