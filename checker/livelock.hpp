// SPDX-License-Identifier: GPL-2.0-or-later
//
// Livelocks for sure: states from which every execution goes on for ever. Final conditions say
// nothing of such executions, so this is what tells a thread that spins in vain from one that
// waits its turn.
//
// A state is *live* if a final state can be reached from it, by whatever schedule: nothing is
// assumed to be fair, and nothing need be. The others are livelocked. To tell them apart takes the
// whole graph of states and transitions, one operation each (no reduction): 8 bytes a transition
// and some 40 a state on top of what a breadth-first search keeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/machine.hpp"
#include "checker/search.hpp"

namespace futexmc::checker {

inline constexpr const char* kProgress = "progress";  ///< the property

/// The livelocked states in which the same threads go on for ever.
struct Livelock {
  std::string message;          ///< "no final state can be reached any more: a spins"
  Path path;                    ///< of operations, a shortest to one of the states
  std::vector<Hash128> states;  ///< their fingerprints, sorted
  bool has(const Hash128& fingerprint) const;
};

struct Livelocks {
  std::vector<Livelock> found;  ///< by the length of the path
  std::uint64_t states = 0;     ///< visited, livelocked or not
  Limit limit = Limit::none;    ///< what cut the search; then nothing was found
};

/// Of the options only the limits, `scoped` and `interrupt` count. Violations are not reported.
Livelocks find_livelocks(Program& program, const Options& options);

/// The message if the state at hand is livelocked. The state stands again afterwards; the undo log
/// does not. `limit`: what cut the search, if it could not tell.
std::optional<std::string> livelock_here(Machine& machine, const Options& options, Limit& limit);

}  // namespace futexmc::checker
