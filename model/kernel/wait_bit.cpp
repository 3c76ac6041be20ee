// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/kernel/wait_bit.hpp"

#include <bit>

#include "model/kernel/atomic.hpp"
#include "model/kernel/might_sleep.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

std::uint64_t bit_of(int task) { return 1ULL << task; }

void change_queue(wait_queue_head& head, std::uint64_t set, std::uint64_t clear, const char* name,
                  Loc loc) {
  // waitqueue_active() looks at the list without the lock, so this is not a mover.
  checker::Operation op =
      checker::operation(name, head.head, checker::Access::write, Order::plain, loc);
  op.access |= checker::kReads;
  checker::announce(op);
  head.head.put((head.head.seen() | set) & ~clear);
  checker::remember_done();
}

}  // namespace

void add_wait_queue(wait_queue_head& head, Loc loc) {
  Scope scope("add_wait_queue");
  current().wait.woken.poke(false);
  spin_lock(head.lock, loc);
  change_queue(head, bit_of(current_id()), 0, "list_add", loc);
  spin_unlock(head.lock, loc);
}

void remove_wait_queue(wait_queue_head& head, Loc loc) {
  Scope scope("remove_wait_queue");
  spin_lock(head.lock, loc);
  change_queue(head, 0, bit_of(current_id()), "list_del", loc);
  spin_unlock(head.lock, loc);
  current().wait.woken.poke(false);
}

void wait_woken(wait_bit_queue_entry& entry, Loc loc) {
  Scope scope("wait_woken");
  might_sleep("wait_woken()");
  set_current_state(TASK_UNINTERRUPTIBLE, loc);
  if (!read_plain(entry.woken, loc) || knocked(Knockout::woken_flag)) schedule(loc);
  __set_current_state(TASK_RUNNING, loc);
  if (knocked(Knockout::woken_clear)) return;
  const Order order = knocked(Knockout::woken_barrier) ? Order::once : Order::full;
  checker::store(entry.woken, false, order, loc, "smp_store_mb");
}

void wake_up_var(wait_queue_head& head, Loc loc) {
  Scope scope("wake_up_var");
  const bool active = checker::load_as(head.head, Order::once,
                                       [](std::uint64_t tasks) { return tasks != 0; }, loc,
                                       "waitqueue_active");
  if (!active && !knocked(Knockout::wake_var_active)) return;
  spin_lock(head.lock, loc);
  std::uint64_t tasks = checker::load_under(head.lock.lock, head.head, loc);
  while (tasks != 0) {
    scope.at("entry", tasks);
    const int task = std::countr_zero(tasks);
    tasks &= tasks - 1;
    smp_mb(loc);  // woken_wake_function(): pairs with the smp_store_mb() in wait_woken()
    write_plain(machine.task[static_cast<std::size_t>(task)]->wait.woken, true, loc);
    wake_up_process(task, loc);
  }
  spin_unlock(head.lock, loc);
}

}  // namespace futexmc::model
