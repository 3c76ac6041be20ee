// SPDX-License-Identifier: GPL-2.0-or-later
//
// What v7.3 itself violates (docs/findings.md): a default size that was computed before the hash
// was replaced, and is installed after. The scenario clone-set-slots-race has the first form.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using Names = std::set<std::string>;

Names messages(const char* text, const model::Variant& variant = testing::v7_3()) {
  const auto result = testing::search(testing::parse(text, "inline"), variant);
  EXPECT_TRUE(result.complete());
  Names found;
  for (const auto& finding : result.findings) {
    found.insert(finding.property + ": " + finding.message);
  }
  return found;
}

// SET_SLOTS returned 0, and the clone's default replaces what it installed.
TEST(Findings, ADefaultReplacesTheUsersChoice) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 4;
      thread main { clone(helper); }
      thread tuner { int r = 0; r = SET_SLOTS(2); }
      thread helper cloned { }
      finally tuner.r == 0;)"),
            Names{"size-policy: the user's choice is given up for a default, which was installed"});
}

// The same with the global hash, which the test under the mutex protects: but clone() fails.
TEST(Findings, ACloneFailsWhenTheGlobalHashIsChosen) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 4;
      thread main { int r = 0; r = clone(helper); }
      thread tuner { SET_SLOTS(0); }
      thread helper cloned { }
      sometimes main.r == 0;
      sometimes main.r == -EBUSY;
      finally slots() == 0;)"),
            Names{});
}

TEST(SlowFindings, ADefaultShrinksTheHash) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 8;
      thread a { clone(c); }
      thread b { clone(d); clone(e); }
      thread c cloned { }
      thread d cloned { }
      thread e cloned { })"),
            Names{"size-policy: a default is given up for a smaller one, which was installed"});
}

/// A waiter that was moved is not found on the word that it was moved to.
constexpr const char* kMovedBack = R"(
    word f = 0; word g = 0; hash global;
    thread waiter { futex_wait(f, 0); }
    thread requeuer {
      int n = 0;
      n = futex_requeue(f, 0, 1, g);
      if (n == 1) { futex_wake(g, 1); } else { store(f, 1); futex_wake(f, 1); }
    })";

// Between the two chains its entry is on none. It takes that for a wakeup, finds that it was none,
// and waits on the first word again.
TEST(Findings, AMovedWaiterGoesBackToTheFirstWord) {
  EXPECT_EQ(messages(kMovedBack), Names{"lost-wakeup: waiter sleeps for ever in futex_wait(f)"});
}

TEST(Findings, AMovedWaiterThatDoesNotLookAtTheListStays) {
  EXPECT_EQ(messages(kMovedBack, testing::with_knockout("wait-list-test")), Names{});
}

/// A waiter on two words is moved from the first while the second's page is brought in.
constexpr const char* kKeyOnce = R"(
    word f = 0; word g = 0; word h = 0; hash global; budget fault 1;
    thread waiter { futex_waitv(f, 0, g, 0); }
    thread requeuer {
      futex_requeue(f, 0, 1, h);
      futex_wake(h, 1);
      store(f, 1);
      futex_wake(f, 1);
    })";

// The set-up starts again with the key that the requeue has left: the value of the first word is
// tested, and the waiter queued as one of the third.
TEST(Findings, AWaitOnTwoWordsKeepsTheKeyOfARequeue) {
  EXPECT_EQ(messages(kKeyOnce), Names{"lost-wakeup: waiter sleeps for ever in futex_waitv(h, g)"});
}

TEST(Findings, AWaitOnTwoWordsThatComputesItsKeysAgainIsWoken) {
  EXPECT_EQ(messages(kKeyOnce, testing::with_knockout("waitv-key-once")), Names{});
}

// The waiter that waits for a requeue to be done reads its pi_state by nothing that orders it.
TEST(Findings, ARequeuedWaiterReadsItsPiStateUnordered) {
  const std::string race = "futex_q.pi_state: a plain read in futex_wait_requeue_pi() is not "
                           "ordered with a write in futex_requeue_pi_prepare()";
  const auto result = testing::search_for("race", testing::load("requeue-pi"), testing::v7_3());
  EXPECT_TRUE(result.complete());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].property, "race");
  EXPECT_EQ(result.findings[0].message, race);
}

// The result of the last waiter, 1 because it stole the lock, is taken for the number of all. It
// stole it because it has the priority of one that waits for another lock of its.
TEST(Findings, ARequeueThatEndsWithATheftGivesOne) {
  EXPECT_EQ(messages(R"(
      word cond = 0; word f = 1; word g = 4; hash private(2);
      thread main priority 9 {
        int n = 0;
        settle;
        futex_unlock_pi(f);
        n = futex_cmp_requeue_pi(cond, 1, INT_MAX, f, 0);
      }
      thread w priority 3 may_sleep { futex_lock_pi(f); }
      thread first priority 2 may_sleep { futex_wait_requeue_pi(cond, 0, f); }
      thread second may_sleep { futex_wait_requeue_pi(cond, 0, f); }
      thread high priority 5 may_sleep { futex_lock_pi(g); }
      sometimes main.n == 1;
      sometimes main.n == 2;
      finally main.n == 2;)"),
            Names{"condition: finally (main.n == 2) is false"});
}

}  // namespace
}  // namespace futexmc::properties
