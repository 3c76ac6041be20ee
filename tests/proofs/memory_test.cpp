// SPDX-License-Identifier: GPL-2.0-or-later
//
// The theorems under the kernel's memory model: proved, and refuted without what they rest on.
#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs {
namespace {

struct Case {
  const char* theorem;
  std::vector<const char*> without;  ///< proved if none
};
// Rather than its bytes, which are other ones each time.
void PrintTo(const Case& one, std::ostream* out) { *out << one.theorem; }

void expect(const char* theorem, const std::vector<std::string>& knockouts, Answer expected,
            const char* kernel = "v7.3", const std::vector<std::string>& patches = {}) {
  const auto variant = model::make_variant(kernel, patches, knockouts);
  ASSERT_TRUE(find_theorem(theorem)->applies(variant));
  const Claim claim = decide(*find_theorem(theorem), variant, {});
  EXPECT_EQ(claim.answer, expected) << claim.theorem << " " << claim.variant << claim.reason;
  EXPECT_FALSE(claim.assumptions.empty());
  EXPECT_EQ(claim.execution.empty(), expected == Answer::proved);
}

/// Proves the theorem of v7.3, and refutes it without each of what it rests on.
void decide_all(const Case& one) {
  expect(one.theorem, {}, Answer::proved);
  for (const char* knockout : one.without) expect(one.theorem, {knockout}, Answer::refuted);
}

class MemoryTheoremsOf : public ::testing::TestWithParam<Case> {};
class SlowMemoryTheoremsOf : public ::testing::TestWithParam<Case> {};

TEST_P(MemoryTheoremsOf, AreProvedAndNeedWhatTheyRestOn) { decide_all(GetParam()); }
TEST_P(SlowMemoryTheoremsOf, AreProvedAndNeedWhatTheyRestOn) { decide_all(GetParam()); }

const auto kName = [](const auto& instance) {
  std::string name = instance.param.theorem;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
};

INSTANTIATE_TEST_SUITE_P(
    Table, MemoryTheoremsOf,
    ::testing::Values(
        Case{"memory-wakeup",
             {"wait-barrier", "wake-barrier", "waiters-before-check", "value-check-locked"}},
        Case{"memory-prctl-put", {"prctl-barrier", "put-barrier", "woken-barrier", "put-wake"}},
        Case{"memory-prctl-fold", {"fold-barrier", "fold-wake"}},
        Case{"memory-dead", {"begin-release", "dead-acquire"}},
        Case{"memory-unqueue", {"rehash-lock-ptr", "rehash-waiters", "rehash-old-lock"}},
        Case{"memory-reuse", {"wake-release", "wake-unlink-first"}},
        Case{"memory-requeue",
             {"requeue-count", "requeue-waiters", "requeue-key", "requeue-cmp",
              "requeue-target-lock", "wake-barrier"}},
        Case{"memory-fold", {"fold-grace-period", "put-preempt"}},
        Case{"memory-put-free", {"put-no-touch"}},
        Case{"memory-lookup-free", {"free-grace-period", "lookup-rcu"}}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    Table, SlowMemoryTheoremsOf,
    ::testing::Values(Case{"memory-pivot", {"rehash-move", "rehash-waiters"}},
                      Case{"memory-revive", {"publish-grace-period"}},
                      Case{"memory-requeue-done", {"rq-acquire"}},
                      Case{"memory-requeue-locked", {"rq-acquire", "rq-release"}}),
    kName);

// The finding about a waiter that meets its requeuer (docs/findings.md), and what would mend it.
TEST(SlowMemoryTheorems, AWaiterThatMeetsItsRequeuerSeesWhatItWroteOnlyByAnAcquire) {
  expect("memory-requeue-locked-met", {}, Answer::refuted);
  for (const char* theorem : {"memory-requeue-done-met", "memory-requeue-locked-met"}) {
    expect(theorem, {}, Answer::proved, "v7.3", {"requeue-pi-acquire"});
  }
  expect("memory-requeue-locked-met", {"rq-release"}, Answer::refuted, "v7.3",
         {"requeue-pi-acquire"});
}

// The put of these reads the table after its reference is given back: K11.
TEST(MemoryTheorems, APutReadsATableThatWasFreedBeforeV72) {
  expect("memory-put-free", {}, Answer::refuted, "v7.1");
  expect("memory-put-free", {}, Answer::proved, "v7.2");
}

// Minutes each: only where the environment asks for it.
class SlowDeepTheorems : public ::testing::TestWithParam<Case> {};

TEST_P(SlowDeepTheorems, AreProvedAndNeedWhatTheyRestOn) {
  if (std::getenv("FUTEXMC_DEEP") == nullptr) GTEST_SKIP() << "set FUTEXMC_DEEP to run it";
  decide_all(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Table, SlowDeepTheorems,
    ::testing::Values(Case{"memory-wakeup-two", {"wait-barrier", "wake-barrier"}},
                      Case{"memory-pivot-four", {"rehash-move", "put-wake", "prctl-barrier"}}),
    kName);

// A look at the word before the bucket is found may refuse, but not be what a waiter sleeps on.
TEST(MemoryTheorems, AnUnlockedMismatchOnlyRefuses) {
  const std::vector<std::string> patch = {"mismatch-precheck"};
  expect("memory-precheck", {}, Answer::proved, "v7.3", patch);
  expect("memory-precheck", {"value-check-locked"}, Answer::refuted, "v7.3", patch);
  EXPECT_FALSE(find_theorem("memory-precheck")->applies(model::make_variant("v7.3", {}, {})));
}

// The cookie is taken before the table is published. And a bucket says which table it is of.
TEST(SlowMemoryTheorems, ADeadTableComesBackToLifeBeforeV73) {
  expect("memory-revive", {}, Answer::refuted, "v7.1");
}

}  // namespace
}  // namespace futexmc::properties::proofs
