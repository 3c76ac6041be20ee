// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <ostream>

#include "checker/minimize.hpp"
#include "tests/checker/every_schedule.hpp"
#include "tests/checker/toys.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {

void PrintTo(const Cost& cost, std::ostream* out) {
  *out << cost.threads << " threads, " << cost.switches << " switches, " << cost.optional_events
       << " of " << cost.events << " events optional, " << cost.operations << " operations";
}

namespace {

using models::Mutation;
using models::Semaphore;

Options with_movers(bool movers) {
  Options options;
  options.movers = movers;
  options.sleep_sets = false;
  return options;
}

Minimized expect_minimal(Program& program, const Finding& finding, bool movers) {
  const Minimized minimized = minimize(program, finding, with_movers(movers));
  EXPECT_TRUE(minimized.shown);
  EXPECT_TRUE(minimized.minimal);
  EXPECT_EQ(minimized.movers, movers);
  EXPECT_EQ(minimized.limit, Limit::none);
  const Signature signature(finding.property, finding.message);
  EXPECT_TRUE(Shows(program, minimized.path, movers, signature).seen);
  const Path operations = movers ? to_operations(program, minimized.path) : minimized.path;
  EXPECT_TRUE(Shows(program, operations, false, signature).seen);
  EXPECT_GE(operations.size(), minimized.cost.operations + minimized.cost.events);
  return minimized;
}

Finding only_finding(Program& program, bool movers) {
  const Result result = depth_first(program, with_movers(movers));
  EXPECT_EQ(result.findings.size(), 1U);
  return result.findings.empty() ? Finding{} : result.findings[0];
}

void expect_agreement(Program& program, bool movers) {
  const EverySchedule every(program, movers);
  const Result result = depth_first(program, with_movers(movers));
  EXPECT_EQ(result.findings.size(), every.best.size());
  for (const Finding& finding : result.findings) {
    const Minimized minimized = expect_minimal(program, finding, movers);
    const auto best = every.best.find({finding.property, finding.message});
    ASSERT_NE(best, every.best.end());
    EXPECT_EQ(minimized.cost, best->second) << finding.property << ": " << finding.message;
  }
}

TEST(Minimize, LostUpdateTakesTwoSwitches) {
  // One thread must load before and store after another's store: it is interrupted once.
  toys::LostUpdate program(2);
  const Minimized minimized = expect_minimal(program, only_finding(program, false), false);
  EXPECT_EQ(minimized.cost, (Cost{2, 2, 0, 0, 4}));
  EXPECT_EQ(minimized.path.front(), minimized.path.back());
}

TEST(Minimize, EveryThreadCountsInAFinalState) {
  // The state is not final before the third has run, which takes one more switch.
  toys::LostUpdate program(3);
  const Minimized minimized = expect_minimal(program, only_finding(program, false), false);
  EXPECT_EQ(minimized.cost, (Cost{3, 3, 0, 0, 6}));
}

TEST(Minimize, LockOrderDeadlockTakesOneSwitchForEachOtherThread) {
  // Each takes its first lock and hangs, which needs no return to it; then the bystander runs.
  toys::LockOrder program;
  const Minimized minimized = expect_minimal(program, only_finding(program, false), false);
  EXPECT_EQ(minimized.cost, (Cost{3, 2, 0, 0, 4}));
}

TEST(Minimize, AnEventIsCheaperThanAThread) {
  toys::Changed without_owed(false);
  Finding finding = only_finding(without_owed, false);
  EXPECT_EQ(expect_minimal(without_owed, finding, false).cost, (Cost{1, 0, 1, 1, 2}));
  // An event that happens anyway is cheaper than an injected one.
  toys::Changed with_owed(true);
  finding = only_finding(with_owed, false);
  EXPECT_EQ(expect_minimal(with_owed, finding, false).cost, (Cost{1, 0, 0, 1, 2}));
}

TEST(Minimize, AgreesWithEverySchedule) {
  toys::LostUpdate two(2);
  expect_agreement(two, false);
  toys::LostUpdate three(3);
  expect_agreement(three, false);
  toys::LockOrder lock_order;
  expect_agreement(lock_order, false);
  toys::Changed changed(true);
  expect_agreement(changed, false);
}

TEST(Minimize, AgreesWithEveryScheduleOfRandomPrograms) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    expect_agreement(program, false);
    expect_agreement(program, true);
  }
}

TEST(Minimize, TransactionsCostAsManySwitchesAsOperations) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    for (const Finding& finding : depth_first(program, with_movers(false)).findings) {
      Finding unknown{finding.property, finding.message, {}};
      Cost one = minimize(program, unknown, with_movers(false)).cost;
      Cost other = minimize(program, unknown, with_movers(true)).cost;
      EXPECT_LE(one, other);
      one.operations = other.operations = 0;
      EXPECT_EQ(one, other) << finding.property << ": " << finding.message;
    }
  }
}

