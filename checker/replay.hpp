// SPDX-License-Identifier: GPL-2.0-or-later
//
// Replaying a trace, on the program it was made from or on a variant of it.
//
// Steps are found by name (agent, operation, object, function), so a variant may have operations
// that the trace lacks, which are run on the way, or lack some that the trace has, which are
// skipped; of the two the shorter way is taken. Where neither helps, or the variant does not let
// the agent go, the replay diverges and says why.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/recording.hpp"
#include "checker/trace.hpp"

namespace futexmc::checker {

struct ReplayOptions {
  /// The trace was made by this version of this program: a state with another fingerprint means
  /// that the replay diverges. Otherwise fingerprints are advisory.
  bool same_model = false;
  std::size_t max_extra = 16;       ///< operations an agent may take alone to reach its next step
  std::size_t max_run_on = 20'000;  ///< steps after the last one, towards a final state
  /// States to visit after the last step, to see whether a final one can be reached.
  std::uint64_t max_states = 1'000'000;
};

enum class Outcome : std::uint8_t { reproduces, now_passes, diverges };

/// A thread that has not finished where the replay ended, and cannot go on.
struct Blocked {
  std::size_t thread = 0;
  Step next;                ///< what it would do
  std::string description;  ///< "waiter waits in futex_wait() for schedule of waiter.state"
};

struct Replay {
  Outcome outcome = Outcome::diverges;
  /// The trace's step, from 1, at which the outcome was clear; 0 for the initial state.
  std::size_t at = 0;
  /// Why it diverges, and violations other than the trace's. For people.
  std::string because;
  std::size_t extra = 0;    ///< operations run that the trace does not have
  std::size_t skipped = 0;  ///< steps of the trace that the program does not have
  std::size_t state_differs_at = 0;  ///< first step with another fingerprint, from 1; 0: none
  std::vector<std::string> agents;   ///< names, by agent number
  std::size_t threads = 0;           ///< of the agents, how many are threads
  std::vector<RecordedStep> steps;   ///< as executed
  std::vector<Violation> violations;
  std::vector<Blocked> blocked;
  std::string ending;  ///< what the program says of the final state, if one was reached
};

Replay replay(Program& program, const Trace& trace, const ReplayOptions& options = {});

/// What the trace's steps cost, counted anew: a trace may claim anything.
TraceCost cost_of(const Trace& trace, const Replay& replay);

/// "reproduces", "now passes", "diverges".
const char* to_string(Outcome outcome);

}  // namespace futexmc::checker
