// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/kernel/sched.hpp"

#include <algorithm>
#include <string>

#include "checker/machine.hpp"
#include "checker/store_buffer.hpp"
#include "model/kernel/atomic.hpp"
#include "model/kernel/lock.hpp"
#include "model/kernel/might_sleep.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

task_struct& task_of(std::uint64_t task) { return *machine.task[task]; }

bool wakes_on_signal(const task_struct& task) {
  return task.state.peek() == TASK_INTERRUPTIBLE && task.signal_pending.peek();
}

bool can_go(std::uint64_t task) {
  return task_of(task).state.peek() == TASK_RUNNING || wakes_on_signal(task_of(task));
}

bool in_schedule(std::uint64_t task) {
  const checker::Thread& thread = checker::thread_record(task);
  return thread.status == checker::Status::ready &&
         thread.pending.guard.kind == checker::Guard::Kind::call &&
         thread.pending.guard.function == &can_go;
}

bool can_expire(std::uint64_t task) { return task_of(task).timeout.armed.peek(); }

// hrtimer_wakeup(), in interrupt context: the two steps are one event.
void expire(std::uint64_t task) {
  task_of(task).timeout.armed.poke(false);
  task_of(task).timeout.task.poke(false);
  task_of(task).state.poke(TASK_RUNNING);
}

bool can_wake_spuriously(std::uint64_t task) {
  return machine.budget->spurious.peek() > 0 && asleep(static_cast<int>(task));
}

void wake_spuriously(std::uint64_t task) {
  spend(machine.budget->spurious);
  task_of(task).state.poke(TASK_RUNNING);
}

bool can_signal(std::uint64_t task) {
  return machine.budget->signal.peek() > 0 && !task_of(task).signal_pending.peek() &&
         task_of(task).futex_wait.peek();
}

void send_signal(std::uint64_t task) {
  spend(machine.budget->signal);
  task_of(task).signal_pending.poke(true);
  if (task_of(task).state.peek() == TASK_INTERRUPTIBLE) task_of(task).state.poke(TASK_RUNNING);
}

bool can_migrate(std::uint64_t task) {
  return machine.budget->migrate.peek() > 0 && machine.cpus > 1 &&
         task_of(task).read_side.peek().preempt == 0 &&
         checker::thread_record(task).status == checker::Status::ready &&
         checker::buffered_stores(task) == 0;
}

void migrate(std::uint64_t task) {
  spend(machine.budget->migrate);
  task_of(task).cpu.poke((task_of(task).cpu.peek() + 1) % machine.cpus);
  if (machine.rq != nullptr) machine.rq->head[task].poke(false);
}

checker::Event task_event(const char* what, int task, bool owed, bool (*enabled)(std::uint64_t),
                          void (*fire)(std::uint64_t)) {
  const auto id = static_cast<std::size_t>(task);
  return {std::string(what) + machine.scenario->threads[id].name, owed, enabled, fire, id,
          checker::kEverything, checker::kEverything};
}

void set_state(const char* name, unsigned state, Order order, Loc loc) {
  checker::store(current().state, state, order, loc, name);
}

// With a reference of somebody else's only: a task that has exited may be gone.
void use_unreferenced(int task, Loc loc) {
  checker::announce({.name = "use of the task", .loc = loc, .reads = checker::kEverything,
                     .writes = checker::kEverything});
  if (checker::thread_record(static_cast<std::size_t>(task)).status == checker::Status::finished) {
    checker::fault("lifetime", {"use after free of task_struct in ",
                                checker::function_of(*checker::rt.current), "()"});
  }
  checker::remember_done();
}

/// On a run queue: neither asleep nor waiting for a mutex, for its start or for others to settle.
bool runnable(std::size_t task) {
  const checker::Thread& thread = checker::thread_record(task);
  if (thread.status != checker::Status::ready) return false;
  return checker::passes(thread.pending.guard) || thread.pending.name == kSpinLock;
}

