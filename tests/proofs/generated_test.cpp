// SPDX-License-Identifier: GPL-2.0-or-later
//
// Our verdicts on generated litmus tests are herd7's, and each part of the model is needed for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "properties/proofs/lkmm/litmus_events.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/knockouts.hpp"
#include "tests/proofs/verdicts.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {
namespace {

/// The tests whose number leaves `rest` when divided by `step`.
void compare(unsigned step, unsigned rest) {
  const std::vector<Stored> verdicts = stored("generated.txt");
  ASSERT_EQ(verdicts.size(), kGenerated);
  for (unsigned number = rest; number < kGenerated; number += step) {
    const Program program = generate(number);
    ASSERT_EQ(program.name, verdicts[number].name) << "the generator has changed";
    const Outcome outcome = run(program);
    EXPECT_EQ(outcome.reason, "") << program.name;
    EXPECT_TRUE(outcome.race_known) << program.name;
    EXPECT_EQ(spell(outcome.observation), verdicts[number].observation) << print(program);
    EXPECT_EQ(outcome.race ? "race" : "no-race", verdicts[number].race) << print(program);
  }
}

// Cycles have numbers that four divides, among others; mixed statements leave three.
TEST(Generated, SomeVerdictsOfCyclesAreHerds) { compare(12, 0); }
TEST(Generated, SomeVerdictsOfMixedStatementsAreHerds) { compare(12, 7); }

TEST(SlowGenerated, AllVerdictsAreHerds) { compare(1, 0); }

// A list of one kind of verdict, or of tests without races, would compare little.
TEST(Generated, VerdictsAreOfAllKinds) {
  const std::vector<Stored> verdicts = stored("generated.txt");
  const auto count = [&](const std::string& observation, const std::string& race) {
    return std::count_if(verdicts.begin(), verdicts.end(), [&](const Stored& s) {
      return s.observation == observation && s.race == race;
    });
  };
  EXPECT_GT(count("Never", "no-race"), 100);
  EXPECT_GT(count("Sometimes", "no-race"), 100);
  EXPECT_GT(count("Never", "race"), 20);
  EXPECT_GT(count("Sometimes", "race"), 20);
  std::set<std::string> names;
  for (const Stored& s : verdicts) names.insert(s.name);
  EXPECT_EQ(names.size(), verdicts.size());
}

class Without : public ::testing::TestWithParam<Knockout> {};

// herd7 says Never, so do we, and without the part the outcome is possible.
TEST_P(Without, AnOutcomeBecomesPossible) {
  const std::vector<Stored> verdicts = stored("generated.txt");
  const Program program = generate(GetParam().test);
  ASSERT_EQ(verdicts.at(GetParam().test).name, program.name);
  EXPECT_EQ(verdicts.at(GetParam().test).observation, "Never");
  EXPECT_EQ(spell(run(program).observation), "Never");
  const Outcome less = run(program, GetParam().omitted);
  EXPECT_TRUE(less.observation == Observation::sometimes ||
              less.observation == Observation::always)
      << spell(less.observation) << '\n' << print(program);
  EXPECT_FALSE(less.witness.empty());
}

INSTANTIATE_TEST_SUITE_P(Parts, Without, ::testing::ValuesIn(knockouts()),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace futexmc::proofs::lkmm::litmus::testing
