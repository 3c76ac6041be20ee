// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reductions change how much is looked at, never what is found. The unreduced search is the
// reference; stateless enumeration and identity without scopes are the references of that one.
#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/checker/toys.hpp"
#include "tests/models/pivot.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

using models::Mutation;
using models::PivotMutation;
using testing::signatures;

void expect_same(Program& program) {
  const Result reference = depth_first(program, testing::unreduced());
  for (const testing::Reduction reduction : testing::kReductions) {
    SCOPED_TRACE(::testing::Message() << "movers " << reduction.movers << ", sleep sets "
                                      << reduction.sleep_sets);
    const Result reduced =
        depth_first(program, testing::with(reduction.movers, reduction.sleep_sets));
    EXPECT_EQ(reduced.outcomes, reference.outcomes);
    EXPECT_EQ(signatures(reduced), signatures(reference));
    EXPECT_LE(reduced.states, reference.states);
    EXPECT_LE(reduced.transitions, reference.transitions);
    EXPECT_EQ(reduced.reduction_off, "");
  }
}

void expect_counts(Program& program, testing::Reduction reduction, std::uint64_t states,
                   std::uint64_t transitions) {
  const Result result =
      depth_first(program, testing::with(reduction.movers, reduction.sleep_sets));
  EXPECT_EQ(result.states, states);
  EXPECT_EQ(result.transitions, transitions);
}

TEST(Reduction, KeepsOutcomesOfTheSemaphore) {
  for (const Mutation mutation : {Mutation::none, Mutation::late_count}) {
    models::Semaphore program({2, 2, 1, 1, mutation});
    expect_same(program);
  }
}

TEST(Reduction, KeepsOutcomesOfThePivot) {
  models::Pivot program({1, 1, 1, 1, 1});
  expect_same(program);
}

TEST(Reduction, KeepsTheFindingsOfBrokenPivots) {
  models::Pivot no_grace_period({1, 1, 1, 1, 1, PivotMutation::no_grace_period});
  expect_same(no_grace_period);
  models::Pivot no_poll({1, 1, 1, 1, 2, PivotMutation::no_poll});
  expect_same(no_poll);
}

TEST(Reduction, KeepsOutcomesOfRandomPrograms) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    expect_same(program);
  }
}

TEST(Reduction, KeepsALockOrderDeadlock) {
  toys::LockOrder program;
  expect_same(program);
  EXPECT_TRUE(depth_first(program, testing::with(true, true)).violated("deadlock"));
}

TEST(Reduction, CountsOnTheSemaphoreAreExact) {
  models::Semaphore program({2, 2, 2, 2});
  expect_counts(program, {true, false}, 212'461, 711'108);
  expect_counts(program, {false, true}, 460'125, 899'850);
  expect_counts(program, {true, true}, 212'461, 484'611);
}

TEST(Reduction, CountsOnThePivotAreExact) {
  models::Pivot program({1, 1, 1, 1, 2});
  expect_counts(program, {true, false}, 441'655, 1'482'904);
  expect_counts(program, {false, true}, 973'826, 1'497'713);
  expect_counts(program, {true, true}, 441'655, 670'724);
}

TEST(Reduction, StatelessEnumerationAgrees) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    Options stateless = testing::unreduced();
    stateless.stateful = false;
    const Result every_schedule = depth_first(program, stateless);
    const Result stateful = depth_first(program, testing::unreduced());
    EXPECT_EQ(every_schedule.outcomes, stateful.outcomes);
    EXPECT_EQ(signatures(every_schedule), signatures(stateful));
    EXPECT_EQ(every_schedule.matched, 0U);
    EXPECT_GE(every_schedule.states, stateful.states);
  }
}

TEST(Reduction, IdentityWithoutScopesAgrees) {
  for (const Mutation mutation : {Mutation::none, Mutation::late_count}) {
    models::Semaphore program({1, 1, 1, 1, mutation});
    Options unscoped = testing::unreduced();
    unscoped.scoped = false;
    const Result all = depth_first(program, unscoped);
    const Result scoped = depth_first(program, testing::unreduced());
    EXPECT_EQ(signatures(all), signatures(scoped));
    EXPECT_GT(all.states, scoped.states);
    if (mutation == Mutation::none) {
      EXPECT_EQ(all.outcomes, scoped.outcomes);
    }
  }
}

TEST(Reduction, StatelessCountsAreTheNumberOfSchedules) {
  // Two threads of two operations: six schedules, of which two differ in nothing seen.
  toys::LostUpdate program(2);
  Options stateless = testing::unreduced();
  stateless.stateful = false;
  EXPECT_EQ(depth_first(program, stateless).finals, 6U);
}

// A cell that claims to be protected by a lock, but is used without it by the second thread.
class BrokenClaim final : public Program {
 public:
  void build(Builder& builder) override {
    self_ = this;
    lock_ = &builder.make<Lock>("lock", "lock");
    word_ = &builder.make<Cell<int>>("word", "word");
    builder.name(*word_, "count");
    builder.thread({"careful", &run, 1, false});
    builder.thread({"careless", &run, 0, false});
  }
  std::string outcome(const FinalState& /*state*/) override {
    return std::to_string(word_->peek());
  }

 private:
  static void run(std::uint64_t careful) {
    if (careful != 0) self_->lock_->acquire("lock", Loc::here());
    const int value = load_under(*self_->lock_, *self_->word_);
    store_under(*self_->lock_, *self_->word_, value + 1);
    if (careful != 0) self_->lock_->release("unlock", "lock", Loc::here());
  }
  static inline BrokenClaim* self_ = nullptr;
  Lock* lock_ = nullptr;
  Cell<int>* word_ = nullptr;
};

TEST(Reduction, IsTurnedOffByAClaimThatDoesNotHold) {
  BrokenClaim program;
  const Result reference = depth_first(program, testing::unreduced());
  EXPECT_EQ(reference.outcomes, (std::vector<std::string>{"1", "2"}));
  const Result reduced = depth_first(program, testing::with(true, true));
  EXPECT_EQ(reduced.reduction_off, "word.count");
  EXPECT_EQ(reduced.outcomes, reference.outcomes);
  EXPECT_TRUE(reduced.complete());
}

// A loop that moves past everything: it never gives way by itself.
class Spinner final : public Program {
 public:
  void build(Builder& builder) override {
    self_ = this;
    lock_ = &builder.make<Lock>("lock", "lock");
    word_ = &builder.make<Cell<int>>("word", "word");
    other_ = &builder.make<Cell<int>>("other", "word");
    builder.thread({"spinner", &spin, 0, true});
    builder.thread({"other", &other, 0, false});
  }

 private:
  static void spin(std::uint64_t /*unused*/) {
    Scope scope("spin");
    self_->lock_->acquire("lock", Loc::here());
    for (;;) {
      scope.at("again");
      load_under(*self_->lock_, *self_->word_);
    }
  }
  static void other(std::uint64_t /*unused*/) { store(*self_->other_, 1, Order::once); }
  static inline Spinner* self_ = nullptr;
  Lock* lock_ = nullptr;
  Cell<int>* word_ = nullptr;
  Cell<int>* other_ = nullptr;
};

TEST(Reduction, ALoopOfMoversDoesNotHangTheSearch) {
  Spinner program;
  for (const testing::Reduction reduction : testing::kReductions) {
    const Result result =
        depth_first(program, testing::with(reduction.movers, reduction.sleep_sets));
    EXPECT_TRUE(result.complete());
    EXPECT_LE(result.states, 6U);
  }
}

}  // namespace
}  // namespace futexmc::checker
