// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/assert.hpp"
#include "model/futex/requeue_pi.hpp"
#include "model/futex/syscalls.hpp"
#include "model/user_calls.hpp"

namespace futexmc::model {

using scenario::Op;

namespace {

unsigned command(Op op) {
  switch (op) {
    case Op::futex_lock_pi: return FUTEX_LOCK_PI;
    case Op::futex_lock_pi2: return FUTEX_LOCK_PI2;
    case Op::futex_trylock_pi: return FUTEX_TRYLOCK_PI;
    case Op::futex_unlock_pi: return FUTEX_UNLOCK_PI;
    case Op::futex_wait_requeue_pi: return FUTEX_WAIT_REQUEUE_PI;
    default: return FUTEX_CMP_REQUEUE_PI;
  }
}

/// What do_futex() says before it comes to the command: 0, or -ENOSYS, also of what is none.
int refused(const scenario::Instruction& in) {
  const unsigned op = command(in.op) | in.raw;
  return (op & FUTEX_CMD_MASK) == command(in.op) ? check_op_flags(op) : -ENOSYS;
}

}  // namespace

std::int64_t pi_system_call(const scenario::Instruction& in, const Operands& operands) {
  UserWord& word = *machine.word[in.word(0)];
  const unsigned flags = (in.flags & scenario::kShared) != 0 ? FLAGS_SHARED : 0;
  const bool timeout = (in.flags & scenario::kTimeout) != 0;
  if ((in.flags & scenario::kBadTimeout) != 0) return -EINVAL;  // before anything else
  if (const int error = refused(in); error != 0) return error;
  switch (in.op) {
    case Op::futex_lock_pi:
    case Op::futex_lock_pi2:  // of another clock
      return restarting(true, [&] { return futex_lock_pi(word, flags, timeout, false); });
    case Op::futex_trylock_pi: return futex_lock_pi(word, flags, false, true);
    case Op::futex_unlock_pi: return futex_unlock_pi(word, flags);
    case Op::futex_wait_requeue_pi:
      return restarting(true, [&] {
        return futex_wait_requeue_pi(word, flags, static_cast<std::uint32_t>(operands[0]), timeout,
                                     *machine.word[in.word(1)]);
      });
    case Op::futex_cmp_requeue_pi:
      return futex_cmp_requeue_pi(word, *machine.word[in.word(1)], flags,
                                  static_cast<int>(operands[0]), static_cast<int>(operands[1]),
                                  static_cast<std::uint32_t>(operands[2]));
    default: break;
  }
  FUTEXMC_ASSERT(false, "a call that the compiler refuses");
}

}  // namespace futexmc::model
