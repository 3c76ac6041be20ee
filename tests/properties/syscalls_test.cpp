// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the system calls return, as small scenarios whose conditions say it. The source is futex(2),
// PR_FUTEX_HASH(2const) and the functions in kernel/futex/ that the model follows.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

struct Case {
  std::string name;
  std::string text;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class SystemCalls : public ::testing::TestWithParam<Case> {};

TEST_P(SystemCalls, Return) {
  const auto scenario = testing::parse(GetParam().text, GetParam().name + ".futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

const Case kWaits[] = {
    {"WaitOnAnotherValue", R"(
      word f = 1;
      thread t {
        int private_key = 0; int shared_key = 0;
        private_key = futex_wait(f, 0);
        shared_key = futex_wait(f, 0, shared, timeout);
      }
      finally t.private_key == -EAGAIN && t.shared_key == -EAGAIN;)"},
    {"WaitOnAnotherValueInAPrivateHash", R"(
      word f = 1; hash private(2);
      thread t { int r = 0; r = futex_wait(f, 0); }
      finally t.r == -EAGAIN;)"},
    {"WaitComparesThirtyTwoBits", R"(
      word f = 0xffffffff;
      thread t { int r = 0; r = futex_wait(f, -1, timeout); }
      finally t.r == -ETIMEDOUT;)"},
    {"WaitForNoBits", R"(
      word f = 0; word g = 1;
      thread t {
        int equal = 0; int differs = 0;
        equal = futex_wait(f, 0, bitset 0);
        differs = futex_wait(g, 0, bitset 0);
      }
      finally t.equal == -EINVAL && t.differs == -EINVAL;)"},
    {"WaitTimesOut", R"(
      word f = 0;
      thread t { int r = 0; r = futex_wait(f, 0, timeout); }
      finally t.r == -ETIMEDOUT;)"},
    {"WaitTimesOutOrIsWoken", R"(
      word f = 0; hash private(2);
      thread t { int r = 0; r = futex_wait(f, 0, timeout); }
      thread waker { int n = 0; store(f, 1); n = futex_wake(f, 1); }
      sometimes t.r == -ETIMEDOUT; sometimes t.r == -EAGAIN; sometimes t.r == 0;
      finally waker.n == (t.r == 0);)"},
    {"WaitIsInterrupted", R"(
      word f = 0; hash private(2); budget signal 1;
      thread t may_sleep { int r = 1; r = futex_wait(f, 0); }
      sometimes t.r == -EINTR;
      finally t.r == -EINTR || asleep(t);)"},
    {"WaitGoesOnAfterASpuriousWakeup", R"(
      word f = 0; budget spurious 2;
      thread t may_sleep { futex_wait(f, 0); }
      finally asleep(t);)"},
};
INSTANTIATE_TEST_SUITE_P(Wait, SystemCalls, ::testing::ValuesIn(kWaits), name_of);

/// Two waiters of f and one of g that are asleep, and a thread that then calls `call`.
std::string waking(const std::string& call, const std::string& condition) {
  return "word f = 0; word g = 0; hash private(2); collide f, g;"
         "thread a may_sleep { futex_wait(f, 0, bitset 1); }"
         "thread b may_sleep { futex_wait(f, 0, bitset 2); }"
         "thread c may_sleep { futex_wait(g, 0); }"
         "thread waker { int n = 0; settle; n = " + call + "; }"
         "finally asleep(c) && " + condition + ";";
}

const Case kWakes[] = {
    // "++ret >= nr_wake" comes after the wake: the man page's "at most" is at least one.
    {"WakeOfNoneStillWakesOne", waking("futex_wake(f, 0)", "waker.n == 1 && "
                                       "asleep(a) + asleep(b) == 1")},
    {"WakeOfOne", waking("futex_wake(f, 1)", "waker.n == 1 && asleep(a) + asleep(b) == 1")},
    {"WakeOfTwo", waking("futex_wake(f, 2)", "waker.n == 2 && finished(a) && finished(b)")},
    {"WakeOfAll", waking("futex_wake(f, INT_MAX)", "waker.n == 2 && finished(a) && finished(b)")},
    {"WakeOfBits", waking("futex_wake(f, INT_MAX, bitset 2)",
                          "waker.n == 1 && asleep(a) && finished(b)")},
    {"WakeOfOtherBits", waking("futex_wake(f, INT_MAX, bitset 4)",
                               "waker.n == 0 && asleep(a) && asleep(b)")},
    {"WakeOfNoBits", waking("futex_wake(f, 1, bitset 0)",
                            "waker.n == -EINVAL && asleep(a) && asleep(b)")},
    {"WakeOfASharedKey", waking("futex_wake(f, INT_MAX, shared)",
                                "waker.n == 0 && asleep(a) && asleep(b)")},
};
INSTANTIATE_TEST_SUITE_P(Wake, SystemCalls, ::testing::ValuesIn(kWakes), name_of);

const Case kSlots[] = {
    {"SlotsThatAreNoPowerOfTwo", R"(
      hash private(2);
      thread t {
        int one = 0; int three = 0; int huge = 0;
        one = SET_SLOTS(1); three = SET_SLOTS(3); huge = SET_SLOTS(-1);
      }
      finally t.one == -EINVAL && t.three == -EINVAL && t.huge == -EINVAL && slots() == 2;)"},
    {"SlotsGrowAndShrink", R"(
      hash private(2);
      thread t {
        int before = 0; int r = 0; int four = 0; int s = 0; int two = 0;
        before = GET_SLOTS();
        r = SET_SLOTS(4); four = GET_SLOTS();
        s = SET_SLOTS(2); two = GET_SLOTS();
      }
      finally t.before == 2 && t.r == 0 && t.four == 4 && t.s == 0 && t.two == 2;)"},
    {"SlotsOfAProcessWithoutAHash", R"(
      thread t { int before = 1; int r = 1; int after = 1;
        before = GET_SLOTS(); r = SET_SLOTS(8); after = GET_SLOTS(); }
      finally t.before == 0 && t.r == 0 && t.after == 8;)"},
    {"TheGlobalHashIsForGood", R"(
      hash private(2);
      thread t {
        int zero = 1; int now = 1; int four = 0; int again = 0; int three = 0;
        zero = SET_SLOTS(0); now = GET_SLOTS();
        four = SET_SLOTS(4); again = SET_SLOTS(0); three = SET_SLOTS(3);
      }
      finally t.zero == 0 && t.now == 0 && t.four == -EBUSY && t.again == -EBUSY
           && t.three == -EINVAL && slots() == 0;)"},
    {"TheGlobalHashFromTheStart", R"(
      hash global;
      thread t { int get = 1; int set = 0; get = GET_SLOTS(); set = SET_SLOTS(2); }
      finally t.get == 0 && t.set == -EBUSY;)"},
};
INSTANTIATE_TEST_SUITE_P(Slots, SystemCalls, ::testing::ValuesIn(kSlots), name_of);

/// Three threads created one after the other; a wake lets a pending table in. `settings` come on
/// top, and the sizes after each clone are main.first, main.second and main.third.
std::string cloning(const std::string& settings, const std::string& before,
                    const std::string& condition) {
  return "word f = 0; " + settings +
         "thread main { int first = 0; int second = 0; int third = 0; " + before +
         "  clone(a); settle; futex_wake(f, 1); first = GET_SLOTS();"
         "  clone(b); settle; futex_wake(f, 1); second = GET_SLOTS();"
         "  clone(c); settle; futex_wake(f, 1); third = GET_SLOTS(); }"
         "thread a cloned may_sleep { futex_wait(f, 1); futex_wait(g, 0); }"
         "thread b cloned may_sleep { futex_wait(g, 0); }"
         "thread c cloned may_sleep { futex_wait(g, 0); }"
         "word g = 0;"
         "finally " + condition + ";";
}

const Case kClones[] = {
    {"CloneCountsTheThreadsThereWere",
     cloning("sizing minimum 2, per_thread 2, maximum 8;", "",
             "main.first == 2 && main.second == 4 && main.third == 8")},
    {"CloneKeepsToTheMaximum",
     cloning("sizing minimum 2, per_thread 2, maximum 4;", "",
             "main.first == 2 && main.second == 4 && main.third == 4")},
    {"CloneCountsNoMoreThreadsThanCpus",
     cloning("cpus 2; sizing minimum 2, per_thread 2, maximum 8;", "",
             "main.first == 2 && main.second == 4 && main.third == 4")},
    {"CloneLeavesTheUsersChoice",
     cloning("sizing minimum 2, per_thread 2, maximum 8;", "SET_SLOTS(2);",
             "main.first == 2 && main.second == 2 && main.third == 2")},
    {"CloneLeavesTheGlobalHash",
     cloning("sizing minimum 2, per_thread 2, maximum 8;", "SET_SLOTS(0);",
             "main.first == 0 && main.second == 0 && main.third == 0")},
    {"CloneRunsAThreadOnce", R"(
      thread main { int r = 1; int again = 0; r = clone(a); again = clone(a); }
      thread a cloned { settle; }
      finally main.r == 0 && main.again == -EAGAIN && finished(a);)"},
};
INSTANTIATE_TEST_SUITE_P(Clone, SystemCalls, ::testing::ValuesIn(kClones), name_of);

}  // namespace
}  // namespace futexmc::properties
