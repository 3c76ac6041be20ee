// SPDX-License-Identifier: GPL-2.0-or-later
//
// The verdicts on the kernels and patches that were discussed on the list, each in the smallest
// scenario that shows it and in one that does not.
#include "model/world.hpp"
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

Names messages(const std::string& scenario, const model::Variant& variant) {
  Names found;
  for (const auto& finding : testing::search(testing::load(scenario), variant).findings) {
    found.insert(finding.property + ": " + finding.message);
  }
  return found;
}

// The table is read after the last reference was put (K11), and the cookie comes first (K1).
TEST(Rows, V618AndV71HaveBothFaults) {
  for (const char* kernel : {"v6.18", "v7.1"}) {
    const auto variant = model::make_variant(kernel, {}, {});
    EXPECT_EQ(messages("wake-resize", variant),
              Names{"lifetime: use after free of futex_private_hash in "
                    "futex_private_hash_put(): read of fph0.mm"});
    const Names twice = messages("wake-resize-twice", variant);
    EXPECT_TRUE(twice.contains("refcount: futex_ref_get() got a reference on a table that was "
                               "replaced"));
    EXPECT_TRUE(twice.contains("lifetime: use after free of futex_private_hash in "
                               "futex_private_hash_put(): read of fph0.mm"));
    EXPECT_GT(twice.size(), 3U);
  }
}

TEST(Rows, V7213HasNeither) {
  const auto variant = model::make_variant("v7.2.13", {}, {});
  EXPECT_EQ(violations("wake-resize", variant), Names{});
  EXPECT_EQ(violations("wake-resize-twice", variant), Names{});
}

// As posted the merged patch inherits what v7.1 has, and adds nothing on the base.
TEST(Rows, BucketRefInheritsAsPosted) {
  const auto posted = model::make_variant("v7.1", {"bucket-ref"}, {});
  EXPECT_EQ(violations("wake-resize", posted), Names{"lifetime"});
  EXPECT_EQ(violations("wake-resize", testing::with_patch("bucket-ref")), Names{});
  EXPECT_EQ(violations("wake-global", testing::with_patch("bucket-ref-draft-2")), Names{});
}

// A waiter that sleeps until the pivot is in the kernel and on no chain.
TEST(Rows, GatesHideWaiters) {
  for (const char* patch : {"hash-wait-new", "rwsem-gate-entry", "rwsem-gate-get"}) {
    EXPECT_EQ(violations("wait-timeout-resize", testing::with_patch(patch)),
              Names{"queued-sleeper"})
        << patch;
    EXPECT_EQ(violations("wait-wake-private", testing::with_patch(patch)), Names{}) << patch;
  }
}

// Who holds one reference and asks for a second waits for a pivot that waits for the first.
TEST(Rows, AGateAtEveryGetDeadlocks) {
  const auto at_get = testing::with_patch("rwsem-gate-get");
  for (const char* scenario : {"requeue-resize", "wake-op-resize", "waitv-resize"}) {
    EXPECT_TRUE(violations(scenario, at_get).contains("deadlock")) << scenario;
    EXPECT_EQ(violations(scenario, testing::with_patch("rwsem-gate-entry")), Names{}) << scenario;
    EXPECT_EQ(violations(scenario, testing::with_patch("hash-wait-new")), Names{}) << scenario;
  }
}

TEST(Rows, OperationsOnSeveralWordsHaveTheFaultsOfOne) {
  const auto v7_1 = model::make_variant("v7.1", {}, {});
  for (const char* scenario : {"requeue-resize", "wake-op-resize", "waitv-resize"}) {
    EXPECT_EQ(violations(scenario, v7_1), Names{"lifetime"}) << scenario;
    EXPECT_EQ(violations(scenario, v7_2()), Names{}) << scenario;
    EXPECT_EQ(violations(scenario, testing::with_patch("bucket-ref")), Names{}) << scenario;
  }
  EXPECT_TRUE(violations("requeue-resize", testing::with_patch("bucket-ref-tglx"))
                  .contains("lifetime"));
  EXPECT_TRUE(violations("requeue-global", testing::with_patch("bucket-ref-draft-1"))
                  .contains("lifetime"));
}

// What lock_ptr is beside the test in futex_unqueue() makes no difference to it: the one exception
// for a requeue.
TEST(Races, OfLockPtrInARequeueAreAccepted) {
  for (const char* scenario : {"requeue-timeout", "requeue-wake", "requeue-condvar"}) {
    EXPECT_TRUE(testing::holds(
        testing::search_for("race", testing::load(scenario), testing::v7_3()))) << scenario;
  }
  EXPECT_TRUE(testing::search_for("race", testing::load("requeue-timeout"),
                                  testing::with_knockout("requeue-target-lock"))
                  .violated("race"));
}

TEST(Rows, V612HasNoPrivateHash) {
  const auto variant = model::make_variant("v6.12", {}, {});
  EXPECT_FALSE(model::applies(testing::load("wake-resize"), variant));
  EXPECT_TRUE(model::applies(testing::load("wait-wake-private"), variant));
  EXPECT_EQ(violations("wait-wake-private", variant), Names{});
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