/// Whether the first task, which can run, goes before the second on their CPU.
bool goes_before(std::size_t first, std::size_t second) {
  const int above = task_of(first).prio.peek();
  const int below = task_of(second).prio.peek();
  return above < below || (above == below && machine.rq->head[first].peek());
}

bool is_first(std::size_t task) {
  if (task_of(task).read_side.peek().preempt != 0) return true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(machine.user_tasks); ++i) {
    const bool same_cpu = i != task && task_of(i).cpu.peek() == task_of(task).cpu.peek();
    if (same_cpu && runnable(i) && goes_before(i, task)) return false;
  }
  return true;
}

}  // namespace

bool asleep(int task) {
  return in_schedule(static_cast<std::uint64_t>(task)) && !can_go(static_cast<std::uint64_t>(task));
}

bool may_use_cpu(int task) {
  const auto id = static_cast<std::size_t>(task);
  for (int i = 0; i < machine.user_tasks; ++i) {
    const task_struct& other = *machine.task[static_cast<std::size_t>(i)];
    if (i != task && other.cpu.peek() == machine.task[id]->cpu.peek() &&
        other.read_side.peek().preempt != 0 &&
        checker::thread_record(static_cast<std::size_t>(i)).status == checker::Status::ready) {
      return false;
    }
    const bool same_cpu = i != task && other.cpu.peek() == machine.task[id]->cpu.peek();
    // The context switch drains the CPU's store buffer.
    if (same_cpu && checker::buffered_stores(static_cast<std::size_t>(i)) != 0) return false;
  }
  return machine.rq == nullptr || is_first(id);
}

void note_step(int agent) {
  for (int i = 0; i < machine.user_tasks; ++i) {
    Cell<bool>& head = machine.rq->head[static_cast<std::size_t>(i)];
    if (i == agent) head.poke(true);
    // Whoever is blocked queues behind the others when it can run again.
    if (head.peek() && !runnable(static_cast<std::size_t>(i))) head.poke(false);
  }
}

void set_current_state(unsigned state, Loc loc) {
  set_state("set_current_state", state, Order::full, loc);
}
void __set_current_state(unsigned state, Loc loc) {
  set_state("__set_current_state", state, Order::plain, loc);
}

void schedule(Loc loc) {
  must_not_be_atomic("schedule()");
  checker::Operation op = checker::atomic(checker::operation(
      "schedule", current().state, checker::Access::write, Order::full, loc));
  op.reads |= checker::footprint(current().signal_pending.index());
  op.guard = {.value = checker::rt.current_id, .function = &can_go,
              .kind = checker::Guard::Kind::call};
  checker::announce(op);
  current().state.poke(TASK_RUNNING);
  checker::remember_done();
}

void wake_up_process(int task, Loc loc) {
  task_struct& p = *machine.task[static_cast<std::size_t>(task)];
  if (knocked(Knockout::wake_get_task)) use_unreferenced(task, loc);
  checker::Operation op = checker::atomic(checker::operation(
      "wake_up_process", p.state, checker::Access::write, Order::full, loc));
  op.access |= checker::kBarrierBefore;
  checker::announce(op);
  p.state.poke(TASK_RUNNING);
  checker::remember_done();
}

bool signal_pending(Loc loc) {
  return checker::load(current().signal_pending, Order::once, loc, "signal_pending");
}

void wake_q_head::add(int task, Loc loc) {
  task_struct& p = *machine.task[static_cast<std::size_t>(task)];
  const bool added = checker::update(p.wake_q, Order::full, [](bool& queued) {
    if (queued) return false;
    return queued = true;
  }, "wake_q_add", loc);
  if (!added) return;
  int shift = 0;
  while (((tasks_ >> shift) & 0xFF) != 0) shift += 8;
  tasks_ |= static_cast<std::uint64_t>(task + 1) << shift;
}

