// SPDX-License-Identifier: GPL-2.0-or-later
//
// Taking an rt-mutex, queueing for it, handing it on and giving up. Follows
// kernel/locking/rtmutex.c: try_to_take_rt_mutex, task_blocks_on_rt_mutex, mark_wakeup_next_waiter,
// remove_waiter.
#include "model/kernel/rtmutex.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// rt_mutex_steal(): whether the priority goes before the first waiter's.
bool steals(rt_mutex_base& lock, int prio, const rt_mutex_waiter& top) {
  return prio < checker::load_under(lock.wait_lock.lock, top.tree.prio);
}

/// Whether the task may have the lock, which nobody owns. Takes its waiter off if it has one.
bool may_take(rt_mutex_base& lock, int task, rt_mutex_waiter* waiter) {
  Scope scope("try_to_take_rt_mutex");
  rt_mutex_waiter* const top = rt_mutex_top_waiter(lock);
  if (waiter == nullptr) {
    const bool take = top == nullptr || knocked(Knockout::rt_take_order) ||
                      steals(lock, waiter_prio(task), *top);
    return scope.returns(take);
  }
  if (top == nullptr) checker::fault("lifetime", {"try_to_take_rt_mutex() reads a NULL waiter"});
  const int prio = checker::load_under(lock.wait_lock.lock, waiter->tree.prio);
  if (waiter != top && !knocked(Knockout::rt_take_order) && !steals(lock, prio, *top)) {
    return scope.returns(false);
  }
  rt_mutex_dequeue(lock, *waiter);
  return scope.returns(true);
}

}  // namespace

bool try_to_take_rt_mutex(rt_mutex_base& lock, int task, rt_mutex_waiter* waiter) {
  Scope scope("try_to_take_rt_mutex");
  mark_rt_mutex_waiters(lock);
  if (rt_mutex_owner(lock) >= 0 && !knocked(Knockout::rt_take_owner)) return scope.returns(false);
  if (!may_take(lock, task, waiter)) return scope.returns(false);
  const bool others = rt_mutex_has_waiters(lock);
  scope.at("take", others);
  if (waiter != nullptr || others) {
    task_struct& p = task_of(task);
    spin_lock(p.pi_lock);
    if (!knocked(Knockout::rt_take_unblock)) {
      checker::store_under(p.pi_lock.lock, p.pi_blocked_on, nullptr);
    }
    if (others && !knocked(Knockout::rt_take_inherit)) {
      rt_mutex_enqueue_pi(task, *rt_mutex_top_waiter(lock));
    }
    spin_unlock(p.pi_lock);
  }
  rt_mutex_set_owner(lock, task);
  return scope.returns(true);
}

namespace {

/// Puts the task in the queue. The waiter that was first before; its own if there was none.
rt_mutex_waiter* queue_waiter(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task) {
  Scope scope("task_blocks_on_rt_mutex");
  task_struct& p = task_of(task);
  spin_lock(p.pi_lock);
  checker::store_under(p.pi_lock.lock, waiter.task, task + 1);
  checker::store_under(p.pi_lock.lock, waiter.lock, &lock);
  waiter_update_prio(waiter, task);
  waiter_clone_prio(waiter);
  rt_mutex_waiter* top = rt_mutex_top_waiter(lock);
  if (top == nullptr) top = &waiter;
  rt_mutex_enqueue(lock, waiter);
  checker::store_under(p.pi_lock.lock, p.pi_blocked_on, &waiter);
  spin_unlock(p.pi_lock);
  return scope.returns(top);
}

/// Lets the owner inherit. The lock that the owner is blocked on, if the chain is to be walked.
rt_mutex_base* boost_owner(rt_mutex_base& lock, rt_mutex_waiter& waiter,
                           rt_mutex_waiter& top_before, int owner) {
  Scope scope("task_blocks_on_rt_mutex");
  task_struct& p = task_of(owner);
  spin_lock(p.pi_lock);
  if (&waiter == rt_mutex_top_waiter(lock)) {
    rt_mutex_dequeue_pi(owner, top_before);
    rt_mutex_enqueue_pi(owner, waiter);
    if (!knocked(Knockout::rt_block_boost)) rt_mutex_adjust_prio(lock, owner);
  }
  // With deadlock detection the chain is walked whether the waiter is the first or not.
  rt_mutex_base* const next = task_blocked_on_lock(owner);
  spin_unlock(p.pi_lock);
  return scope.returns(next);
}

}  // namespace

