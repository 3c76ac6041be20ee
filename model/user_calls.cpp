// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/user_calls.hpp"

#include "checker/assert.hpp"
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

UserWord& word_of(const Instruction& in, int i) {
  return *machine.word[in.word(i)];
}

}  // namespace

std::int64_t system_call(const Instruction& in, const Operands& operands) {
  if (scenario::is_pi(in.op)) return pi_system_call(in, operands);
  const unsigned flags = (in.flags & scenario::kShared) != 0 ? FLAGS_SHARED : 0;
  const bool timeout = (in.flags & scenario::kTimeout) != 0;
  const auto bitset = static_cast<unsigned>(in.value);
  const std::int64_t first = operands[0];
  switch (in.op) {
    case Op::futex_wait:
      return futex_wait(word_of(in, 0), flags, static_cast<std::uint32_t>(first), timeout, bitset);
    case Op::futex_wake:
      return futex_wake(word_of(in, 0), flags, static_cast<int>(first), bitset);
    case Op::set_slots: return seams().hash_set_slots(static_cast<unsigned>(first));
    case Op::get_slots: return seams().hash_get_slots();
    case Op::clone: return sys_clone(in.object);
    case Op::gettid: return scenario::tid_of(current_id());
    default: break;
  }
  FUTEXMC_ASSERT(false, "a call that the compiler refuses");
}

}  // namespace futexmc::model
