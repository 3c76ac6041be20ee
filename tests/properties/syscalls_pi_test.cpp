// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the PI calls return, and in which order they check: see syscalls_test.cpp. Thread i's id is
// i + 1. EFAULT does not happen, as words are mapped.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

struct Case {
  std::string name;
  std::string text;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class PiSystemCalls : public ::testing::TestWithParam<Case> {};

TEST_P(PiSystemCalls, Return) {
  const auto scenario = testing::parse(GetParam().text, GetParam().name + ".futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

/// One thread, whose id is 1, that calls `call` on word f of value `value`.
std::string alone(const std::string& value, const std::string& call, const std::string& condition,
                  const std::string& settings = "") {
  return "word f = " + value + "; hash private(2); " + settings +
         "thread t { int r = 1; r = " + call + "; } finally " + condition + ";";
}

const Case kLocks[] = {
    {"LockOfAFreeWord", alone("0", "futex_lock_pi(f)", "t.r == 0 && f == 1")},
    {"LockOfASharedWord", alone("0", "futex_lock_pi(f, shared)", "t.r == 0 && f == 1")},
    {"Lock2OfAFreeWord", alone("0", "futex_lock_pi2(f)", "t.r == 0 && f == 1")},
    {"LockKeepsTheMarkOfADeadOwner",
     alone("0x40000000", "futex_lock_pi(f)", "t.r == 0 && f == (FUTEX_OWNER_DIED | 1)")},
    {"LockDropsAStaleMarkOfWaiters",
     alone("0x80000000", "futex_lock_pi(f)", "t.r == 0 && f == 1")},
    {"LockOfMyOwnWord",
     alone("1", "futex_lock_pi(f, timeout)", "t.r == -EDEADLK && f == 1")},
    {"LockOfMyOwnWordWithMarks",
     alone("0xc0000001", "futex_lock_pi(f)", "t.r == -EDEADLK && f == 0xc0000001")},
    {"LockOfNobodysWord",
     alone("77", "futex_lock_pi(f)", "t.r == -ESRCH && f == (FUTEX_WAITERS | 77)")},
    {"LockWithoutMemory",
     alone("0", "futex_lock_pi(f)", "(t.r == -ENOMEM && f == 0) || (t.r == 0 && f == 1)",
           "budget alloc_fail 1; sometimes t.r == -ENOMEM;")},
    // The memory comes first, whatever the word says.
    {"LockOfMyOwnWordWithoutMemory",
     alone("1", "futex_lock_pi(f)", "t.r == -ENOMEM || t.r == -EDEADLK",
           "budget alloc_fail 1; sometimes t.r == -ENOMEM;")},
    {"LockThatTimesOut", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; r = futex_lock_pi(f, timeout); }
      thread owner { settle; }
      finally t.r == -ETIMEDOUT && f == (FUTEX_WAITERS | 2);)"},
    {"LockIsMadeAgainAfterASignal", R"(
      word f = 2; hash private(2); budget signal 1;
      thread t may_sleep { int r = 1; r = futex_lock_pi(f); }
      thread owner { settle; }
      finally asleep(t);)"},
    {"LockTimesOutAfterASignal", R"(
      word f = 2; hash private(2); budget signal 1;
      thread t { int r = 1; r = futex_lock_pi(f, timeout); }
      thread owner { settle; }
      finally t.r == -ETIMEDOUT;)"},
    // [3] of the kernel's table of states.
    {"LockOfAWordThatOthersWaitOn", R"(
      word f = 3; hash private(2);
      thread t { int r = 1; settle; r = futex_lock_pi(f); }
      thread waiter may_sleep { futex_wait(f, 3); }
      thread owner { }
      finally t.r == -EINVAL && f == 3 && asleep(waiter);)"},
    // The look at the word comes before that at the waiters.
    {"LockOfMyOwnWordThatOthersWaitOn", R"(
      word f = 1; hash private(2);
      thread t { int r = 1; settle; r = futex_lock_pi(f); }
      thread waiter may_sleep { futex_wait(f, 1); }
      finally t.r == -EDEADLK && asleep(waiter);)"},
    // [10]: the word names another than the pi_state.
    {"LockOfAWordThatLies", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; settle; store(f, FUTEX_WAITERS | 3); r = futex_lock_pi(f); }
      thread owner { }
      thread waiter may_sleep { futex_lock_pi(f); }
      finally t.r == -EINVAL && asleep(waiter);)"},
    // [9]: nobody clears the owner without FUTEX_OWNER_DIED.
    {"LockOfAWordThatLostItsOwner", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; settle; store(f, FUTEX_WAITERS); r = futex_lock_pi(f); }
      thread owner { }
      thread waiter may_sleep { futex_lock_pi(f); }
      finally t.r == -EINVAL && asleep(waiter);)"},
    // [6]: with it, it is the pi_state's that counts.
    {"LockOfAWordWhoseOwnerDied", R"(
      word f = 2; hash private(2);
      thread t may_sleep { int r = 1; settle;
        store(f, FUTEX_WAITERS | FUTEX_OWNER_DIED); r = futex_lock_pi(f); }
      thread owner { }
      thread waiter may_sleep { futex_lock_pi(f); }
      finally asleep(t) && asleep(waiter);)"},
};
INSTANTIATE_TEST_SUITE_P(Lock, PiSystemCalls, ::testing::ValuesIn(kLocks), name_of);

