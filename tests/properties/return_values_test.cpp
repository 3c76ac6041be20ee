// SPDX-License-Identifier: GPL-2.0-or-later
//
// What operations on two and more words, and futex2's, return: every error that the model can give,
// in the kernel's order of checks, and the counts. The source is futex(2) and kernel/futex/.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

struct Row {
  std::string name;
  std::string call;
  std::string result;    ///< what it returns
  std::string then = {};  ///< what else holds in the end
  std::string settings = {};
};

void PrintTo(const Row& one, std::ostream* out) { *out << one.name; }

/// Two waiters of f, of bits 1 and 2, and one of g that are asleep, then a thread makes the call.
std::string scenario_of(const Row& row) {
  return "word f = 5; word g = 7; word h = 0xffffffff; word gone = 0 unmapped;"
         "word odd = 0 misaligned; hash private(2); " + row.settings +
         "thread a may_sleep { futex_wait(f, 5, bitset 1); }"
         "thread b may_sleep { futex_wait(f, 5, bitset 2); }"
         "thread c may_sleep { futex_wait(g, 7); }"
         "thread t { int r = 0; settle; r = " + row.call + "; }"
         "finally t.r == (" + row.result + ");" +
         (row.then.empty() ? "" : "finally " + row.then + ";");
}

class ReturnValues : public ::testing::TestWithParam<Row> {};

