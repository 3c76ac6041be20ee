// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which theorems on the counts hold on which kernel and patch, and what each knock-out breaks.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs {
namespace {

using Names = std::set<std::string>;

Claim claim_of(const std::string& theorem, const model::Variant& variant) {
  return decide(*find_theorem(theorem), variant, {});
}

/// The refuted ones of those that apply; none may be unknown.
Names refuted_on(const model::Variant& variant) {
  Names refuted;
  for (const Theorem& theorem : theorems()) {
    if (!theorem.applies(variant) || !(theorem.id.starts_with("count-") ||
                                       theorem.id.starts_with("waiters-"))) {
      continue;
    }
    const Claim claim = decide(theorem, variant, {});
    EXPECT_NE(claim.answer, Answer::unknown) << theorem.id << ": " << claim.reason;
    EXPECT_FALSE(claim.assumptions.empty()) << theorem.id;
    if (claim.answer == Answer::refuted) refuted.insert(theorem.id);
  }
  return refuted;
}

// The cookie before the publication lets a get revive a replaced table's count (v7.2 and older);
// reading the table after the last put may come too late (v7.1 and older); a lookup that keeps a
// replaced table uses it after it was freed, and if it looks in it again, succeeds.
const Names kCookie = {"count-get", "count-fold", "count-free"};
const Names kFree = {"count-free"};

TEST(CountTheorems, OfTheKernels) {
  const std::map<std::string, Names> expected = {
      {"v6.12", {}},      {"v6.18", kCookie}, {"v7.1", kCookie},
      {"v7.2", kCookie},  {"v7.2.13", {}},    {"v7.3", {}}};
  EXPECT_EQ(expected.size(), model::kernels().size());
  for (const auto& [kernel, refuted] : expected) {
    EXPECT_EQ(refuted_on(model::make_variant(kernel, {}, {})), refuted) << kernel;
  }
}

TEST(SlowCountTheorems, OfThePatches) {
  for (const model::Change& patch : model::patches()) {
    const std::string& name = patch.name;
    const Names expected = name == "bucket-ref-draft-1" ? kFree
                           : name == "bucket-ref-tglx"  ? kCookie
                                                        : Names{};
    EXPECT_EQ(refuted_on(model::make_variant("v7.3", {name}, {})), expected) << name;
  }
}

TEST(SlowCountTheorems, OfThePatchesWhereTheyWerePosted) {
  for (const model::Change& patch : model::patches()) {
    if (patch.posted == nullptr) continue;
    EXPECT_EQ(refuted_on(model::make_variant(patch.posted, {patch.name}, {})), kCookie)
        << patch.name;
  }
}

struct Broken {
  const char* knockout;
  const char* theorem;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.knockout; }

class CountKnockouts : public ::testing::TestWithParam<Broken> {};

TEST_P(CountKnockouts, RefuteATheoremWithAnExecution) {
  const auto [knockout, theorem] = GetParam();
  const Claim claim = claim_of(theorem, model::make_variant("v7.3", {}, {knockout}));
  EXPECT_EQ(claim.answer, Answer::refuted) << claim.reason;
  ASSERT_FALSE(claim.execution.empty());
  EXPECT_NE(claim.execution.back().find("violated"), std::string::npos);
}

// Every knock-out that the rules have, with the theorem that speaks of it.
INSTANTIATE_TEST_SUITE_P(
    All, CountKnockouts,
    ::testing::Values(
        Broken{"get-state", "count-fold"}, Broken{"get-not-zero", "count-pivot"},
        Broken{"put-state", "count-range"}, Broken{"put-preempt", "count-fold"},
        Broken{"put-atomic", "count-fold"}, Broken{"put-wake", "count-wake"},
        Broken{"put-no-touch", "count-free"}, Broken{"bias", "count-bias"},
        Broken{"bias-first", "count-range"}, Broken{"fold-grace-period", "count-fold"},
        Broken{"fold-reset", "count-fold"}, Broken{"fold-sum", "count-width"},
        Broken{"fold-initial", "count-width"}, Broken{"initial-ref", "count-width"},
        Broken{"next-ref", "count-fold"}, Broken{"next-ref-first", "count-fold"},
        Broken{"fold-wake", "count-wake"}, Broken{"drop-mmget", "count-transition"},
        Broken{"end-mmput", "count-transition"}, Broken{"drop-once", "count-transition"},
        Broken{"callback-state", "count-transition"},
        Broken{"publish-grace-period", "count-get"}, Broken{"cookie-order", "count-get"},
        Broken{"dead-test", "count-pivot"}, Broken{"lookup-rcu", "count-free"},
        Broken{"lookup-reset", "count-free"}, Broken{"free-grace-period", "count-free"},
        Broken{"pivot-free-old", "count-free"}, Broken{"allocate-rcu", "count-free"},
        Broken{"slots-rcu", "count-free"}, Broken{"install-new-cleared", "count-transition"},
        Broken{"pivot-new-cleared", "count-transition"}, Broken{"busy-test", "count-transition"},
        Broken{"global-for-good", "count-transition"}, Broken{"pending-none", "count-wake"},
        Broken{"pending-dead", "count-wake"}, Broken{"prctl-enqueue", "count-wake"},
        Broken{"woken-flag", "count-wake"}, Broken{"waiters-before-check", "waiters-wake"},
        Broken{"wait-count", "waiters-count"}, Broken{"wait-uncount", "waiters-count"},
        Broken{"value-check-locked", "waiters-wake"}, Broken{"value-check", "waiters-wake"},
        Broken{"queue-locked", "waiters-wake"}, Broken{"unqueue-count", "waiters-count"},
        Broken{"rehash-waiters", "waiters-count"}),
    [](const ::testing::TestParamInfo<Broken>& of) {
      std::string name = of.param.knockout;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

struct Story {
  const char* knockout;
  const char* theorem;
  const char* removed;  ///< what must not be told
  const char* told;     ///< in its place
};

TEST(CountTheorems, StoriesDoNotTellOfWhatWasRemoved) {
  for (const Story& one :
       {Story{"wait-count", "waiters-count", "futex_hb_waiters_inc()", "a waiter, not counted"},
        Story{"waiters-before-check", "waiters-wake", "futex_hb_waiters_inc()", "not counted yet"},
        Story{"wait-uncount", "waiters-count", "futex_q_unlock(): futex_hb_waiters_dec()",
              "futex_q_unlock(): the count stays as it is"},
        Story{"unqueue-count", "waiters-count", "futex_hb_waiters_dec()",
              "futex_unqueue(): the count stays as it is"},
        Story{"rehash-waiters", "waiters-count", "counts a waiter", "and is not counted"},
        Story{"initial-ref", "count-fold", "with the initial reference", "all zero"},
        Story{"bias", "count-bias", "atomic = LONG_MAX", "atomic = 0"},
        Story{"drop-mmget", "count-transition", "futex_ref_drop(): mmget()", "without mmget()"},
        Story{"end-mmput", "count-transition", ": mmput_async()", "without mmput_async()"},
        Story{"pivot-free-old", "count-free", "kvfree_rcu() of the old table",
              "the old table is forgotten"}}) {
    const Claim claim = claim_of(one.theorem, model::make_variant("v7.3", {}, {one.knockout}));
    std::string story;
    for (const std::string& line : claim.execution) story += line + "\n";
    EXPECT_EQ(story.find(one.removed), std::string::npos) << one.knockout << "\n" << story;
    EXPECT_NE(story.find(one.told), std::string::npos) << one.knockout << "\n" << story;
  }
}

// What the rules cannot show removed is not claimed.
TEST(CountTheorems, AreUnknownWithoutWhatIsNotRepresented) {
  for (const char* const name : {"begin-release", "pivot-mutex", "unqueue-rcu", "loser-free"}) {
    const Claim claim = claim_of("count-get", model::make_variant("v7.3", {}, {name}));
    EXPECT_EQ(claim.answer, Answer::unknown) << name;
    EXPECT_EQ(claim.reason, "the transition system does not represent the knock-out '" +
                                std::string(name) + "'");
  }
  for (const char* const name : {"wait-barrier", "wake-barrier", "wake-limit", "wake-key"}) {
    EXPECT_EQ(claim_of("waiters-wake", model::make_variant("v7.3", {}, {name})).answer,
              Answer::unknown);
  }
}

TEST(CountTheorems, HoldWithoutWhatIsRedundant) {
  for (const char* const name : {"count-fold", "count-get", "count-free"}) {
    const model::Variant variant = model::make_variant("v7.3", {}, {"get-preempt", "dead-rcu"});
    EXPECT_EQ(claim_of(name, variant).answer, Answer::proved) << name;
  }
  EXPECT_EQ(refuted_on(model::make_variant("v7.3", {}, {"get-preempt"})), Names{});
  for (const char* const name : {"waiters-count", "waiters-wake"}) {
    const model::Variant variant = model::make_variant("v7.3", {}, {"wake-pending"});
    EXPECT_EQ(claim_of(name, variant).answer, Answer::proved) << name;
  }
  // Its section is the lookup's.
  const Claim both =
      claim_of("count-fold", model::make_variant("v7.3", {}, {"get-preempt", "lookup-rcu"}));
  EXPECT_EQ(both.answer, Answer::refuted) << both.reason;
}

}  // namespace
}  // namespace futexmc::properties::proofs
