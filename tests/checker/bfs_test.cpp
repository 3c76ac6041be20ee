// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>

#include "checker/search.hpp"
#include "tests/checker/toys.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

using models::Mutation;
using models::Semaphore;

Options full(bool movers) {
  Options options;
  options.movers = movers;
  options.sleep_sets = false;
  options.outcomes = true;
  return options;
}

std::vector<std::string> signatures(const Result& result) {
  std::vector<std::string> all;
  for (const Finding& finding : result.findings) {
    all.push_back(finding.property + ": " + finding.message);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_equal(Program& program, bool movers) {
  const Result depth = depth_first(program, full(movers));
  const Result breadth = breadth_first(program, full(movers));
  EXPECT_EQ(breadth.states, depth.states);
  EXPECT_EQ(breadth.transitions, depth.transitions);
  EXPECT_EQ(breadth.matched, depth.matched);
  EXPECT_EQ(breadth.finals, depth.finals);
  EXPECT_EQ(breadth.outcomes, depth.outcomes);
  EXPECT_EQ(signatures(breadth), signatures(depth));
  EXPECT_EQ(breadth.limit, Limit::none);
  for (const Finding& finding : breadth.findings) {
    const auto same = std::find_if(depth.findings.begin(), depth.findings.end(), [&](auto& other) {
      return other.property == finding.property && other.message == finding.message;
    });
    ASSERT_NE(same, depth.findings.end());
    EXPECT_LE(finding.path.size(), same->path.size());
  }
}

TEST(BreadthFirst, CountsWhatTheReferenceCounts) {
  Semaphore small({2, 1, 1, 2, Mutation::none});
  const Result result = breadth_first(small, full(false));
  EXPECT_EQ(result.states, 4'424U);
  EXPECT_EQ(result.transitions, 10'120U);
  EXPECT_EQ(result.max_depth, 51U);  // depth-first goes 62 deep
  EXPECT_TRUE(result.findings.empty());
}

TEST(BreadthFirst, EqualsDepthFirstOnTheSemaphore) {
  for (const bool movers : {false, true}) {
    for (const Mutation mutation : {Mutation::none, Mutation::late_count}) {
      Semaphore one({1, 1, 1, 1, mutation});
      expect_equal(one, movers);
      Semaphore two({2, 1, 1, 2, mutation});
      expect_equal(two, movers);
      Semaphore three({3, 1, 1, 3, mutation});
      expect_equal(three, movers);
    }
  }
}

TEST(BreadthFirst, EqualsDepthFirstOnRandomPrograms) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    expect_equal(program, false);
    expect_equal(program, true);
  }
}

TEST(BreadthFirst, FindsTheFewestTransitions) {
  // Both load before either stores; the last store ends the program.
  toys::LostUpdate program(2);
  const Result result = breadth_first(program, full(false));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].path.size(), 4U);
}

TEST(BreadthFirst, LimitsGiveTheLimit) {
  Semaphore program({3, 2, 1, 2, Mutation::none});
  Options options = full(true);
  options.max_states = 1'000;
  Result result = breadth_first(program, options);
  EXPECT_EQ(result.limit, Limit::states);
  EXPECT_EQ(result.states, 1'000U);

  options = full(true);
  options.max_seconds = 0.02;
  EXPECT_EQ(breadth_first(program, options).limit, Limit::time);

  const std::atomic<bool> interrupt = true;
  options = full(true);
  options.interrupt = &interrupt;
  EXPECT_EQ(breadth_first(program, options).limit, Limit::interrupted);
}

TEST(BreadthFirst, StaysWithinItsMemory) {
  Semaphore program({3, 2, 1, 2, Mutation::none});
  Options options = full(true);
  for (const std::uint64_t max : {0ULL, 1'000ULL, 200'000ULL, 1'000'000ULL, 8'000'000ULL}) {
    options.max_bytes = max;
    const Result result = breadth_first(program, options);
    EXPECT_EQ(result.limit, Limit::memory) << max;
    EXPECT_FALSE(result.complete());
    // The smallest visited set is there before anything is asked.
    EXPECT_LE(result.bytes, std::max<std::uint64_t>(max, 100'000)) << max;
  }
}

TEST(BreadthFirst, StopsAtTheFirstFinding) {
  Semaphore program({2, 1, 1, 2, Mutation::late_count});
  Options options = full(false);
  options.stop_at_first = true;
  const Result result = breadth_first(program, options);
  EXPECT_EQ(result.findings.size(), 1U);
  EXPECT_LT(result.states, breadth_first(program, full(false)).states);
}

// A thread that takes a second lock must not do so in the transaction that took the first, or no
// other thread could come between the two and the deadlock would be missed.
TEST(BreadthFirst, MoversKeepALockOrderDeadlock) {
  toys::LockOrder program;
  EXPECT_EQ(signatures(breadth_first(program, full(true))),
            signatures(breadth_first(program, full(false))));
}

TEST(BreadthFirst, StartsAgainWithoutMoversWhereALockIsNotHeld) {
  toys::Undisciplined program;
  const Result with = breadth_first(program, full(true));
  const Result without = breadth_first(program, full(false));
  EXPECT_EQ(with.reduction_off, "word.value");
  EXPECT_EQ(without.reduction_off, "");
  EXPECT_EQ(with.states, without.states);
  EXPECT_EQ(with.transitions, without.transitions);
}

}  // namespace
}  // namespace futexmc::checker