int task_blocks_on_rt_mutex(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task) {
  Scope scope("task_blocks_on_rt_mutex");
  const int owner = rt_mutex_owner(lock);
  // Before it is queued: others would find a deadlock that is not theirs.
  if (owner == task && !knocked(Knockout::rt_block_self)) return scope.returns(-EDEADLK);
  scope.at("queue", owner);
  rt_mutex_waiter* const top_before = queue_waiter(lock, waiter, task);
  if (owner < 0) return scope.returns(0);
  rt_mutex_base* const next = boost_owner(lock, waiter, *top_before, owner);
  if (next == nullptr || knocked(Knockout::rt_block_walk)) return scope.returns(0);
  current().pi_walk.poke(true);
  scope.at("walk", owner, next);
  spin_unlock(lock.wait_lock);
  const int ret = rt_mutex_adjust_prio_chain(owner, rtmutex_chainwalk::full, &lock, next, &waiter,
                                             task);
  current().pi_walk.poke(false);
  spin_lock(lock.wait_lock);
  return scope.returns(ret);
}

int task_to_wake(rt_mutex_base& lock, const rt_mutex_waiter& waiter) {
  const int task = task_of_waiter(lock, waiter);
  if (task < 0) checker::fault("lifetime", {"the first waiter of an rt-mutex has no task"});
  return task;
}

void mark_wakeup_next_waiter(wake_q_head& wake_q, rt_mutex_base& lock) {
  Scope scope("mark_wakeup_next_waiter");
  task_struct& p = current();
  spin_lock(p.pi_lock);
  rt_mutex_waiter* const top = rt_mutex_top_waiter(lock);
  if (top == nullptr) checker::fault("lifetime", {"mark_wakeup_next_waiter() uses a NULL waiter"});
  rt_mutex_waiter& waiter = *top;
  rt_mutex_dequeue_pi(current_id(), waiter);
  if (!knocked(Knockout::rt_unlock_deboost)) rt_mutex_adjust_prio(lock, current_id());
  // The waiter stays in the queue until it has the lock, and keeps lower ones from taking it.
  write_plain(lock.owner, RT_MUTEX_HAS_WAITERS);
  // Its priority is lost and the waiter not woken yet: nobody may come between.
  if (!knocked(Knockout::rt_unlock_preempt)) preempt_disable();
  wake_q.add(task_to_wake(lock, waiter));
  spin_unlock(p.pi_lock);
}

namespace {

/// Takes the owner's inheritance of the waiter back. The lock that the owner is blocked on.
rt_mutex_base* deboost_owner(rt_mutex_base& lock, rt_mutex_waiter& waiter, int owner) {
  Scope scope("remove_waiter");
  task_struct& p = task_of(owner);
  spin_lock(p.pi_lock);
  rt_mutex_dequeue_pi(owner, waiter);
  rt_mutex_waiter* const top = rt_mutex_top_waiter(lock);
  if (top != nullptr && !knocked(Knockout::rt_remove_inherit)) rt_mutex_enqueue_pi(owner, *top);
  if (!knocked(Knockout::rt_remove_deboost)) rt_mutex_adjust_prio(lock, owner);
  rt_mutex_base* const next = task_blocked_on_lock(owner);
  spin_unlock(p.pi_lock);
  return scope.returns(next);
}

}  // namespace

void remove_waiter(rt_mutex_base& lock, rt_mutex_waiter& waiter) {
  Scope scope("remove_waiter");
  const bool is_top_waiter = &waiter == rt_mutex_top_waiter(lock);
  const int owner = rt_mutex_owner(lock);
  const int task = task_of_waiter(lock, waiter);
  if (task < 0) return;  // never queued
  scope.at("dequeue", is_top_waiter, owner, task);
  task_struct& p = task_of(task);
  spin_lock(p.pi_lock);
  rt_mutex_dequeue(lock, waiter);
  if (!knocked(Knockout::rt_remove_unblock)) {
    checker::store_under(p.pi_lock.lock, p.pi_blocked_on, nullptr);
  }
  spin_unlock(p.pi_lock);
  if (owner < 0 || !is_top_waiter) return;
  rt_mutex_base* const next = deboost_owner(lock, waiter, owner);
  if (next == nullptr || knocked(Knockout::rt_remove_walk)) return;
  current().pi_walk.poke(true);
  scope.at("walk", owner, next, task);
  spin_unlock(lock.wait_lock);
  rt_mutex_adjust_prio_chain(owner, rtmutex_chainwalk::min, &lock, next, nullptr, task);
  current().pi_walk.poke(false);
  spin_lock(lock.wait_lock);
}

}  // namespace futexmc::model
