// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/user_calls.hpp"

#include "checker/assert.hpp"
#include "model/futex/syscalls.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

using scenario::Instruction;
using scenario::Op;

constexpr Loc kUser{"user", "scenario", 0};

int sys_clone(std::size_t child) {
  Scope scope("copy_process");
  // A thread of a scenario exists once.
  if (checker::load(machine.task[child]->started, Order::once, kUser)) {
    return scope.returns(-EAGAIN);
  }
  const int error = seams().hash_allocate_default();
  if (error != 0) return scope.returns(error);
  checker::announce(checker::operation("wake_up_new_task", machine.task[child]->started,
                                       checker::Access::write, Order::full, Loc::here()));
  checker::rt.writes |= checker::footprint(machine.mm->nr_threads.index());
  machine.mm->nr_threads.poke(machine.mm->nr_threads.peek() + 1);
  machine.task[child]->started.poke(true);
  checker::remember_done();
  return scope.returns(0);
}

// Whether a signal may make user space's call start again.
bool may_restart() { return machine.scenario->signals != scenario::Signals::interrupt; }

unsigned command(const Instruction& in) {
  const bool bitset = (in.flags & scenario::kBitset) != 0;
  switch (in.op) {
    case Op::futex_wait: return bitset ? FUTEX_WAIT_BITSET : FUTEX_WAIT;
    case Op::futex_wake: return bitset ? FUTEX_WAKE_BITSET : FUTEX_WAKE;
    case Op::futex_requeue: return FUTEX_REQUEUE;
    case Op::futex_cmp_requeue: return FUTEX_CMP_REQUEUE;
    default: return FUTEX_WAKE_OP;
  }
}

int futex(const Instruction& in, const Operands& operands) {
  const bool shared = (in.flags & scenario::kShared) != 0;
  const unsigned op = command(in) | in.raw | (shared ? 0U : FUTEX_PRIVATE_FLAG);
  // Before do_futex() looks at anything; commands without a timeout do not get here.
  if ((in.flags & scenario::kBadTimeout) != 0) return -EINVAL;
  const bool third = in.op == Op::futex_cmp_requeue;
  const futex_arguments arguments = {
      .uaddr = machine.word[in.word(0)],
      .uaddr2 = machine.word[in.word(1)],
      .val = static_cast<std::uint32_t>(operands[0]),
      .val2 = static_cast<std::uint32_t>(operands[1]),
      .val3 = static_cast<std::uint32_t>(third ? operands[2] : in.value),
      .timeout = (in.flags & scenario::kTimeout) != 0};
  const bool waits = in.op == Op::futex_wait && may_restart();
  return restarting(waits, [&] { return do_futex(op, arguments); });
}

/// FUTEX2_* flags: those given, or of a word of 32 bits.
unsigned futex2_flags(const Instruction& in) {
  if (in.raw != 0) return in.raw;
  const bool shared = (in.flags & scenario::kShared) != 0;
  return scenario::kFutex2Size32 | (shared ? 0U : scenario::kFutex2Private);
}

int futex2_requeue(const Instruction& in, const Operands& operands) {
  const unsigned flags = futex2_flags(in);
  const unsigned upper = flags >> 16;
  const std::array<user_waitv, 2> waiters = {
      {{machine.word[in.word(0)], static_cast<std::uint64_t>(operands[0]), flags & 0xffff},
       {machine.word[in.word(1)], 0, upper != 0 ? upper : flags & 0xffff}}};
  return sys_futex_requeue(waiters.data(), static_cast<int>(operands[1]),
                           static_cast<int>(operands[2]));
}

int waitv(const Instruction& in, const Operands& operands) {
  std::array<user_waitv, scenario::kMaxWaiters> waiters{};
  for (int i = 0; i < in.operands; ++i) {
    const auto at = static_cast<std::size_t>(i);
    waiters[at] = {machine.word[in.word(i)], static_cast<std::uint64_t>(operands[at]),
                   scenario::waiter_flags(in, i)};
  }
  if ((in.flags & scenario::kBadTimeout) != 0) return -EINVAL;  // before anything else
  const bool timeout = (in.flags & scenario::kTimeout) != 0;
  return restarting(may_restart(),
                    [&] { return sys_futex_waitv(waiters.data(), in.operands, timeout); });
}

int futex2_wait(const Instruction& in, const Operands& operands) {
  const bool given = (in.flags & scenario::kTimeout) != 0;
  const bool invalid = (in.flags & scenario::kBadTimeout) != 0;
  const Timeout timeout = invalid ? Timeout::invalid : given ? Timeout::given : Timeout::none;
  return restarting(may_restart(), [&] {
    return sys_futex_wait(*machine.word[in.word(0)], static_cast<std::uint64_t>(operands[0]),
                          static_cast<std::uint64_t>(in.value), futex2_flags(in), timeout);
  });
}

}  // namespace

std::int64_t system_call(const Instruction& in, const Operands& operands) {
  if (scenario::is_pi(in.op)) return pi_system_call(in, operands);
  switch (in.op) {
    case Op::futex_wait: case Op::futex_wake: case Op::futex_requeue:
    case Op::futex_cmp_requeue: case Op::futex_wake_op: return futex(in, operands);
    case Op::futex_waitv: return waitv(in, operands);
    case Op::futex2_wait: return futex2_wait(in, operands);
    case Op::futex2_wake:
      return sys_futex_wake(*machine.word[in.word(0)], static_cast<std::uint64_t>(in.value),
                            static_cast<int>(operands[0]), futex2_flags(in));
    case Op::futex2_requeue: return futex2_requeue(in, operands);
    case Op::set_slots: return seams().hash_set_slots(static_cast<unsigned>(operands[0]));
    case Op::get_slots: return seams().hash_get_slots();
    case Op::clone: return sys_clone(in.object);
    case Op::gettid: return scenario::tid_of(current_id());
    default: break;
  }
  FUTEXMC_ASSERT(false, "a call that the compiler refuses");
}

}  // namespace futexmc::model
