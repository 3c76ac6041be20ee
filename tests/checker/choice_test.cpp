// SPDX-License-Identifier: GPL-2.0-or-later
//
// An operation with several outcomes: the search takes each.
#include <gtest/gtest.h>

#include "checker/cell.hpp"
#include "tests/checker/searching.hpp"

namespace futexmc::checker {
namespace {

// Each thread adds a digit that the search chooses.
class Digits final : public Program {
 public:
  void build(Builder& builder) override {
    self_ = this;
    sum_ = &builder.make<Cell<int>>("sum", "word");
    builder.thread({"ones", &add, 1, false});
    builder.thread({"tens", &add, 10, false});
  }
  std::string outcome(const FinalState& /*state*/) override { return std::to_string(sum_->peek()); }

 private:
  static void add(std::uint64_t unit) {
    Operation op = operation("add_digit", *self_->sum_, Access::write, Order::full, Loc::here());
    op.alternatives = 3;
    announce(op);
    const auto digit = static_cast<int>(chosen());
    self_->sum_->poke(self_->sum_->peek() + digit * static_cast<int>(unit));
    remember(digit);
  }
  static inline Digits* self_ = nullptr;
  Cell<int>* sum_ = nullptr;
};

TEST(Choice, EachAlternativeIsExplored) {
  Digits program;
  const std::vector<std::string> all = {"0", "1", "10", "11", "12", "2", "20", "21", "22"};
  const Result reference = depth_first(program, testing::unreduced());
  EXPECT_EQ(reference.outcomes, all);
  // The first state, one digit of either thread, both digits; in both orders.
  EXPECT_EQ(reference.states, 1U + 3 + 3 + 9);
  EXPECT_EQ(reference.transitions, 3U + 3 + 9 + 9);
  for (const testing::Reduction reduction : testing::kReductions) {
    const Options options = testing::with(reduction.movers, reduction.sleep_sets);
    EXPECT_EQ(depth_first(program, options).outcomes, all);
  }
  Options stateless = testing::unreduced();
  stateless.stateful = false;
  EXPECT_EQ(depth_first(program, stateless).finals, 18U);
}

}  // namespace
}  // namespace futexmc::checker
