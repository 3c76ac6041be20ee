// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verdicts on the kernels and patches that were discussed on the list, each in the smallest
// scenario that shows it and in one that does not.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using Names = std::set<std::string>;

Names violations(const std::string& scenario, const model::Variant& variant) {
  const auto result = testing::search(testing::load(scenario), variant);
  EXPECT_TRUE(result.complete()) << scenario;
  return testing::violated(result);
}

model::Variant v7_2() { return model::make_variant("v7.2", {}, {}); }

// The cookie is sampled before the table is published: it takes a second pivot to profit from it.
TEST(Rows, V72NeedsTwoPivots) {
  EXPECT_EQ(violations("wake-resize-twice", v7_2()), (Names{"lifetime", "refcount"}));
  EXPECT_EQ(violations("wake-resize", v7_2()), Names{});
}

// The stale pointer counts only where the retry finds no private table.
TEST(Rows, Draft1NeedsTheGlobalHash) {
  EXPECT_TRUE(violations("wake-global", testing::with_patch("bucket-ref-draft-1"))
                  .contains("lifetime"));
  EXPECT_EQ(violations("wake-resize", testing::with_patch("bucket-ref-draft-1")), Names{});
}

TEST(Rows, TglxFailsOnAnyResize) {
  EXPECT_TRUE(violations("wake-resize", testing::with_patch("bucket-ref-tglx"))
                  .contains("lifetime"));
  EXPECT_EQ(violations("wait-wake-private", testing::with_patch("bucket-ref-tglx")), Names{});
}

// Patches stack: the faulty lookup is found under a harmless one too.
TEST(Rows, PatchesStack) {
  const auto both = model::make_variant("v7.2", {"mismatch-precheck", "bucket-ref-tglx"}, {});
  EXPECT_TRUE(violations("wake-resize", both).contains("lifetime"));
}

/// Scenarios in which v7.3 holds, and so must a patch that only refuses earlier.
class Precheck : public ::testing::TestWithParam<std::string> {};

TEST_P(Precheck, HoldsWhereTheBaseDoes) {
  const auto scenario = testing::load(GetParam());
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
  EXPECT_TRUE(testing::holds(
      testing::search(scenario, testing::with_patch("mismatch-precheck"))));
}

INSTANTIATE_TEST_SUITE_P(Rows, Precheck,
                         ::testing::Values("wait-wake", "wait-wake-private", "wait-signal",
                                           "wait-again", "bitset", "collision", "first-clone",
                                           "wait-spurious-wake", "wake-resize",
                                           "wait-timeout-resize"),
                         testing::named);

// Refusing early must not refuse what the base would have let sleep: same outcomes.
TEST(Rows, PrecheckChangesNoOutcome) {
  checker::Options options;
  options.outcomes = true;
  for (const char* name : {"wait-wake", "wait-wake-private", "wait-signal", "first-clone"}) {
    const auto scenario = testing::load(name);
    EXPECT_EQ(testing::search(scenario, testing::with_patch("mismatch-precheck"), options).outcomes,
              testing::search(scenario, testing::v7_3(), options).outcomes)
        << name;
  }
}

TEST(Rows, KernelsAndPatchesAreNamedOnce) {
  std::set<std::string> names;
  for (const auto* table : {&model::kernels(), &model::patches()}) {
    for (const model::Change& change : *table) {
      EXPECT_TRUE(names.insert(change.name).second) << change.name;
      EXPECT_FALSE(change.title.empty()) << change.name;
    }
  }
}

}  // namespace
}  // namespace futexmc::properties
