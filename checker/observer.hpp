// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the searches share: findings, limits, progress.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "checker/machine.hpp"
#include "checker/search.hpp"

namespace futexmc::checker {

class Observer : public Monitor {
 public:
  Observer(Machine& machine, const Options& options);
  ~Observer() override;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  void violation(std::string_view property, std::string_view message) final;
  void discipline_broken(std::uint32_t cell) final;
  void bound_reached(std::string_view what) final;

  Result result;
  /// While set, violations are not recorded (a transition is run again to look at it).
  bool muted = false;

 protected:
  /// Decisions that lead to the state or transition at hand.
  virtual Path path() const = 0;

  /// Evaluates the invariants in the current state, new to the search.
  void visit_state();
  /// Evaluates the final conditions in the current state.
  void visit_final();
  /// Checks limits; cheap enough for every transition. `bytes` is what the tables take.
  bool keep_going(std::uint64_t bytes, std::size_t depth);
  bool stopped() const { return stop_ || result.limit != Limit::none; }
  void finish();

  Machine& machine_;
  const Options& options_;

 private:
  void check_clock(std::uint64_t bytes, std::size_t depth);

  std::chrono::steady_clock::time_point start_;
  double next_progress_ = 0.2;
  std::uint32_t ticks_ = 0;
  bool stop_ = false;
  std::set<std::string> outcomes_;
};

}  // namespace futexmc::checker