TEST(Minimize, LateCountDeadlockTakesTwoSwitches) {
  // The waiter must read the word before the post and be counted after it, or the waker would wake
  // it: so it is interrupted once. The waker need not be interrupted: it finds no one to wake.
  for (const bool movers : {false, true}) {
    Semaphore program({1, 1, 1, 1, Mutation::late_count});
    const Minimized minimized = expect_minimal(program, only_finding(program, movers), movers);
    EXPECT_EQ(minimized.cost.threads, 2U);
    EXPECT_EQ(minimized.cost.switches, 2U);
    EXPECT_EQ(minimized.cost.events, 0U);
    // The waiter: load, store q, lock, load; f++ and load of the waker; the waiter: count, store
    // state, chain, store q, unlock, load on_list.
    EXPECT_EQ(minimized.cost.operations, 12U);
  }
}

TEST(Minimize, KeepsTheSignatureAmongSeveral) {
  Semaphore program({2, 1, 1, 2, Mutation::late_count});
  const Result result = depth_first(program, with_movers(true));
  // The one hangs or the other. Not both: a waiter reads the word and is counted under one lock, so
  // the second to take it, after both posts, reads a word that is posted.
  ASSERT_EQ(result.findings.size(), 2U);
  for (const Finding& finding : result.findings) expect_minimal(program, finding, true);
}

TEST(Minimize, ImprovesGreedilyWhereALimitCuts) {
  for (const bool movers : {false, true}) {
    Semaphore program({2, 1, 1, 2, Mutation::late_count});
    const Result result = depth_first(program, with_movers(movers));
    for (const Finding& finding : result.findings) {
      const Minimized best = minimize(program, finding, with_movers(movers));
      Options options = with_movers(movers);
      options.max_states = 10;
      const Minimized cut = minimize(program, finding, options);
      EXPECT_EQ(cut.limit, Limit::states);
      EXPECT_LE(cut.states, 10U);
      EXPECT_TRUE(cut.shown);
      EXPECT_FALSE(cut.minimal);
      EXPECT_TRUE(Shows(program, cut.path, movers, {finding.property, finding.message}).seen);
      EXPECT_LE(best.cost, cut.cost);
      EXPECT_LE(cut.cost.switches, best.cost.switches + 2);
    }
  }
}

TEST(Minimize, LimitsGiveTheLimit) {
  Semaphore program({2, 1, 1, 2, Mutation::late_count});
  const Finding finding = depth_first(program, with_movers(true)).findings.at(0);
  Options options = with_movers(true);
  options.max_bytes = 100'000;
  EXPECT_EQ(minimize(program, finding, options).limit, Limit::memory);
  options = with_movers(true);
  options.max_seconds = 0;
  EXPECT_EQ(minimize(program, finding, options).limit, Limit::time);
  const std::atomic<bool> interrupt = true;
  options = with_movers(true);
  options.interrupt = &interrupt;
  const Minimized minimized = minimize(program, finding, options);
  EXPECT_EQ(minimized.limit, Limit::interrupted);
  EXPECT_TRUE(minimized.shown);  // by the finding's own path
}

TEST(Minimize, SaysThatNothingShowsAForeignSignature) {
  toys::LostUpdate program(2);
  const Minimized minimized =
      minimize(program, {"condition", "no such message", {}}, with_movers(false));
  EXPECT_FALSE(minimized.shown);
  EXPECT_FALSE(minimized.minimal);
  EXPECT_EQ(minimized.limit, Limit::none);
}

TEST(Minimize, FallsBackOnOperationsWhereALockIsNotHeld) {
  toys::Undisciplined program;
  const Result result = depth_first(program, with_movers(true));
  EXPECT_EQ(result.reduction_off, "word.value");
  ASSERT_EQ(result.findings.size(), 1U);
  const Minimized minimized = minimize(program, result.findings[0], with_movers(true));
  EXPECT_TRUE(minimized.shown);
  EXPECT_TRUE(minimized.minimal);
  EXPECT_FALSE(minimized.movers);
  // The other loads and stores between the one's store and its second load.
  EXPECT_EQ(minimized.cost, (Cost{2, 2, 0, 0, 5}));
}

TEST(ToOperations, GivesEveryOperationItsChoice) {
  Semaphore program({1, 1, 1, 1, Mutation::late_count});
  const Finding finding = only_finding(program, true);
  const Path operations = to_operations(program, finding.path);
  EXPECT_GT(operations.size(), finding.path.size());
  EXPECT_TRUE(Shows(program, operations, false, {finding.property, finding.message}).seen);
}

}  // namespace
}  // namespace futexmc::checker
