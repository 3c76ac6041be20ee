// SPDX-License-Identifier: GPL-2.0-or-later
//
// The minimiser's proof: a cheapest-first search over states. Internal to the minimiser.
//
// A node is a state with the thread that ran last, since that decides what the next step costs. It
// waits at its cost plus the switches that are certain to come (Dijkstra's algorithm with an
// estimate, A*).
//
// Invariants
//  1. Nodes are settled in order of cost plus estimate, which never falls along a path. So the
//     first one settled that shows the violation, or a cheaper transition that shows it on the
//     way, is the best there is.
//  2. Two nodes of one state differ in what they can still cost by one switch at most. So a node
//     is dropped if its state was settled for one switch less.
#pragma once

#include <chrono>
#include <optional>

#include "checker/minimize_run.hpp"

namespace futexmc::checker {

/// What the searches for one answer may still use, together.
struct Allowance {
  const Options& options;
  std::chrono::steady_clock::time_point deadline;
  std::uint64_t states = 0;  ///< settled so far
  Limit limit = Limit::none;
  bool exhausted();  ///< sets `limit`
};

struct Wanted {
  Cost bound;           ///< what an execution must cost less than; the number of threads is ignored
  bool in_final_state;  ///< the violation is one of final conditions: shows in final states only
};

/// The cheapest execution in which only `threads` take steps (and any event). If there is none,
/// `allowance.limit` tells whether that is proved. The machine is reset.
std::optional<Execution> cheapest(Machine& machine, Watch& watch, AgentMask threads,
                                  Wanted wanted, bool movers, Allowance& allowance);

}  // namespace futexmc::checker
