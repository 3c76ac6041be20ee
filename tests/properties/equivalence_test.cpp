// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reductions change what a search costs, not what it finds: with movers and sleep sets in every
// combination, depth first and breadth first, the same properties are violated and the same final
// states seen. On scenarios small enough to be searched unreduced, faulty variants included.
#include "tests/properties/subject.hpp"

namespace futexmc::properties {
namespace {

using checker::Options;
using checker::Result;
using testing::Subject;

Options options_with(bool movers, bool sleep_sets) {
  Options options;
  options.movers = movers;
  options.sleep_sets = sleep_sets;
  options.outcomes = true;
  return options;
}

void expect_same_answer(const Result& result, const Result& reference, const char* what) {
  EXPECT_TRUE(result.complete()) << what;
  EXPECT_EQ(testing::violated(result), testing::violated(reference)) << what;
  EXPECT_EQ(result.outcomes, reference.outcomes) << what;
}

void check(const Result& reference, const Result& sleep_sets, const Result& movers,
           const Result& both) {
  expect_same_answer(sleep_sets, reference, "sleep sets");
  expect_same_answer(movers, reference, "movers");
  expect_same_answer(both, reference, "both");
  // Sleep sets leave out ways into a state, never the state.
  EXPECT_EQ(sleep_sets.states, reference.states);
  EXPECT_EQ(both.states, movers.states);
  EXPECT_LE(sleep_sets.transitions, reference.transitions);
  EXPECT_LE(both.transitions, movers.transitions);
  EXPECT_LE(movers.states, reference.states);
}

class Equivalence : public ::testing::TestWithParam<Subject> {
 protected:
  Result depth_first(bool movers, bool sleep_sets) const {
    const auto scenario = testing::load(GetParam().scenario);
    return testing::search(scenario, testing::variant_of(GetParam()),
                           options_with(movers, sleep_sets));
  }
  Result breadth_first(bool movers) const {
    const auto scenario = testing::load(GetParam().scenario);
    const auto variant = testing::variant_of(GetParam());
    FutexProgram program(scenario, variant);
    return checker::breadth_first(program, options_with(movers, false));
  }

  void compare() const;
};
class SlowEquivalence : public Equivalence {};

void Equivalence::compare() const {
  const Result reference = depth_first(false, false);
  const Result movers = depth_first(true, false);
  ASSERT_TRUE(reference.complete());
  check(reference, depth_first(false, true), movers, depth_first(true, true));
  for (const bool fused : {false, true}) {
    const Result& deep = fused ? movers : reference;
    const Result broad = breadth_first(fused);
    expect_same_answer(broad, deep, "breadth first");
    EXPECT_EQ(broad.states, deep.states);
    EXPECT_EQ(broad.transitions, deep.transitions);
    EXPECT_EQ(broad.finals, deep.finals);
  }
}

TEST_P(Equivalence, OfReductionsAndOrders) { compare(); }
TEST_P(SlowEquivalence, OfReductionsAndOrders) { compare(); }

INSTANTIATE_TEST_SUITE_P(Small, Equivalence,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"wait-wake", "wait-wake-private", "wait-signal", "first-clone",
                              "wait-spurious-wake", "bitset"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(SeveralWords, Equivalence,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"requeue", "requeue-wake", "requeue-both-ways", "requeue-collision",
                              "wake-op", "waitv", "waitv-one-wake", "wait-restart"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Pi, Equivalence,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"pi-lock", "pi-unlock", "pi-timeout", "pi-signal", "pi-fault",
                              "pi-unlock-race", "pi-deadlock", "requeue-pi",
                              "requeue-pi-timeout"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Chains, SlowEquivalence,
                         ::testing::Values(Subject{"pi-trylock", ""}, Subject{"pi-chain", ""},
                                           Subject{"requeue-pi-chain", ""}),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Larger, SlowEquivalence,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"wake-resize", "wait-again", "collision", "allocation-fails"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Rows, SlowEquivalence,
                         ::testing::Values(Subject{"wake-global", ""},
                                           Subject{"wake-global", "bucket-ref-draft-1"},
                                           Subject{"wake-resize", "bucket-ref-tglx"},
                                           Subject{"collision", "mismatch-precheck"}),
                         testing::subject_name);

}  // namespace
}  // namespace futexmc::properties
