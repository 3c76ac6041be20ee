// SPDX-License-Identifier: GPL-2.0-or-later
//
// Exact counts of the unreduced search. Those of the semaphore are SPIN's for semaphore.pml, state
// by state (SPIN counts one transition more); those of the pivot are within five per cent of its.
#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/models/pivot.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

struct Counts {
  std::uint64_t states, transitions, matched, finals;
  std::size_t depth;
};

void expect_counts(Program& program, const Counts& counts) {
  const Result result = depth_first(program, testing::unreduced());
  EXPECT_EQ(result.states, counts.states);
  EXPECT_EQ(result.transitions, counts.transitions);
  EXPECT_EQ(result.matched, counts.matched);
  EXPECT_EQ(result.finals, counts.finals);
  EXPECT_EQ(result.max_depth, counts.depth);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.complete());
  // Each transition leads to a state seen before or to a new one; only the first state has none.
  EXPECT_EQ(result.states + result.matched, result.transitions + 1);
}

TEST(Exactness, SemaphoreOfTwoWaitersAndTwoWakers) {
  models::Semaphore program({2, 2, 1, 1});
  expect_counts(program, {18'272, 51'968, 33'697, 4, 59});
}

TEST(Exactness, SemaphoreOfThreeWaiters) {
  models::Semaphore program({3, 1, 1, 3});
  expect_counts(program, {167'977, 511'384, 343'408, 8, 94});
}

TEST(Exactness, SemaphoreOfTwoRounds) {
  models::Semaphore program({2, 2, 2, 2});
  expect_counts(program, {460'125, 1'492'536, 1'032'412, 4, 95});
}

TEST(Exactness, PivotOfOneResize) {
  models::Pivot program({1, 1, 1, 1, 1});
  expect_counts(program, {180'419, 622'970, 442'552, 5, 94});
  EXPECT_GT(180'419, 186'098 * 0.95);  // SPIN's count for pivot.pml
}

TEST(Exactness, PivotOfTwoResizes) {
  models::Pivot program({1, 1, 1, 1, 2});
  expect_counts(program, {973'826, 3'387'835, 2'414'010, 19, 135});
  EXPECT_GT(973'826, 1'002'574 * 0.95);
}

TEST(Exactness, CountsDoNotDependOnWhatRanBefore) {
  models::Pivot pivot({1, 1, 1, 1, 0});
  models::Semaphore semaphore({2, 1, 1, 2});
  const Result first = depth_first(semaphore, testing::unreduced());
  depth_first(pivot, testing::unreduced());
  const Result second = depth_first(semaphore, testing::unreduced());
  EXPECT_EQ(first.states, second.states);
  EXPECT_EQ(first.outcomes, second.outcomes);
}

}  // namespace
}  // namespace futexmc::checker
