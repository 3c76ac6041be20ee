// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the stages of the scenario compiler report to: a bounded list of places and messages.
//
// Invariant: at most kMaxProblems entries, whatever the input. The rest would be noise, and a
// megabyte of garbage must not cost a megabyte of messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// A word as messages show it.
inline std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

struct Problem {
  Place at;
  std::string message;
};

class Problems {
 public:
  static constexpr std::size_t kMaxProblems = 20;

  /// Records a problem, unless the list is full.
  void add(Place at, std::string message) {
    if (!full()) list_.push_back({at, std::move(message)});
  }
  bool empty() const { return list_.empty(); }
  bool full() const { return list_.size() >= kMaxProblems; }
  const std::vector<Problem>& list() const { return list_; }

 private:
  std::vector<Problem> list_;
};

}  // namespace futexmc::scenario