const Case kTrylocks[] = {
    {"TrylockOfAFreeWord", alone("0", "futex_trylock_pi(f)", "t.r == 0 && f == 1")},
    {"TrylockOfMyOwnWord", alone("1", "futex_trylock_pi(f)", "t.r == -EDEADLK && f == 1")},
    {"TrylockOfNobodysWord",
     alone("77", "futex_trylock_pi(f)", "t.r == -ESRCH && f == (FUTEX_WAITERS | 77)")},
    {"TrylockOfATakenWord", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; r = futex_trylock_pi(f); }
      thread owner { settle; }
      finally t.r == -EWOULDBLOCK && f == (FUTEX_WAITERS | 2);)"},
    {"TrylockOfATakenWordWithWaiters", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; settle; r = futex_trylock_pi(f); }
      thread owner { }
      thread waiter may_sleep { futex_lock_pi(f); }
      finally t.r == -EWOULDBLOCK && asleep(waiter);)"},
};
INSTANTIATE_TEST_SUITE_P(Trylock, PiSystemCalls, ::testing::ValuesIn(kTrylocks), name_of);

const Case kUnlocks[] = {
    {"UnlockOfMyWord", alone("1", "futex_unlock_pi(f)", "t.r == 0 && f == 0")},
    {"UnlockDropsTheMarks", alone("0xc0000001", "futex_unlock_pi(f)", "t.r == 0 && f == 0")},
    {"UnlockOfAFreeWord", alone("0", "futex_unlock_pi(f)", "t.r == -EPERM && f == 0")},
    {"UnlockOfAnothersWord",
     alone("0x80000002", "futex_unlock_pi(f)", "t.r == -EPERM && f == 0x80000002")},
    {"UnlockOfAWordThatOthersWaitOn", R"(
      word f = 1; hash private(2);
      thread t { int r = 1; settle; r = futex_unlock_pi(f); }
      thread waiter may_sleep { futex_wait(f, 1); }
      finally t.r == -EINVAL && f == 1 && asleep(waiter);)"},
    {"UnlockOfAWordThatLies", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; settle; store(f, FUTEX_WAITERS | 1); r = futex_unlock_pi(f); }
      thread owner { }
      thread waiter may_sleep { futex_lock_pi(f); }
      finally t.r == -EINVAL && asleep(waiter);)"},
    // That the word is not the caller's is found before who waits on it.
    {"UnlockOfAnothersWordThatOthersWaitOn", R"(
      word f = 2; hash private(2);
      thread t { int r = 1; settle; r = futex_unlock_pi(f); }
      thread waiter may_sleep { futex_wait(f, 2); }
      finally t.r == -EPERM && f == 2 && asleep(waiter);)"},
    {"UnlockHandsTheWordOver", R"(
      word f = 1; hash private(2);
      thread t { int r = 1; settle; r = futex_unlock_pi(f); }
      thread waiter { int r = 1; r = futex_lock_pi(f); }
      finally t.r == 0 && waiter.r == 0 && f == (FUTEX_WAITERS | 2);)"},
    {"UnlockMeetsAMarkOfWaiters", R"(
      word f = 1; hash private(2);
      thread t { int r = 1; r = futex_unlock_pi(f); }
      thread waiter { futex_lock_pi(f, timeout); }
      sometimes t.r == -EAGAIN && f == (FUTEX_WAITERS | 1);
      finally t.r == 0 || t.r == -EAGAIN;)"},
};
INSTANTIATE_TEST_SUITE_P(Unlock, PiSystemCalls, ::testing::ValuesIn(kUnlocks), name_of);

/// One waiter on `cond` for f, asleep, and a thread of id 2 that then calls `call`.
std::string requeueing(const std::string& words, const std::string& call,
                       const std::string& condition) {
  return words + " hash private(2);"
         "thread waiter may_sleep { int r = 1; r = futex_wait_requeue_pi(cond, 0, f); }"
         "thread t { int n = 1; settle; n = " + call + "; }"
         "finally " + condition + ";";
}

const std::string kFree = "word cond = 0; word f = 0; word g = 0;";
const std::string kTaken = "word cond = 0; word f = 2; word g = 0;";

