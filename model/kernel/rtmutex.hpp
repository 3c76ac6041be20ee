// SPDX-License-Identifier: GPL-2.0-or-later
//
// rt-mutexes as futexes use them: locked and unlocked on behalf of other tasks, never by the fast
// path. Follows kernel/locking/rtmutex_common.h, rtmutex.c and rtmutex_api.c.
//
// Lock order: wait_lock, then the pi_lock of a task. The chain walk goes the other way and only
// tries.
//
// Invariants
//  1. `waiters` and the bit in `owner` change under wait_lock, as does the owner, which is read
//     without.
//  2. A task's pi_waiters has the first waiter of each rt-mutex that it owns, and changes under its
//     pi_lock and that rt-mutex's wait_lock. pi_blocked_on changes under the task's pi_lock.
//  3. A waiter's `lock` and tree.prio change under both its task's pi_lock and the wait_lock, so
//     either is enough to read them; pi_tree.prio changes under wait_lock while not in a tree.
//
// Tasks are numbers here; -1 is NULL.
#pragma once

#include "model/kernel/atomic.hpp"
#include "model/kernel/lock.hpp"
#include "model/kernel/sched.hpp"

namespace futexmc::model {

/// rb_root_cached: the waiters in their order, first in the lowest byte, as task number plus one. A
/// task waits for one rt-mutex at a time, so its number says which waiter.
using waiter_tree = Cell<std::uint64_t>;

struct rt_waiter_node {
  Cell<bool> queued;  ///< !RB_EMPTY_NODE(&entry)
  Cell<int> prio;
};

/// Of an owner: the task plus one, times two, plus RT_MUTEX_HAS_WAITERS.
inline constexpr unsigned RT_MUTEX_HAS_WAITERS = 1;

struct rt_mutex_base {
  spinlock_t wait_lock;
  waiter_tree waiters;
  Cell<unsigned> owner;
};

struct rt_mutex_waiter {
  rt_waiter_node tree;
  rt_waiter_node pi_tree;
  Cell<int> task;  ///< plus one
  Cell<rt_mutex_base*> lock;
};

enum class rtmutex_chainwalk : std::uint8_t { min, full };

inline task_struct& task_of(int task) { return *machine.task[static_cast<std::size_t>(task)]; }

// rtmutex_tree.cpp: owners and trees. With wait_lock held, unless said otherwise.
int rt_mutex_owner(const rt_mutex_base& lock);
/// Without wait_lock.
int rt_mutex_owner_unlocked(const rt_mutex_base& lock);
void rt_mutex_set_owner(rt_mutex_base& lock, int task);
void rt_mutex_clear_owner(rt_mutex_base& lock);
void mark_rt_mutex_waiters(rt_mutex_base& lock);
void fixup_rt_mutex_waiters(rt_mutex_base& lock);
bool rt_mutex_has_waiters(const rt_mutex_base& lock);
rt_mutex_waiter* rt_mutex_top_waiter(rt_mutex_base& lock);
void rt_mutex_enqueue(rt_mutex_base& lock, rt_mutex_waiter& waiter);
void rt_mutex_dequeue(rt_mutex_base& lock, rt_mutex_waiter& waiter);
/// With the task's pi_lock held.
rt_mutex_waiter* task_top_pi_waiter(int task);
void rt_mutex_enqueue_pi(int task, rt_mutex_waiter& waiter);
void rt_mutex_dequeue_pi(int task, rt_mutex_waiter& waiter);
int waiter_prio(int task);
void waiter_update_prio(rt_mutex_waiter& waiter, int task);
void waiter_clone_prio(rt_mutex_waiter& waiter);
void rt_mutex_adjust_prio(rt_mutex_base& lock, int task);
/// The lock that the task, whose pi_lock is held, is blocked on, or null.
rt_mutex_base* task_blocked_on_lock(int task);
/// The task of a waiter of `lock`.
int task_of_waiter(rt_mutex_base& lock, const rt_mutex_waiter& waiter);
/// The same of one who is to be woken: a violation of `lifetime` if it has none.
int task_to_wake(rt_mutex_base& lock, const rt_mutex_waiter& waiter);

// rtmutex_chain.cpp. With no lock held; `next_lock` is compared only.
int rt_mutex_adjust_prio_chain(int task, rtmutex_chainwalk chwalk, rt_mutex_base* orig_lock,
                               rt_mutex_base* next_lock, rt_mutex_waiter* orig_waiter,
                               int top_task);

// rtmutex.cpp. With wait_lock held.
bool try_to_take_rt_mutex(rt_mutex_base& lock, int task, rt_mutex_waiter* waiter);
int task_blocks_on_rt_mutex(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task);
void mark_wakeup_next_waiter(wake_q_head& wake_q, rt_mutex_base& lock);
void remove_waiter(rt_mutex_base& lock, rt_mutex_waiter& waiter);

// rtmutex_api.cpp. Those that begin with __, with wait_lock held.
/// Begins the life of the current task's waiter, on its stack.
rt_mutex_waiter& rt_mutex_init_waiter();
void end_scope(rt_mutex_waiter& waiter);
bool __rt_mutex_futex_trylock(rt_mutex_base& lock);
bool rt_mutex_futex_trylock(rt_mutex_base& lock);
/// Whether rt_mutex_postunlock() is owed, until which preemption stays off.
bool __rt_mutex_futex_unlock(rt_mutex_base& lock, wake_q_head& wake_q);
void rt_mutex_postunlock(wake_q_head& wake_q);
/// Of an rt-mutex that nobody else can see.
void rt_mutex_init_proxy_locked(rt_mutex_base& lock, int proxy_owner);
void rt_mutex_proxy_unlock(rt_mutex_base& lock);
/// 1 if `task` has the lock, 0 if it is queued, or a negative error.
int __rt_mutex_start_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task);
int rt_mutex_start_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task);
int rt_mutex_wait_proxy_lock(rt_mutex_base& lock, hrtimer_sleeper* to, rt_mutex_waiter& waiter);
/// False if the current task has got the lock after all.
bool rt_mutex_cleanup_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter);

}  // namespace futexmc::model
