// SPDX-License-Identifier: GPL-2.0-or-later
//
// From system call to operation: what the flags mean, which arguments are refused, and what becomes
// of a call that a signal interrupted. Follows kernel/futex/syscalls.c and futex.h.
#pragma once

#include "model/futex/futex.hpp"

namespace futexmc::model {

/// Commands and flags of futex(2), include/uapi/linux/futex.h.
enum : unsigned {
  FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_REQUEUE = 3, FUTEX_CMP_REQUEUE = 4, FUTEX_WAKE_OP = 5,
  FUTEX_LOCK_PI = 6, FUTEX_UNLOCK_PI = 7, FUTEX_TRYLOCK_PI = 8, FUTEX_WAIT_BITSET = 9,
  FUTEX_WAKE_BITSET = 10, FUTEX_WAIT_REQUEUE_PI = 11, FUTEX_CMP_REQUEUE_PI = 12,
  FUTEX_LOCK_PI2 = 13,
  FUTEX_PRIVATE_FLAG = 128, FUTEX_CLOCK_REALTIME = 256, FUTEX_ROBUST_UNLOCK = 512,
  FUTEX_ROBUST_LIST32 = 1024,
};
inline constexpr unsigned FUTEX_CMD_MASK =
    ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME | FUTEX_ROBUST_UNLOCK | FUTEX_ROBUST_LIST32);

unsigned futex_to_flags(unsigned op);
/// What do_futex() says of the flags before it looks at the command: 0 or -ENOSYS.
int check_op_flags(unsigned op);

/// Arguments of futex(2) as do_futex() gets them.
struct futex_arguments {
  UserWord* uaddr = nullptr;
  UserWord* uaddr2 = nullptr;
  std::uint32_t val = 0;
  std::uint32_t val2 = 0;
  std::uint32_t val3 = 0;
  bool timeout = false;
};
/// Commands of waitwake.c and requeue.c without PI; -ENOSYS for what is no command.
int do_futex(unsigned op, const futex_arguments& arguments);

/// A word as user space describes it in struct futex_waitv.
struct user_waitv {
  UserWord* uaddr = nullptr;
  std::uint64_t val = 0;
  std::uint32_t flags = 0;
};
int sys_futex_waitv(const user_waitv* waiters, int nr_futexes, bool timeout);
enum class Timeout : std::uint8_t { none, given, invalid };
int sys_futex_wait(UserWord& word, std::uint64_t val, std::uint64_t mask, unsigned flags,
                   Timeout timeout);
int sys_futex_wake(UserWord& word, std::uint64_t mask, int nr, unsigned flags);
/// `waiters`: the two words.
int sys_futex_requeue(const user_waitv* waiters, int nr_wake, int nr_requeue);

/// Whether a call that gave the error is made once more after the signal has been delivered, as the
/// scenario's `signals` says. A handler in between does nothing.
bool is_restarted(int error);
/// Delivers the signal that ended the call, if one did, and gives what user space gets.
int after_call(int ret);

/// Makes the system call `call()`, once more for each signal that it is restarted after.
/// `may_restart`: it can be, if only by a signal without a handler.
template <class Call>
int restarting(bool may_restart, Call call) {
  if (!may_restart) return after_call(call());
  Scope scope("do_futex");
  for (;;) {
    scope.at("again");
    const int ret = call();
    if (!is_restarted(ret)) return scope.returns(after_call(ret));
    current().signal_pending.poke(false);
  }
}

}  // namespace futexmc::model
