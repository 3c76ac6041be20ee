// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's data that futex code stands on, as cells. Fields carry the kernel's names; one that
// the model adds says so.
//
// Follows include/linux/sched.h, rcupdate.h, plist.h, wait_bit.h, hrtimer.h.
#pragma once

#include <array>
#include <cstdint>

#include "checker/lock.hpp"
#include "checker/scope.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::model {

using checker::Cell;
using checker::Loc;
using checker::Order;
using checker::Scope;

inline constexpr int kMaxTasks = scenario::kMaxThreads + 1;  // the scenario's and the RCU worker
inline constexpr int kMaxCpus = scenario::kMaxThreads;
inline constexpr int kMaxSlots = scenario::kMaxSlots;
inline constexpr int kMaxTables = 6;  // private hashes that one execution may allocate

struct futex_q;

struct spinlock_t {
  checker::Lock lock;
};
struct mutex {
  checker::Lock lock;
};

struct list_head {
  Cell<list_head*> next;
  Cell<list_head*> prev;
};

/// Task states; a task that waits uninterruptibly is not woken by signals.
enum TaskState : unsigned { TASK_RUNNING = 0, TASK_INTERRUPTIBLE = 1, TASK_UNINTERRUPTIBLE = 2 };

/// Where a task stands with respect to RCU and preemption, in one cell because the environment
/// looks at all of it at once.
struct ReadSide {
  std::uint8_t depth;    ///< nested read-side sections; a spinlock and disabled preemption count
  std::uint8_t preempt;  ///< preempt_count
  bool blocks_gp;        ///< entered before the grace period in progress began
  bool operator==(const ReadSide&) const = default;
};

struct wait_bit_queue_entry {
  Cell<bool> woken;  ///< WQ_FLAG_WOKEN of wq_entry.flags
};

struct hrtimer_sleeper {
  Cell<bool> armed;  ///< the model's: the timer is queued and may expire at any moment
  Cell<bool> task;   ///< non-NULL until the timer has expired
};

struct rt_mutex_waiter;
struct futex_pi_state;

struct task_struct {
  Cell<unsigned> state;  ///< __state
  Cell<ReadSide> read_side;
  Cell<bool> signal_pending;
  Cell<bool> wake_q;  ///< wake_q.next != NULL: the task is on somebody's wake_q
  Cell<int> cpu;
  Cell<bool> started;     ///< the model's: clone() has created it
  Cell<bool> futex_wait;  ///< the model's: inside futex_wait(), for who-sleeps-on-what
  Cell<futex_q*> set_up;  ///< the model's: entry that is counted in hb->waiters, not yet queued
  Cell<std::uint64_t> held;  ///< the model's: references on table i, in byte i
  Cell<int> prio;         ///< effective, of the kernel's kind: the lower goes first
  Cell<int> normal_prio;  ///< without inheritance
  spinlock_t pi_lock;
  Cell<std::uint64_t> pi_waiters;  ///< see waiter_tree in rtmutex.hpp
  Cell<rt_mutex_waiter*> pi_blocked_on;
  Cell<bool> pi_walk;  ///< the model's: a change of priority is on its way along the chain
  Cell<futex_pi_state*> pi_state_cache;  ///< futex.pi_state_cache
  hrtimer_sleeper timeout;    // on the stack of futex_wait()
  wait_bit_queue_entry wait;  // on the stack of futex_hash_allocate()
  std::array<Cell<std::int64_t>, scenario::kMaxRegisters> registers;  ///< of the user program
};

/// Grace periods. Bits name callbacks: bit 0 is mm->futex.phash.rcu, bit 1+i frees table i.
struct rcu_state {
  Cell<std::uint64_t> next;     ///< queued; wait for the next grace period to begin
  Cell<std::uint64_t> waiting;  ///< wait for the grace period in progress to end
  Cell<std::uint64_t> done;     ///< may be invoked
  Cell<bool> in_progress;
};

/// A wait queue as the set of tasks on it; bit i is task i. Order among them is not kept: all are
/// woken together.
struct wait_queue_head {
  spinlock_t lock;
  Cell<std::uint64_t> head;
};

/// With strict priorities: whether a task is at the head of the queue for its priority. It has had
/// the CPU and not been blocked since; a task of higher priority does not take its place.
struct run_queue {
  std::array<Cell<bool>, scenario::kMaxThreads> head;
};

/// What remains of the scenario's budgets.
struct budget_counters {
  Cell<int> spurious, signal, fault, migrate, alloc_fail, reuse;
};

}  // namespace futexmc::model
