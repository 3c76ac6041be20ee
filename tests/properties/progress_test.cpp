// SPDX-License-Identifier: GPL-2.0-or-later
//
// progress on the model: knock-outs that leave a loop without an end. What else they violate is a
// `sometimes`: that a final state is missing, which no execution shows.
#include <gtest/gtest.h>

#include "checker/replay.hpp"
#include "properties/property.hpp"
#include "properties/run.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

RunOptions only_progress() {
  RunOptions options;
  options.properties = {"progress"};
  return options;
}

struct Case {
  const char* scenario;
  const char* knockout;
  const char* spinner;
};

TEST(Progress, HasTheStoryOfWhatNeverEnds) {
  constexpr Case kCases[] = {{"wait-timeout", "wait-timeout-check", "waiter"},
                             {"wake-installs", "lookup-pivot", "main"},
                             {"priority-lock", "wait-timeout-check", "high"}};
  for (const auto& [name, knockout, spinner] : kCases) {
    const auto scenario = testing::load(name);
    const model::Variant variant = testing::with_knockout(knockout);
    const ScenarioReport report = run_scenario(scenario, variant, only_progress());
    const Violation* const violation = report.find("progress");
    ASSERT_TRUE(violation != nullptr && violation->trace) << name;
    EXPECT_TRUE(violation->message.ends_with(std::string(": ") + spinner + " spins"))
        << violation->message;
    FutexProgram broken(scenario, variant);
    EXPECT_EQ(checker::replay(broken, *violation->trace).outcome, checker::Outcome::reproduces);
    FutexProgram fixed(scenario, testing::v7_3());
    EXPECT_NE(checker::replay(fixed, *violation->trace).outcome, checker::Outcome::reproduces);
    EXPECT_EQ(run_scenario(scenario, testing::v7_3(), only_progress()).verdict, Verdict::holds);
  }
}

// A wait that a signal no longer ends can still be ended by its waker: no livelock, only a missing
// outcome.
TEST(Progress, IsNotAboutSchedulesThatStarve) {
  const ScenarioReport report = run_scenario(
      testing::load("wait-signal"), testing::with_knockout("wait-signal-check"), only_progress());
  EXPECT_EQ(report.verdict, Verdict::holds);
}

// Only if asked for: it would search once more.
TEST(Progress, IsLookedAtOnRequestOnly) {
  const auto scenario = testing::load("wait-timeout");
  const model::Variant variant = testing::with_knockout("wait-timeout-check");
  EXPECT_EQ(run_scenario(scenario, variant, {}).find("progress"), nullptr);
  RunOptions both;
  both.properties = {"progress", "condition"};
  const ScenarioReport report = run_scenario(scenario, variant, both);
  EXPECT_NE(report.find("progress"), nullptr);
  EXPECT_NE(report.find("condition"), nullptr);
  EXPECT_EQ(properties::exit_code({"progress"}), 12);
  EXPECT_EQ(properties::exit_code({"progress", "condition"}), 10);
}

}  // namespace
}  // namespace futexmc::properties