int wake_q_head::take() {
  const int task = static_cast<int>(tasks_ & 0xFF) - 1;
  tasks_ >>= 8;
  return task;
}

void wake_up_q(wake_q_head& head, Loc loc) {
  Scope scope("wake_up_q");
  for (;;) {
    scope.at("next", head.identity());
    const int task = head.take();
    if (task < 0) return;
    if (knocked(Knockout::wake_up_q)) continue;
    task_struct& p = *machine.task[static_cast<std::size_t>(task)];
    // The link is cleared first: a waiter that goes round again can then be queued again.
    if (!knocked(Knockout::wake_q_clear_first)) WRITE_ONCE(p.wake_q, false, loc);
    wake_up_process(task, loc);
    if (knocked(Knockout::wake_q_clear_first)) WRITE_ONCE(p.wake_q, false, loc);
  }
}

namespace {

/// The queues of the task's CPU: one that loses priority goes to the head of the lower queue, one
/// that gains it, and does not run, to the tail of the higher.
void requeue(int task, bool lowered) {
  if (machine.rq == nullptr) return;
  const auto id = static_cast<std::size_t>(task);
  for (std::size_t i = 0; lowered && i < static_cast<std::size_t>(machine.user_tasks); ++i) {
    const bool same_cpu = task_of(i).cpu.peek() == task_of(id).cpu.peek();
    const bool same_queue = task_of(i).prio.peek() == task_of(id).prio.peek();
    if (same_cpu && same_queue) machine.rq->head[i].poke(false);
  }
  if (lowered || task != current_id()) machine.rq->head[id].poke(lowered);
}

}  // namespace

void rt_mutex_setprio(int task, int pi_task) {
  if (!machine.priorities) return;  // what is the same for all stays so
  Scope scope("rt_mutex_setprio");
  task_struct& p = task_of(static_cast<std::size_t>(task));
  int prio = p.normal_prio.peek();
  if (pi_task >= 0) {
    prio = std::min(prio, read_plain(task_of(static_cast<std::size_t>(pi_task)).prio));
  }
  const int old = checker::load_under(p.pi_lock.lock, p.prio);
  if (prio == old) return;
  write_plain(p.prio, prio);
  requeue(task, prio > old);
}

void hrtimer_sleeper_start_expires(hrtimer_sleeper& timeout, Loc loc) {
  checker::announce(checker::operation("hrtimer_start", timeout.armed, checker::Access::write,
                                       Order::relaxed, loc));
  if (timeout.task.peek()) timeout.armed.poke(true);
  checker::remember_done();
}

void hrtimer_cancel(hrtimer_sleeper& timeout, Loc loc) {
  checker::announce(checker::operation("hrtimer_cancel", timeout.armed, checker::Access::write,
                                       Order::relaxed, loc));
  timeout.armed.poke(false);
  timeout.task.poke(false);  // the timer's stack frame is about to go
  checker::remember_done();
}

void add_scheduler(checker::Builder& builder) {
  const scenario::Scenario& scenario = *machine.scenario;
  if (scenario.strict) machine.rq = &builder.make<run_queue>("run_queue", "run_queue");
  for (int task = 0; task < machine.user_tasks; ++task) {
    bool timers = false;
    for (const auto& in : scenario.threads[static_cast<std::size_t>(task)].code) {
      timers |= (in.flags & scenario::kTimeout) != 0;
    }
    if (timers) builder.event(task_event("timer of ", task, true, &can_expire, &expire));
    if (scenario.budgets.spurious > 0) {
      builder.event(task_event("spurious wakeup of ", task, false, &can_wake_spuriously,
                               &wake_spuriously));
    }
    if (scenario.budgets.signal > 0) {
      builder.event(task_event("signal to ", task, false, &can_signal, &send_signal));
    }
    if (scenario.budgets.migrate > 0) {
      builder.event(task_event("migration of ", task, false, &can_migrate, &migrate));
    }
  }
}

}  // namespace futexmc::model
