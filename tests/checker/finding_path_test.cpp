// SPDX-License-Identifier: GPL-2.0-or-later
//
// A finding's path, run again from the initial state, shows the violation: in every mode of the
// search, for violations during a transition, in a state, and in a final state.
#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/checker/toys.hpp"
#include "tests/models/pivot.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

std::size_t expect_paths_show(Program& program, const Options& options) {
  const Result result = depth_first(program, options);
  for (const Finding& finding : result.findings) {
    const std::string signature = finding.property + ": " + finding.message;
    const auto seen = testing::violations_of(program, finding.path, options);
    EXPECT_NE(std::find(seen.begin(), seen.end(), signature), seen.end()) << signature;
  }
  return result.findings.size();
}

TEST(FindingPath, ShowsTheViolationInEveryMode) {
  std::size_t findings = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    toys::Random program(seed);
    for (const bool movers : {false, true}) {
      for (const bool sleep_sets : {false, true}) {
        Options options = testing::with(movers, sleep_sets);
        findings += expect_paths_show(program, options);
        options.audit = true;
        expect_paths_show(program, options);
      }
    }
    Options stateless = testing::unreduced();
    stateless.stateful = false;
    expect_paths_show(program, stateless);
  }
  EXPECT_GT(findings, 100U);
}

TEST(FindingPath, ShowsTheLostWakeUp) {
  models::Semaphore program({2, 2, 1, 1, models::Mutation::late_count});
  EXPECT_GT(expect_paths_show(program, testing::unreduced()), 0U);
  EXPECT_GT(expect_paths_show(program, testing::with(true, true)), 0U);
}

TEST(FindingPath, ShowsWhatABrokenPivotDoes) {
  models::Pivot program({1, 1, 1, 1, 1, models::PivotMutation::no_grace_period});
  EXPECT_GT(expect_paths_show(program, testing::unreduced()), 0U);
  EXPECT_GT(expect_paths_show(program, testing::with(true, true)), 0U);
}

TEST(FindingPath, StoppingAtTheFirstGivesOne) {
  models::Pivot program({1, 1, 1, 1, 1, models::PivotMutation::no_grace_period});
  Options options = testing::unreduced();
  const std::uint64_t all = depth_first(program, options).states;
  options.stop_at_first = true;
  const Result result = depth_first(program, options);
  EXPECT_EQ(result.findings.size(), 1U);
  EXPECT_LT(result.states, all);
}

}  // namespace
}  // namespace futexmc::checker
