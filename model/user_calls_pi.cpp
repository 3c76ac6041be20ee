// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/assert.hpp"
#include "model/futex/pi.hpp"
#include "model/user_calls.hpp"

namespace futexmc::model {
namespace {

using scenario::Op;

/// A signal makes the call again once it is delivered, whatever its handler.
template <class Call>
int restarted(Call call) {
  Scope scope("do_futex");
  for (;;) {
    scope.at("call");
    const int ret = call();
    if (ret != -ERESTARTNOINTR) return scope.returns(ret);
    current().signal_pending.poke(false);
  }
}

}  // namespace

std::int64_t pi_system_call(const scenario::Instruction& in, const Operands& /*operands*/) {
  UserWord& word = *machine.word[in.word(0)];
  const unsigned flags = (in.flags & scenario::kShared) != 0 ? FLAGS_SHARED : 0;
  const bool timeout = (in.flags & scenario::kTimeout) != 0;
  switch (in.op) {
    case Op::futex_lock_pi:
    case Op::futex_lock_pi2:  // of another clock
      return restarted([&] { return futex_lock_pi(word, flags, timeout, false); });
    case Op::futex_trylock_pi: return futex_lock_pi(word, flags, false, true);
    case Op::futex_unlock_pi: return futex_unlock_pi(word, flags);
    default: break;
  }
  FUTEXMC_ASSERT(false, "a call that the compiler refuses");
}

}  // namespace futexmc::model
