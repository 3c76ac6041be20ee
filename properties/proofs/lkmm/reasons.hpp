// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why something holds in an execution: facts about it that together are enough.
//
// A solver proposes executions; whatever the memory model derives in one, it derives from facts: an
// event is executed, a read reads from this write, this write is before that one. When a proposal
// breaks an axiom, the facts that the breach rests on are what no execution can have together.
//
// Invariants
//  1. A fact is a formula that is true in the execution looked at.
//  2. What a Why stands for follows from its facts in every execution, not only in this one.
//  3. Nothing here outlives the context of the facts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <z3++.h>

namespace futexmc::proofs::lkmm {

/// A reason, by number: kNo does not hold, kAlways needs no fact.
using Why = std::uint32_t;
inline constexpr Why kNo = 0;
inline constexpr Why kAlways = 1;

class Reasons {
 public:
  Reasons() : nodes_{{}, {}} {}

  /// The fact itself. `formula` must be true in the execution.
  Why fact(const z3::expr& formula);
  Why both(Why a, Why b);
  template <class... More>
  Why both(Why a, Why b, More... more) {
    return both(both(a, b), more...);
  }
  /// The one with fewer facts, roughly; kNo if neither holds.
  Why either(Why a, Why b) const { return b == kNo || (a != kNo && size(a) <= size(b)) ? a : b; }

  /// How many facts, counted as often as they were put in.
  std::uint32_t size(Why why) const { return nodes_[why].size; }
  /// Each fact once, in a fixed order.
  std::vector<z3::expr> facts(Why why) const;

 private:
  struct Node {
    Why left = kNo, right = kNo;
    std::uint32_t size = 0;
    std::uint32_t fact = 0;  ///< where there is no left
  };
  std::vector<Node> nodes_;
  std::vector<z3::expr> facts_;
  std::map<unsigned, Why> known_;  ///< by the formula's number in z3
};

}  // namespace futexmc::proofs::lkmm
