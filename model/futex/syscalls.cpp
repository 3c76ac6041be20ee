// SPDX-License-Identifier: GPL-2.0-or-later
//
// Follows kernel/futex/syscalls.c: do_futex, futex_parse_waitv,
// sys_futex_{waitv,wake,wait,requeue};
// futex.h: futex_to_flags, futex2_to_flags, futex_flags_valid, futex_validate_input. Times are left
// out: a timeout is valid, and whether it is relative or absolute is not seen, as it may expire at
// any moment from the start and a call that is restarted keeps its end.
#include "model/futex/syscalls.hpp"

#include "model/kernel/alloc.hpp"
#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

constexpr unsigned FUTEX2_SIZE_MASK = 3, FUTEX2_NUMA = 4, FUTEX2_MPOL = 8, FUTEX2_PRIVATE = 128;
constexpr unsigned FUTEX2_VALID_MASK =
    FUTEX2_SIZE_MASK | FUTEX2_NUMA | FUTEX2_MPOL | FUTEX2_PRIVATE;

unsigned futex2_to_flags(unsigned flags2) {
  unsigned flags = flags2 & FUTEX2_SIZE_MASK;
  if ((flags2 & FUTEX2_PRIVATE) == 0) flags |= FLAGS_SHARED;
  return flags;
}

// Only words of 32 bits are implemented.
bool futex_flags_valid(unsigned flags) { return (flags & FLAGS_SIZE_MASK) == FLAGS_SIZE_32; }

// The value fits into the word, of 32 bits by now.
bool futex_validate_input(std::uint64_t val) { return val >> 32 == 0; }

/// 0 and the flags, or -EINVAL.
int parse_flags(unsigned flags2, unsigned& flags) {
  const bool known = (flags2 & ~FUTEX2_VALID_MASK) == 0;
  if (!known && !knocked(Knockout::flags_unknown)) return -EINVAL;
  flags = futex2_to_flags(flags2);
  return futex_flags_valid(flags) || knocked(Knockout::flags_size) ? 0 : -EINVAL;
}

int futex_parse_waitv(futex_waitv* futexv, const user_waitv* waiters, int nr_futexes) {
  for (int i = 0; i < nr_futexes; ++i) {
    unsigned flags = 0;
    const int error = parse_flags(waiters[i].flags, flags);
    if (error != 0) return error;
    const bool fits = futex_validate_input(waiters[i].val);
    if (!fits && !knocked(Knockout::flags_value)) return -EINVAL;
    futexv[i] = {waiters[i].uaddr, flags, static_cast<std::uint32_t>(waiters[i].val)};
  }
  return 0;
}

int wait_parsed(const futex_waitv* futexv, int count, hrtimer_sleeper* to) {
  Scope scope("futex_waitv");
  current().futex_wait.poke(true);
  const int ret = futex_wait_multiple(futexv, count, to);
  scope.at("waited", ret);
  current().futex_wait.poke(false);
  return scope.returns(ret);
}

void setup_timeout(hrtimer_sleeper* to) {
  if (to != nullptr) to->task.poke(true);
}

void destroy_timeout(hrtimer_sleeper* to) {
  if (to == nullptr) return;
  hrtimer_cancel(*to);
  warn_on(to->armed.peek(), "destroy_hrtimer_on_stack(): the timer is active");
}

}  // namespace

unsigned futex_to_flags(unsigned op) {
  unsigned flags = FLAGS_SIZE_32;
  if ((op & FUTEX_PRIVATE_FLAG) == 0) flags |= FLAGS_SHARED;
  if ((op & FUTEX_CLOCK_REALTIME) != 0) flags |= FLAGS_CLOCKRT;
  if ((op & FUTEX_ROBUST_UNLOCK) != 0) flags |= FLAGS_ROBUST_UNLOCK;
  return flags;
}

int check_op_flags(unsigned op) {
  const unsigned cmd = op & FUTEX_CMD_MASK;
  const bool has_clock = cmd == FUTEX_WAIT_BITSET || cmd == FUTEX_WAIT_REQUEUE_PI ||
                         cmd == FUTEX_LOCK_PI2;
  const bool clock = (op & FUTEX_CLOCK_REALTIME) != 0 && !knocked(Knockout::flags_clock);
  if (clock && !has_clock) return -ENOSYS;
  const bool unlocks = cmd == FUTEX_WAKE || cmd == FUTEX_WAKE_BITSET || cmd == FUTEX_UNLOCK_PI;
  return (op & FUTEX_ROBUST_UNLOCK) != 0 && !unlocks ? -ENOSYS : 0;
}