TEST_P(ReturnValues, AreTheKernels) {
  const auto scenario = testing::parse(scenario_of(GetParam()), GetParam().name + ".futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}

std::string name_of(const ::testing::TestParamInfo<Row>& info) { return info.param.name; }

const std::string kAllAsleep = "asleep(a) && asleep(b) && asleep(c)";

const Row kRequeues[] = {
    // do_futex(): flags before the command, both before the numbers.
    {"RequeueClock", "futex_requeue(f, -1, 1, g, flags 0x100)", "-ENOSYS", kAllAsleep},
    {"RequeueList32", "futex_requeue(f, -1, 1, g, flags 0x400)", "-EINVAL", kAllAsleep},
    {"RequeueOfNoCommand", "futex_requeue(f, 1, 1, g, flags 0x20)", "-ENOSYS", kAllAsleep},
    {"RequeueNegativeWake", "futex_requeue(f, -1, 1, g)", "-EINVAL", kAllAsleep},
    {"RequeueNegativeRequeue", "futex_requeue(f, 1, -1, g)", "-EINVAL", kAllAsleep},
    {"CmpRequeueNegativeBeforeTheValue", "futex_cmp_requeue(f, 0, -1, g, 0)", "-EINVAL"},
    {"CmpRequeueDiffers", "futex_cmp_requeue(f, 1, 1, g, 6)", "-EAGAIN", kAllAsleep},
    {"CmpRequeueDiffersWithNothingToDo", "futex_cmp_requeue(h, 0, 0, g, 6)", "-EAGAIN"},
    {"CmpRequeueComparesThirtyTwoBits", "futex_cmp_requeue(h, 1, 1, g, -1)", "0", kAllAsleep},
    {"RequeueDoesNotCompare", "futex_requeue(f, 0, 1, g)", "1", kAllAsleep},
    // Counts: the woken and the moved together. 0 is none, unlike for futex_wake().
    {"RequeueOfNone", "futex_requeue(f, 0, 0, g)", "0", kAllAsleep},
    {"RequeueWakesOne", "futex_requeue(f, 1, 0, g)", "1", "asleep(a) + asleep(b) == 1"},
    {"RequeueWakesOneMovesOne", "futex_requeue(f, 1, 1, g)", "2", "asleep(a) + asleep(b) == 1"},
    {"RequeueWakesAll", "futex_requeue(f, INT_MAX, 0, g)", "2", "finished(a) && finished(b)"},
    {"RequeueMovesAll", "futex_requeue(f, 0, INT_MAX, g)", "2", kAllAsleep},
    {"RequeueWakesAnyBits", "futex_cmp_requeue(f, 2, 0, g, 5)", "2", "asleep(c)"},
    {"RequeueOfASharedKey", "futex_requeue(f, 1, 1, g, shared)", "0", kAllAsleep},
    {"RequeueOntoTheSameWord", "futex_requeue(f, 0, 2, f)", "2", kAllAsleep},
    {"RequeueKeepsTheBits",
     "futex_requeue(f, 0, 2, h) + 10 * futex_wake(h, 2, bitset 2)", "12",
     "asleep(a) && finished(b)"},
    {"RequeuedAreTheOthersWaiters",
     "futex_requeue(f, 0, 2, g) + 10 * futex_wake(f, 2) + 100 * futex_wake(g, INT_MAX)", "302"},
    {"CmpRequeueOfAnAbsentPage", "futex_cmp_requeue(f, 0, 2, g, 5)", "2", "", "budget fault 1;"},
};
INSTANTIATE_TEST_SUITE_P(Requeue, ReturnValues, ::testing::ValuesIn(kRequeues), name_of);

/// The old value of h is -1.
const Row kWakeOps[] = {
    {"WakeOpClock", "futex_wake_op(f, 1, 1, h, 5, 0, eq, 0, flags 0x100)", "-ENOSYS"},
    // Unknown operators are refused before the word changes, comparisons after.
    {"WakeOpOperatorFive", "futex_wake_op(f, 1, 1, h, 5, 0, eq, 0)", "-ENOSYS",
     kAllAsleep + " && h == 0xffffffff"},
    {"WakeOpOperatorSeven", "futex_wake_op(f, 1, 1, h, 7 | shift, 0, 9, 0)", "-ENOSYS",
     kAllAsleep + " && h == 0xffffffff"},
    {"WakeOpComparisonSix", "futex_wake_op(f, 1, 1, h, set, 3, 6, 0)", "-ENOSYS",
     kAllAsleep + " && h == 3"},
    {"WakeOpComparisonFifteen", "futex_wake_op(f, 1, 1, h, xor, 1, 15, 0)", "-ENOSYS",
     kAllAsleep + " && h == 0xfffffffe"},
    {"WakeOpSet", "futex_wake_op(h, 1, 1, h, set, 2047, eq, -1)", "0", "h == 2047"},
    {"WakeOpSetsASign", "futex_wake_op(h, 1, 1, h, set, 2048, eq, -1)", "0", "h == 0xfffff800"},
    {"WakeOpAdds", "futex_wake_op(h, 1, 1, g, add, -8, eq, 7)", "1", "g == 0xffffffff"},
    {"WakeOpOrs", "futex_wake_op(h, 1, 1, g, or, 24, ne, 7)", "0", "g == 31"},
    {"WakeOpAndsNot", "futex_wake_op(h, 1, 1, g, andn, 5, lt, 8)", "1", "g == 2"},
    {"WakeOpXors", "futex_wake_op(h, 1, 1, g, xor, -1, ge, 7)", "1", "g == 0xfffffff8"},
    {"WakeOpShifts", "futex_wake_op(h, 1, 1, g, set | shift, 31, gt, 7)", "0", "g == 0x80000000"},
    {"WakeOpShiftsModulo", "futex_wake_op(h, 1, 1, g, set | shift, 33, le, 7)", "1", "g == 2"},
    {"WakeOpShiftsByMinusOne", "futex_wake_op(h, 1, 1, g, set | shift, -1, le, 6)", "0",
     "g == 0x80000000"},
    {"WakeOpComparesSigned", "futex_wake_op(g, 1, 2, h, add, 0, lt, 0)", "1", "finished(c)"},
    {"WakeOpComparesSignedAgain", "futex_wake_op(h, 1, 2, f, add, 0, gt, -2048)", "2",
     "asleep(c)"},
    {"WakeOpOnBoth", "futex_wake_op(f, 2, 1, g, add, 0, eq, 7)", "3"},
    {"WakeOpOnTheFirst", "futex_wake_op(f, 2, 1, g, add, 0, ne, 7)", "2", "asleep(c)"},
    {"WakeOpOfNoneStillWakesOneOfEach", "futex_wake_op(f, 0, 0, g, add, 0, eq, 7)", "2",
     "asleep(a) + asleep(b) == 1"},
    {"WakeOpOfTheSameWord", "futex_wake_op(f, 1, 1, f, add, 1, eq, 5)", "2", "f == 6"},
    {"WakeOpOfASharedKey", "futex_wake_op(f, 2, 1, g, add, 1, eq, 7, shared)", "0",
     kAllAsleep + " && g == 8"},
    {"WakeOpOfAnAbsentPage", "futex_wake_op(f, 2, 1, g, add, 1, eq, 7)", "3", "g == 8",
     "budget fault 1;"},
};
INSTANTIATE_TEST_SUITE_P(WakeOp, ReturnValues, ::testing::ValuesIn(kWakeOps), name_of);

const Row kWaitvs[] = {
    // The flags of all before the value of any.
    {"WaitvUnknownFlags", "futex_waitv(f, 0, g, 7, flags 0x92)", "-EINVAL"},
    {"WaitvBytes", "futex_waitv(f, 0, g, 7, flags 0x80)", "-EINVAL"},
    {"WaitvHalves", "futex_waitv(f, 0, g, 7, flags 0x81)", "-EINVAL"},
    {"WaitvDoubles", "futex_waitv(f, 0, g, 7, flags 0x83)", "-EINVAL"},
    {"WaitvValueTooLong", "futex_waitv(f, 0, g, 0xffffffff + 8)", "-EINVAL"},
    {"WaitvNegativeValue", "futex_waitv(f, 0, h, -1)", "-EINVAL"},
    {"WaitvTheFirstDiffers", "futex_waitv(f, 0, g, 7)", "-EAGAIN"},
    {"WaitvTheLastDiffers", "futex_waitv(f, 5, g, 7, h, 0, timeout)", "-EAGAIN"},
    {"WaitvTimesOut", "futex_waitv(f, 5, g, 7, timeout)", "-ETIMEDOUT", kAllAsleep},
    {"WaitvSharedTimesOut", "futex_waitv(f, 5, shared, g, 7, timeout)", "-ETIMEDOUT"},
    {"WaitvTheSameWordTwice", "futex_waitv(f, 5, f, 5, timeout)", "-ETIMEDOUT"},
};
TEST(WaitvReturns, NoMemoryBeforeFlags) {
  const auto scenario = testing::parse(
      "word f = 0; hash private(2); budget alloc_fail 1;"
      "thread t { int r = 0; r = futex_waitv(f, 1, flags 0x93); }"
      "sometimes t.r == -ENOMEM; finally t.r == -ENOMEM || t.r == -EINVAL;", "inline");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}
INSTANTIATE_TEST_SUITE_P(Waitv, ReturnValues, ::testing::ValuesIn(kWaitvs), name_of);

const Row kFutex2[] = {
    {"Futex2WaitUnknownFlags", "futex2_wait(f, -1, bitset 0, flags 0x1082)", "-EINVAL"},
    {"Futex2WaitBytes", "futex2_wait(f, 5, flags 0x80)", "-EINVAL"},
    {"Futex2WaitValueTooLong", "futex2_wait(f, 0xffffffff + 6)", "-EINVAL"},
    {"Futex2WaitForNoBits", "futex2_wait(f, 5, bitset 0)", "-EINVAL"},
    {"Futex2WaitForNoBitsBeforeTheValue", "futex2_wait(f, 0, bitset 0)", "-EINVAL"},
    {"Futex2WaitDiffers", "futex2_wait(f, 0)", "-EAGAIN"},
    {"Futex2WaitTimesOut", "futex2_wait(f, 5, timeout)", "-ETIMEDOUT"},
    {"Futex2WakeUnknownFlags", "futex2_wake(f, 1, flags 0x2082)", "-EINVAL", kAllAsleep},
    {"Futex2WakeDoubles", "futex2_wake(f, 1, flags 0x83)", "-EINVAL", kAllAsleep},
    {"Futex2WakeOfNoBits", "futex2_wake(f, 1, bitset 0)", "-EINVAL", kAllAsleep},
    {"Futex2WakeOfNoBitsBeforeTheNumber", "futex2_wake(f, 0, bitset 0)", "-EINVAL", kAllAsleep},
    {"Futex2WakeOfNone", "futex2_wake(f, 0)", "0", kAllAsleep},
    {"Futex2WakeOfMinusOneStillWakesOne", "futex2_wake(f, -1)", "1", "asleep(a) + asleep(b) == 1"},
    {"Futex2WakeOfAll", "futex2_wake(f, INT_MAX)", "2", "finished(a) && finished(b)"},
    {"Futex2WakeOfBits", "futex2_wake(f, INT_MAX, bitset 2)", "1", "asleep(a) && finished(b)"},
    {"Futex2WakeOfASharedKey", "futex2_wake(f, 2, shared)", "0", kAllAsleep},
    {"Futex2RequeueBytes", "futex2_requeue(f, 5, g, 0, 1, flags 0x80)", "-EINVAL"},
    {"Futex2RequeueValueTooLong", "futex2_requeue(f, -1, g, 0, 1)", "-EINVAL"},
    {"Futex2RequeueOfUnlikeWords", "futex2_requeue(f, 5, g, -1, 1, flags 0x20082)", "-EINVAL"},
    {"Futex2RequeueNegative", "futex2_requeue(f, 6, g, 0, -1)", "-EINVAL"},
    {"Futex2RequeueDiffers", "futex2_requeue(f, 6, g, 0, 1)", "-EAGAIN"},
    {"Futex2RequeueWakesAndMoves", "futex2_requeue(f, 5, g, 1, 1)", "2",
     "asleep(a) + asleep(b) == 1"},
};
INSTANTIATE_TEST_SUITE_P(Futex2, ReturnValues, ::testing::ValuesIn(kFutex2), name_of);

const Row kClassic[] = {
    {"WaitClock", "futex_wait(f, 0, flags 0x100)", "-ENOSYS"},
    {"WaitForBitsClock", "futex_wait(f, 0, bitset 1, flags 0x100)", "-EAGAIN"},
    {"WaitForNoBitsClock", "futex_wait(f, 5, bitset 0, flags 0x100)", "-EINVAL"},
    {"WakeClock", "futex_wake(f, 1, bitset 0, flags 0x100)", "-ENOSYS", kAllAsleep},
    {"WakeOfMinusOneStillWakesOne", "futex_wake(f, -1)", "1", "asleep(a) + asleep(b) == 1"},
    {"NoCommand", "futex_wait(f, 0, bitset 0, flags 0x40)", "-ENOSYS"},
};
INSTANTIATE_TEST_SUITE_P(Classic, ReturnValues, ::testing::ValuesIn(kClassic), name_of);

// The task's own plain store of its state may still be in its buffer when it handles a fault.
TEST(WaitvFault, HoldsWithStoreBuffers) {
  model::Variant variant = testing::v7_3();
  variant.memory = checker::Memory::tso;
  EXPECT_TRUE(testing::holds(testing::search(testing::load("waitv-fault"), variant)));
}

/// Of a word that is not mapped the kernel notices what it reads: a private key is the address.
const Row kAddresses[] = {
    {"WaitInvalidTimeout", "futex_wait(odd, 0, timeout invalid, flags 0x100)", "-EINVAL"},
    {"WaitForNoBitsInvalidTimeout", "futex_wait(f, 0, bitset 0, timeout invalid)", "-EINVAL"},
    {"WaitMisaligned", "futex_wait(odd, 1)", "-EINVAL"},
    {"WaitClockBeforeTheAddress", "futex_wait(odd, 1, flags 0x100)", "-ENOSYS"},
    {"WaitUnmapped", "futex_wait(gone, 0)", "-EFAULT"},
    {"WaitUnmappedDiffers", "futex_wait(gone, 1)", "-EFAULT"},
    {"WaitUnmappedShared", "futex_wait(gone, 0, shared)", "-EFAULT"},
    {"WaitUnmappedForNoBits", "futex_wait(gone, 0, bitset 0)", "-EINVAL"},
    {"WakeMisaligned", "futex_wake(odd, 1)", "-EINVAL"},
    {"WakeUnmapped", "futex_wake(gone, 1)", "0"},
    {"WakeUnmappedShared", "futex_wake(gone, 1, shared)", "-EFAULT"},
    {"WakeUnmappedSharedNoBits", "futex_wake(gone, 1, shared, bitset 0)", "-EINVAL"},
    {"RequeueNegativeBeforeTheAddress", "futex_requeue(gone, -1, 0, gone, shared)", "-EINVAL"},
    {"RequeueFromMisaligned", "futex_requeue(odd, 1, 1, g)", "-EINVAL"},
    {"RequeueToMisaligned", "futex_requeue(f, 1, 1, odd)", "-EINVAL", kAllAsleep},
    {"RequeueMisalignedBeforeUnmapped", "futex_requeue(odd, 1, 1, gone, shared)", "-EINVAL"},
    {"RequeueUnmappedBeforeMisaligned", "futex_requeue(gone, 1, 1, odd, shared)", "-EFAULT"},
    {"RequeueFromUnmapped", "futex_requeue(gone, 1, 1, g)", "0"},
    {"RequeueToUnmapped", "futex_requeue(f, 0, 2, gone)", "2", kAllAsleep},
    {"RequeueToUnmappedShared", "futex_requeue(f, 0, 2, gone, shared)", "-EFAULT", kAllAsleep},
    {"CmpRequeueFromUnmapped", "futex_cmp_requeue(gone, 1, 1, g, 1)", "-EFAULT"},
    {"CmpRequeueToUnmapped", "futex_cmp_requeue(f, 0, 2, gone, 5)", "2", kAllAsleep},
    {"WakeOpMisaligned", "futex_wake_op(f, 1, 1, odd, 7, 0, eq, 0)", "-EINVAL", kAllAsleep},
    {"WakeOpUnmapped", "futex_wake_op(f, 1, 1, gone, set, 0, eq, 0)", "-EFAULT", kAllAsleep},
    {"WakeOpUnmappedNoOperator", "futex_wake_op(f, 1, 1, gone, 6, 0, eq, 0)", "-ENOSYS",
     kAllAsleep},
    {"WakeOpUnmappedNoComparison", "futex_wake_op(f, 1, 1, gone, set, 0, 6, 0)", "-EFAULT"},
    {"WakeOpOfTheFirstUnmapped", "futex_wake_op(gone, 1, 1, g, add, 1, eq, 7)", "1", "g == 8"},
    {"WaitvInvalidTimeout", "futex_waitv(f, 0, flags 0x92, timeout invalid)", "-EINVAL"},
    {"WaitvMisaligned", "futex_waitv(f, 0, odd, 0)", "-EINVAL"},
    {"WaitvFlagsBeforeTheAddress", "futex_waitv(gone, 0, f, 5, flags 0x92)", "-EINVAL"},
    {"WaitvUnmapped", "futex_waitv(f, 5, gone, 0)", "-EFAULT"},
    {"WaitvUnmappedAfterOneThatDiffers", "futex_waitv(f, 0, gone, 0)", "-EAGAIN"},
    {"WaitvUnmappedSharedBeforeAnyValue", "futex_waitv(f, 0, gone, 0, shared)", "-EFAULT"},
    {"Futex2WaitInvalidTimeout", "futex2_wait(odd, 0, timeout invalid)", "-EINVAL"},
    {"Futex2WaitMisaligned", "futex2_wait(odd, 0)", "-EINVAL"},
    {"Futex2WaitUnmapped", "futex2_wait(gone, 0)", "-EFAULT"},
    {"Futex2WakeUnmapped", "futex2_wake(gone, 1, flags 0x2)", "-EFAULT"},
    {"Futex2WakeOfNoneAtAnAddress", "futex2_wake(odd, 0)", "-EINVAL"},
    {"Futex2RequeueMisaligned", "futex2_requeue(f, 6, odd, 0, 1)", "-EINVAL"},
};
INSTANTIATE_TEST_SUITE_P(Addresses, ReturnValues, ::testing::ValuesIn(kAddresses), name_of);

/// Calls that a signal interrupts, and what the scenario says of signals.
std::string signalled(const std::string& call, const std::string& how, const std::string& holds) {
  return "word f = 0; word g = 0; hash private(2); budget signal 1; signals " + how + ";"
         "thread t may_sleep { int r = 1; r = " + call + "; }" + holds;
}

const std::string kGoesOn = "finally asleep(t) || t.r == -ETIMEDOUT; never t.r == -EINTR;";
const std::string kEnds = "sometimes t.r == -EINTR;"
                          "finally asleep(t) || t.r == -ETIMEDOUT || t.r == -EINTR;";

struct Signalled {
  std::string name;
  std::string text;
};

void PrintTo(const Signalled& one, std::ostream* out) { *out << one.name; }

class InterruptedCalls : public ::testing::TestWithParam<Signalled> {};

TEST_P(InterruptedCalls, ReturnOrStartAgain) {
  const auto scenario = testing::parse(GetParam().text, GetParam().name + ".futex");
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
}

// With a timeout futex_wait() is only started again if there is no handler.
const Signalled kSignalled[] = {
    {"Wait", signalled("futex_wait(f, 0)", "interrupt", kEnds)},
    {"WaitRestarts", signalled("futex_wait(f, 0)", "restart", kGoesOn)},
    {"WaitStopped", signalled("futex_wait(f, 0)", "stop", kGoesOn)},
    {"TimedWait", signalled("futex_wait(f, 0, timeout)", "interrupt", kEnds)},
    {"TimedWaitRestarts", signalled("futex_wait(f, 0, timeout)", "restart", kEnds)},
    {"TimedWaitStopped", signalled("futex_wait(f, 0, timeout)", "stop", kGoesOn)},
    {"Futex2Wait", signalled("futex2_wait(f, 0, timeout)", "interrupt", kEnds)},
    {"Futex2WaitRestarts", signalled("futex2_wait(f, 0, timeout)", "restart", kGoesOn)},
    {"Futex2WaitStopped", signalled("futex2_wait(f, 0, timeout)", "stop", kGoesOn)},
    {"Waitv", signalled("futex_waitv(f, 0, g, 0)", "interrupt", kEnds)},
    {"WaitvRestarts", signalled("futex_waitv(f, 0, g, 0, timeout)", "restart", kGoesOn)},
    {"WaitvStopped", signalled("futex_waitv(f, 0, g, 0, timeout)", "stop", kGoesOn)},
};

std::string signalled_name(const ::testing::TestParamInfo<Signalled>& one) {
  return one.param.name;
}
INSTANTIATE_TEST_SUITE_P(Signals, InterruptedCalls, ::testing::ValuesIn(kSignalled),
                         signalled_name);

}  // namespace
}  // namespace futexmc::properties
