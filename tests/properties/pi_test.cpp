// SPDX-License-Identifier: GPL-2.0-or-later
//
// Known faults of PI futexes: each is found in its faulty form, and v7.3 is clean.
#include <fmt/format.h>

#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using Names = std::set<std::string>;

Names violations(const std::string& scenario, const model::Variant& variant) {
  const auto result = testing::search(testing::load(scenario), variant);
  EXPECT_TRUE(result.complete()) << scenario;
  return testing::violated(result);
}

// The drafts of the bucket reference put the reference of a lock that blocks twice.
TEST(Pi, DraftsPutTheReferenceOfABlockedLockTwice) {
  for (const char* scenario : {"pi-block-resize", "pi-timeout-resize"}) {
    EXPECT_EQ(violations(scenario, testing::v7_3()), Names{}) << scenario;
    EXPECT_EQ(violations(scenario, testing::with_patch("bucket-ref")), Names{}) << scenario;
    for (const char* draft : {"bucket-ref-draft-1", "bucket-ref-draft-2"}) {
      const Names found = violations(scenario, testing::with_patch(draft));
      EXPECT_TRUE(found.contains("refcount")) << scenario << " on " << draft;
      EXPECT_TRUE(found.contains("lifetime")) << scenario << " on " << draft;
    }
  }
  // It takes a waiter that blocks.
  EXPECT_EQ(violations("wake-global", testing::with_patch("bucket-ref-draft-2")), Names{});
}

// Before v7.2 the put reads the table after the last reference, here too.
TEST(Pi, OlderKernelsHaveTheirFaultsHere) {
  EXPECT_EQ(violations("pi-timeout-resize", model::make_variant("v7.1", {}, {})),
            Names{"lifetime"});
  EXPECT_EQ(violations("pi-timeout-resize", model::make_variant("v7.2", {}, {})), Names{});
  for (const char* scenario : {"pi-lock", "pi-timeout", "requeue-pi", "requeue-pi-timeout"}) {
    EXPECT_EQ(violations(scenario, model::make_variant("v6.12", {}, {})), Names{}) << scenario;
    EXPECT_EQ(violations(scenario, model::make_variant("v7.1", {}, {})), Names{}) << scenario;
  }
}

TEST(Pi, HoldsWithStoreBuffers) {
  model::Variant variant = testing::v7_3();
  variant.memory = checker::Memory::tso;
  for (const char* scenario : {"pi-lock", "pi-unlock", "pi-timeout", "pi-deadlock", "pi-signal",
                               "requeue-pi", "requeue-pi-timeout", "requeue-pi-deadlock"}) {
    EXPECT_EQ(violations(scenario, variant), Names{}) << scenario;
  }
}

// It takes a fourth thread, which waits for a lock of who moved on: `middle` waits for f, of
// `low`, which waited for g, has it now, has given f away and waits for it again.
Names violations_of(const char* text, const std::vector<std::string>& knockouts = {}) {
  const auto result = testing::search(testing::parse(text, "inline"),
                                      model::make_variant("v7.3", {}, knockouts));
  EXPECT_TRUE(result.complete());
  return testing::violated(result);
}

// docs/findings.md: the word has changed by FUTEX_WAITERS alone, and the unlock is not tried again.
TEST(Pi, AnUnlockOfAWordWhoseOwnerDied) {
  constexpr const char* kText =
      "word f = {}; hash private(2);"
      "thread a {{ int r = futex_unlock_pi(f); }}"
      "thread b may_sleep {{ int r = futex_lock_pi(f); }}"
      "never a.r == -EINVAL;";
  EXPECT_EQ(violations_of(fmt::format(fmt::runtime(kText), "0x40000001").c_str()),
            Names{"condition"});
  EXPECT_EQ(violations_of(fmt::format(fmt::runtime(kText), "1").c_str()), Names{});
}

// A PI word that user space has the kernel change is user space's own affair, like a store.
TEST(Pi, WakeOpOnAWordWithWaitersIsTheProgramsError) {
  EXPECT_EQ(violations_of("word f = 0; word g = 0; hash private(2);"
                          "thread a may_sleep { int r = futex_lock_pi(f);"
                          "  int z = futex_wake_op(g, 1, 1, f, set, 0, eq, 0); }"
                          "thread b may_sleep { int r = futex_lock_pi(f);"
                          "  r = futex_unlock_pi(f); }"),
            Names{});
}

TEST(Pi, FlagsAreLookedAtBeforeTheWord) {
  EXPECT_EQ(violations_of("word f = 0; word g = 0; hash private(2);"
                          "thread a { int r = futex_lock_pi(f, flags 0x100);"
                          "  int s = futex_unlock_pi(f, flags 0x100);"
                          "  int t = futex_trylock_pi(f, flags 0x7f000000);"
                          "  int u = futex_cmp_requeue_pi(g, 1, 0, f, 0, flags 0x100);"
                          "  int v = futex_lock_pi2(f, flags 0x100); }"
                          "finally a.r == -ENOSYS && a.s == -ENOSYS && a.t == -ENOSYS &&"
                          "  a.u == -ENOSYS && a.v == 0;"),
            Names{});
}

// Whoever unlocks finds a waiter that has gone: a fault of its own, not the checker's.
TEST(Pi, AWaiterThatIsGoneIsALifetimeViolation) {
  const auto result =
      testing::search(testing::load("requeue-pi-signal"), testing::with_knockout("rq-wait"));
  EXPECT_TRUE(result.complete());
  EXPECT_TRUE(result.violated("lifetime"));
}

TEST(SlowPi, AWalkStopsWhereTheChainHasChanged) {
  const auto scenario = testing::parse(R"(
      word f = 2; word g = 1; hash private(2);
      thread high priority 3 may_sleep { futex_unlock_pi(g); futex_lock_pi(f); }
      thread low may_sleep { futex_lock_pi(g); futex_unlock_pi(f); futex_lock_pi(f); }
      thread middle priority 2 may_sleep { int r = 1; r = futex_lock_pi(f); }
      thread other may_sleep { futex_lock_pi(g); }
      never middle.r == -EDEADLK;)", "chain.futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
  EXPECT_TRUE(testing::search(scenario, testing::with_knockout("rt-chain-changed"))
                  .violated("condition"));
}

struct Fault {
  std::string name;
  std::string scenario;
  std::vector<std::string> knockouts;
  std::string property;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class KnownFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(KnownFaults, AreFoundAndAbsentWithout) {
  const Fault& fault = GetParam();
  const auto variant = model::make_variant("v7.3", {}, fault.knockouts);
  EXPECT_TRUE(violations(fault.scenario, variant).contains(fault.property));
  EXPECT_EQ(violations(fault.scenario, testing::v7_3()), Names{});
}

const Fault kFaults[] = {
    {"HandOffWithoutAReference", "pi-timeout-resize", {"pi-handoff"}, "lifetime"},
    {"ReverseLockSteal", "pi-steal", {"pi-fixup-lost"}, "pi-owner"},
    {"UnlockMeetsTheWaitersBit", "pi-unlock", {"pi-unlock-again"}, "lost-wakeup"},
    {"BlindUnlock", "pi-unlock", {"pi-unlock-blind"}, "lost-wakeup"},
    {"WokenBeforeThePiState", "requeue-pi-timeout", {"rq-wait"}, "lifetime"},
    {"RequeueToTheSameWord", "requeue-pi-same", {"rq-same", "rq-twice"}, "warn"},
};
std::string name_of(const ::testing::TestParamInfo<Fault>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Pi, KnownFaults, ::testing::ValuesIn(kFaults), name_of);

}  // namespace
}  // namespace futexmc::properties
