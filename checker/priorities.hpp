// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who goes next in a run: anyone, or by priorities that change at random points (PCT: Burckhardt,
// Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", ASPLOS 2010).
//
// Agents, the environment's events included, get distinct priorities at random, and the highest one
// that can go goes. At each of depth - 1 change points the agent about to go is demoted below all
// initial priorities instead, the i-th point to priority i.
//
// A change point is a *decision*: looking who is highest. A demotion is one too, so that two agents
// demoted in the same state are told apart: a run of s steps has at most s + depth - 1 decisions.
// With k no less than that, a violation that shows whenever depth ordering constraints are met is
// found with probability at least 1 / (n * k^(depth-1)), n being the number of agents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/machine.hpp"
#include "checker/random.hpp"

namespace futexmc::checker {

/// Any of the agents in `enabled`, which is not empty, with equal odds.
std::size_t any_of(AgentMask enabled, Random& random);

/// The priorities of one run.
class Priorities {
 public:
  /// `depth` is at least 1; change points are drawn from decisions 1 to `decisions`.
  Priorities(std::size_t agents, unsigned depth, std::uint64_t decisions, Random& random);

  /// The agent that goes; `enabled` is not empty.
  std::size_t pick(AgentMask enabled);

 private:
  std::size_t highest(AgentMask enabled) const;
  /// The priority that this decision's agent falls to; 0 if it may go.
  std::uint32_t demotion() const;

  std::array<std::uint32_t, kMaxAgents> priority_{};
  std::vector<std::uint64_t> changes_;  ///< decision of the change point to priority index + 1
  std::uint64_t decision_ = 0;
};

/// PCT's lower bound on the odds that one run shows a violation of that depth, with change points
/// drawn from `decisions`.
double pct_bound(std::size_t agents, unsigned depth, std::uint64_t decisions);

}  // namespace futexmc::checker
