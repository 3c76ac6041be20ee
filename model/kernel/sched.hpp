// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tasks: states, sleeping, waking, wake queues, signals, timers, migration.
//
// Follows kernel/sched/core.c (set_current_state, schedule, try_to_wake_up, wake_up_q),
// kernel/time/hrtimer.c (hrtimer_sleeper) and kernel/signal.c (signal_wake_up).
#pragma once

#include "checker/program.hpp"
#include "model/kernel/machine.hpp"

namespace futexmc::model {

/// The store is followed by a full barrier (smp_store_mb).
void set_current_state(unsigned state, Loc loc = Loc::here());
void __set_current_state(unsigned state, Loc loc = Loc::here());
/// Sleeps until the task is runnable, or interrupted if it sleeps interruptibly.
void schedule(Loc loc = Loc::here());
/// Makes the task runnable if it sleeps in one of `mode`'s states.
void wake_up_process(int task, Loc loc = Loc::here());
/// Whether a signal was sent and not yet delivered.
bool signal_pending(Loc loc = Loc::here());

/// Tasks to be woken once no lock is held. Lives on the waker's stack; the links are the tasks'.
class wake_q_head {
 public:
  /// A task that is on another queue is left to that queue's owner, who has yet to wake it.
  void add(int task, Loc loc = Loc::here());
  std::uint64_t identity() const { return tasks_; }
  /// Takes the oldest task off; -1 when empty.
  int take();

 private:
  std::uint64_t tasks_ = 0;  // one byte a task plus one, oldest lowest
};
void wake_up_q(wake_q_head& head, Loc loc = Loc::here());

void hrtimer_sleeper_start_expires(hrtimer_sleeper& timeout, Loc loc = Loc::here());
void hrtimer_cancel(hrtimer_sleeper& timeout, Loc loc = Loc::here());

/// Gives a task, whose pi_lock is held, the priority of `pi_task` if that goes before its own; -1
/// for none.
void rt_mutex_setprio(int task, int pi_task);

/// Whether the task is suspended in schedule() and nothing pending would make it go.
bool asleep(int task);
/// With fewer CPUs than threads: nobody else has preemption disabled on the task's CPU. With strict
/// priorities also: nobody who can run there goes before the task.
bool may_use_cpu(int task);
/// After a step of any agent, with strict priorities: keeps the run queues.
void note_step(int agent);

/// Timers, spurious wakeups, signals and migrations as events.
void add_scheduler(checker::Builder& builder);

}  // namespace futexmc::model