const Case kRequeues[] = {
    {"WaitRequeuePiOnOneWord",
     alone("0", "futex_wait_requeue_pi(f, 0, f)", "t.r == -EINVAL")},
    // That comes before the value.
    {"WaitRequeuePiOnOneWordOfAnotherValue",
     alone("5", "futex_wait_requeue_pi(f, 0, f)", "t.r == -EINVAL")},
    {"WaitRequeuePiOnAnotherValue",
     alone("5", "futex_wait_requeue_pi(f, 0, g)", "t.r == -EWOULDBLOCK", "word g = 0;")},
    {"WaitRequeuePiTimesOut",
     alone("0", "futex_wait_requeue_pi(f, 0, g, timeout)", "t.r == -ETIMEDOUT && g == 0",
           "word g = 0;")},
    {"CmpRequeuePiOnOneWord",
     alone("0", "futex_cmp_requeue_pi(f, 1, 1, f, 0)", "t.r == -EINVAL")},
    {"CmpRequeuePiWakesOne",
     alone("0", "futex_cmp_requeue_pi(f, 2, 1, g, 0)", "t.r == -EINVAL", "word g = 0;")},
    {"CmpRequeuePiWakesOneAtLeast",
     alone("0", "futex_cmp_requeue_pi(f, 0, 1, g, 0)", "t.r == -EINVAL", "word g = 0;")},
    {"CmpRequeuePiOfLessThanNone",
     alone("0", "futex_cmp_requeue_pi(f, 1, -1, g, 0)", "t.r == -EINVAL", "word g = 0;")},
    {"CmpRequeuePiOnAnotherValue",
     alone("5", "futex_cmp_requeue_pi(f, 1, 1, g, 0)", "t.r == -EAGAIN", "word g = 0;")},
    {"CmpRequeuePiWithoutWaiters",
     alone("0", "futex_cmp_requeue_pi(f, 1, 1, g, 0)", "t.r == 0 && g == 0", "word g = 0;")},
    // The memory comes before the words, but not before the numbers.
    {"CmpRequeuePiWithoutMemory",
     alone("5", "futex_cmp_requeue_pi(f, 1, 1, g, 0)", "t.r == -ENOMEM || t.r == -EAGAIN",
           "word g = 0; budget alloc_fail 1; sometimes t.r == -ENOMEM;")},
    {"CmpRequeuePiOfTwoWithoutMemory",
     alone("5", "futex_cmp_requeue_pi(f, 2, 1, g, 0)", "t.r == -EINVAL",
           "word g = 0; budget alloc_fail 1;")},
    {"CmpRequeuePiToAFreeWord",
     requeueing(kFree, "futex_cmp_requeue_pi(cond, 1, 0, f, 0)",
                "t.n == 1 && waiter.r == 0 && f == 1")},
    // To requeue more, the first has to be known to the kernel.
    {"CmpRequeuePiOfMoreToAFreeWord",
     requeueing(kFree, "futex_cmp_requeue_pi(cond, 1, 1, f, 0)",
                "t.n == 1 && waiter.r == 0 && f == (FUTEX_WAITERS | 1)")},
    {"CmpRequeuePiToATakenWord",
     requeueing(kTaken, "futex_cmp_requeue_pi(cond, 1, 0, f, 0)",
                "t.n == 1 && asleep(waiter) && f == (FUTEX_WAITERS | 2)")},
    {"CmpRequeuePiToAnotherWord",
     requeueing(kFree, "futex_cmp_requeue_pi(cond, 1, 0, g, 0)",
                "t.n == -EINVAL && asleep(waiter) && g == 0")},
    {"CmpRequeuePiToNobodysWord",
     requeueing("word cond = 0; word f = 77;", "futex_cmp_requeue_pi(cond, 1, 0, f, 0)",
                "t.n == -ESRCH && asleep(waiter) && f == (FUTEX_WAITERS | 77)")},
    {"CmpRequeuePiToTheWaitersOwnWord",
     requeueing("word cond = 0; word f = 1;", "futex_cmp_requeue_pi(cond, 1, 0, f, 0)",
                "t.n == -EDEADLK && asleep(waiter) && f == 1")},
    {"WakeOfAWaiterForRequeuePi",
     requeueing(kFree, "futex_wake(cond, 1)", "t.n == -EINVAL && asleep(waiter)")},
    {"RequeueOfAWaiterForRequeuePi",
     requeueing(kFree, "futex_cmp_requeue(cond, 1, 1, g, 0)", "t.n == -EINVAL && asleep(waiter)")},
    {"CmpRequeuePiOfAPlainWaiter", R"(
      word cond = 0; word f = 0; hash private(2);
      thread waiter may_sleep { futex_wait(cond, 0); }
      thread t { int n = 1; settle; n = futex_cmp_requeue_pi(cond, 1, 0, f, 0); }
      finally t.n == -EINVAL && asleep(waiter) && f == 0;)"},
};
INSTANTIATE_TEST_SUITE_P(Requeue, PiSystemCalls, ::testing::ValuesIn(kRequeues), name_of);

/// Two waiters that are asleep, and an owner that hands the word on.
TEST(PiSystemCalls, UnlocksGoByPriority) {
  const auto scenario = testing::parse(R"(
    word f = 1; word turn = 0; hash private(2);
    thread owner priority 9 { settle; futex_unlock_pi(f); }
    thread low { int at = 0; futex_lock_pi(f); at = fetch_add(turn, 1); futex_unlock_pi(f); }
    thread high priority 2 { int at = 0; futex_lock_pi(f); at = fetch_add(turn, 1);
      futex_unlock_pi(f); }
    finally f == 0 && high.at == 0 && low.at == 1;)", "priorities.futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}

}  // namespace
}  // namespace futexmc::properties