int do_futex(unsigned op, const futex_arguments& arguments) {
  const unsigned flags = futex_to_flags(op);
  const int refused = check_op_flags(op);
  if (refused != 0) return refused;
  UserWord& word = *arguments.uaddr;
  const auto nr = static_cast<int>(arguments.val);
  const auto nr2 = static_cast<int>(arguments.val2);
  switch (op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return futex_wait(word, flags, arguments.val, arguments.timeout, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET:
      return futex_wait(word, flags, arguments.val, arguments.timeout, arguments.val3);
    case FUTEX_WAKE: return futex_wake(word, flags, nr, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET: return futex_wake(word, flags, nr, arguments.val3);
    case FUTEX_REQUEUE:
      return futex_requeue(word, flags, *arguments.uaddr2, flags, nr, nr2, nullptr);
    case FUTEX_CMP_REQUEUE:
      return futex_requeue(word, flags, *arguments.uaddr2, flags, nr, nr2, &arguments.val3);
    case FUTEX_WAKE_OP:
      return futex_wake_op(word, flags, *arguments.uaddr2, nr, nr2, arguments.val3);
    default: return -ENOSYS;
  }
}

int sys_futex_waitv(const user_waitv* waiters, int nr_futexes, bool timeout) {
  Scope scope("futex_waitv");
  seams().other_entry();
  scope.at("entered");
  hrtimer_sleeper* const to = timeout ? &current().timeout : nullptr;
  setup_timeout(to);
  int ret = -ENOMEM;
  if (kzalloc_entries(nr_futexes)) {
    std::array<futex_waitv, scenario::kMaxWaiters> futexv{};
    ret = futex_parse_waitv(futexv.data(), waiters, nr_futexes);
    if (ret == 0) ret = wait_parsed(futexv.data(), nr_futexes, to);
    kfree_entries(nr_futexes);
  }
  scope.at("freed", ret, timeout);
  destroy_timeout(to);
  return scope.returns(ret);
}

int sys_futex_wait(UserWord& word, std::uint64_t val, std::uint64_t mask, unsigned flags2,
                   Timeout timeout) {
  Scope scope("futex_wait");
  unsigned flags = 0;
  const int refused = parse_flags(flags2, flags);
  if (refused != 0) return scope.returns(refused);
  const bool fits = futex_validate_input(val) && futex_validate_input(mask);
  if (!fits && !knocked(Knockout::flags_value)) return scope.returns(-EINVAL);
  if (timeout == Timeout::invalid) return scope.returns(-EINVAL);
  current().futex_wait.poke(true);
  seams().wait_entry();
  scope.at("entered", flags);
  hrtimer_sleeper* const to = timeout == Timeout::given ? &current().timeout : nullptr;
  setup_timeout(to);
  const int ret = __futex_wait(word, flags, static_cast<std::uint32_t>(val), to,
                               static_cast<unsigned>(mask));
  scope.at("waited", ret, timeout);
  current().futex_wait.poke(false);
  destroy_timeout(to);
  return scope.returns(ret);
}

int sys_futex_wake(UserWord& word, std::uint64_t mask, int nr, unsigned flags2) {
  unsigned flags = 0;
  const int refused = parse_flags(flags2, flags);
  if (refused != 0) return refused;
  if (!futex_validate_input(mask) && !knocked(Knockout::flags_value)) return -EINVAL;
  return futex_wake(word, FLAGS_STRICT | flags, nr, static_cast<unsigned>(mask));
}

int sys_futex_requeue(const user_waitv* waiters, int nr_wake, int nr_requeue) {
  std::array<futex_waitv, 2> futexes{};
  const int refused = futex_parse_waitv(futexes.data(), waiters, 2);
  if (refused != 0) return refused;
  const bool alike = futexes[0].flags == futexes[1].flags;
  if (!alike && !knocked(Knockout::flags_alike)) return -EINVAL;
  return futex_requeue(*futexes[0].word, futexes[0].flags, *futexes[1].word, futexes[1].flags,
                       nr_wake, nr_requeue, &futexes[0].val);
}

bool is_restarted(int error) {
  const scenario::Signals signals = machine.scenario->signals;
  if (error == -ERESTARTNOINTR) return true;
  if (error == -ERESTARTSYS) return signals != scenario::Signals::interrupt;
  // By restart_syscall(), which a handler does away with.
  return error == -ERESTART_RESTARTBLOCK && signals == scenario::Signals::stop;
}

int after_call(int ret) {
  if (ret != -ERESTARTSYS && ret != -ERESTART_RESTARTBLOCK) return ret;
  current().signal_pending.poke(false);
  return -EINTR;
}

}  // namespace futexmc::model
