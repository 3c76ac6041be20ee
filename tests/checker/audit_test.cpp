// SPDX-License-Identifier: GPL-2.0-or-later
//
// The audit of identities: silent where scopes are right, and loud where one forgets a live local.
#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/models/pivot.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

Options audited(bool movers, bool sleep_sets) {
  Options options = testing::with(movers, sleep_sets);
  options.audit = true;
  return options;
}

void expect_clean(Program& program) {
  for (const bool movers : {false, true}) {
    const Result result = depth_first(program, audited(movers, movers));
    EXPECT_TRUE(result.audit_failures.empty());
    EXPECT_GT(result.matched, 0U);
    Options plain = testing::with(movers, movers);
    const Result unaudited = depth_first(program, plain);
    EXPECT_EQ(result.states, unaudited.states);
    EXPECT_EQ(result.transitions, unaudited.transitions);
  }
}

TEST(Audit, IsCleanOnTheSemaphore) {
  models::Semaphore program({2, 1, 1, 2});
  expect_clean(program);
}

TEST(Audit, IsCleanOnThePivot) {
  models::Pivot none({1, 1, 1, 1, 0});
  expect_clean(none);
  models::Pivot one({1, 0, 0, 0, 1});
  expect_clean(one);
}

// The reader adds up two loads, and its scope forgets the first.
class Forgetful final : public Program {
 public:
  explicit Forgetful(bool forgets) : forgets_(forgets) {}
  void build(Builder& builder) override {
    self_ = this;
    word_ = &builder.make<Cell<int>>("word", "word");
    sum_ = &builder.make<Cell<int>>("sum", "word");
    builder.thread({"reader", &read, 0, false});
    builder.thread({"writer", &write, 0, false});
  }
  std::string outcome(const FinalState& /*state*/) override { return std::to_string(sum_->peek()); }

 private:
  static void read(std::uint64_t /*unused*/) {
    Scope scope("add_up");
    const int first = load(*self_->word_, Order::once);
    const int second = load(*self_->word_, Order::once);
    if (self_->forgets_) {
      scope.at("loaded", second);
    } else {
      scope.at("loaded", first, second);
    }
    store(*self_->sum_, first * 10 + second, Order::once);
  }
  static void write(std::uint64_t /*unused*/) { store(*self_->word_, 1, Order::once); }

  static inline Forgetful* self_ = nullptr;
  bool forgets_;
  Cell<int>* word_ = nullptr;
  Cell<int>* sum_ = nullptr;
};

TEST(Audit, NoticesAForgottenLocal) {
  Forgetful program(true);
  const Result result = depth_first(program, audited(false, false));
  ASSERT_FALSE(result.audit_failures.empty());
  const std::string& what = result.audit_failures.front().what;
  EXPECT_NE(what.find("reader"), std::string::npos) << what;
  EXPECT_NE(what.find("read()"), std::string::npos) << what;
  EXPECT_FALSE(result.audit_failures.front().path.empty());
}

TEST(Audit, WithoutItAForgottenLocalLosesAnOutcome) {
  Forgetful right(false);
  const std::vector<std::string> all = depth_first(right, testing::unreduced()).outcomes;
  EXPECT_EQ(all, (std::vector<std::string>{"0", "1", "11"}));

  Forgetful wrong(true);
  const Result pruned = depth_first(wrong, testing::unreduced());
  EXPECT_EQ(pruned.outcomes.size(), 2U);
  EXPECT_TRUE(pruned.complete());  // and nothing else tells

  Options unscoped = testing::unreduced();
  unscoped.scoped = false;
  EXPECT_EQ(depth_first(wrong, unscoped).outcomes, all);
  Options stateless = testing::unreduced();
  stateless.stateful = false;
  EXPECT_EQ(depth_first(wrong, stateless).outcomes, all);
}

}  // namespace
}  // namespace futexmc::checker
