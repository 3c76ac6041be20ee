// SPDX-License-Identifier: GPL-2.0-or-later
//
// What PI futexes call. Follows kernel/locking/rtmutex_api.c, and rt_mutex_slowlock_block() of
// rtmutex.c: a waiter does not spin while the owner runs, which is a wakeup that nobody asked for.
#include "model/kernel/alloc.hpp"
#include "model/kernel/rtmutex.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// With wait_lock held, which it drops while it sleeps.
int rt_mutex_slowlock_block(rt_mutex_base& lock, hrtimer_sleeper* timeout,
                            rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_slowlock_block");
  int ret = 0;
  for (;;) {
    scope.at("again");
    if (try_to_take_rt_mutex(lock, current_id(), &waiter)) break;
    if (timeout != nullptr && !read_plain(timeout->task)) {
      ret = -ETIMEDOUT;
      break;
    }
    if (signal_pending()) {
      ret = -EINTR;
      break;
    }
    scope.at("sleep");
    spin_unlock(lock.wait_lock);
    schedule();
    spin_lock(lock.wait_lock);
    set_current_state(TASK_INTERRUPTIBLE);
  }
  __set_current_state(TASK_RUNNING);
  return scope.returns(ret);
}

}  // namespace

rt_mutex_waiter& rt_mutex_init_waiter() {
  rt_mutex_waiter& waiter = *machine.rt_waiter[checker::rt.current_id];
  revive(&waiter);
  return waiter;
}

// What the locks of its lock and its owner protect goes without them: of a waiter that somebody can
// still find, that commutes with nothing.
void end_scope(rt_mutex_waiter& waiter) {
  const bool found = waiter.tree.queued.peek() || waiter.pi_tree.queued.peek();
  if (found && checker::rt.movers) {
    checker::rt.monitor->discipline_broken(waiter.tree.queued.index());
  }
  leave_stack(&waiter);
}

bool __rt_mutex_futex_trylock(rt_mutex_base& lock) {
  Scope scope("__rt_mutex_slowtrylock");
  const bool taken = try_to_take_rt_mutex(lock, current_id(), nullptr);
  scope.at("tried", taken);
  fixup_rt_mutex_waiters(lock);
  return scope.returns(taken);
}

bool rt_mutex_futex_trylock(rt_mutex_base& lock) {
  Scope scope("rt_mutex_slowtrylock");
  if (rt_mutex_owner_unlocked(lock) >= 0) return scope.returns(false);
  spin_lock(lock.wait_lock);
  const bool taken = __rt_mutex_futex_trylock(lock);
  spin_unlock(lock.wait_lock);
  return scope.returns(taken);
}

bool __rt_mutex_futex_unlock(rt_mutex_base& lock, wake_q_head& wake_q) {
  Scope scope("__rt_mutex_futex_unlock");
  if (!rt_mutex_has_waiters(lock)) {
    write_plain(lock.owner, 0U);
    return scope.returns(false);
  }
  mark_wakeup_next_waiter(wake_q, lock);
  return scope.returns(true);
}

void rt_mutex_postunlock(wake_q_head& wake_q) {
  Scope scope("rt_mutex_postunlock");
  wake_up_q(wake_q);
  if (!knocked(Knockout::rt_unlock_preempt)) preempt_enable();
}

void rt_mutex_init_proxy_locked(rt_mutex_base& lock, int proxy_owner) {
  lock.waiters.poke(0);
  lock.owner.poke(static_cast<unsigned>(proxy_owner + 1) * 2);
}

void rt_mutex_proxy_unlock(rt_mutex_base& lock) { rt_mutex_clear_owner(lock); }

int __rt_mutex_start_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task) {
  Scope scope("__rt_mutex_start_proxy_lock");
  if (try_to_take_rt_mutex(lock, task, nullptr)) return scope.returns(1);
  scope.at("block");
  int ret = task_blocks_on_rt_mutex(lock, waiter, task);
  // The owner may have let it go during the walk: the waiter will see.
  if (ret != 0 && rt_mutex_owner(lock) < 0) ret = 0;
  return scope.returns(ret);
}

int rt_mutex_start_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter, int task) {
  Scope scope("rt_mutex_start_proxy_lock");
  spin_lock(lock.wait_lock);
  const int ret = __rt_mutex_start_proxy_lock(lock, waiter, task);
  scope.at("started", ret);
  if (ret < 0 && !knocked(Knockout::rt_proxy_rollback)) remove_waiter(lock, waiter);
  spin_unlock(lock.wait_lock);
  return scope.returns(ret);
}

int rt_mutex_wait_proxy_lock(rt_mutex_base& lock, hrtimer_sleeper* to, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_wait_proxy_lock");
  spin_lock(lock.wait_lock);
  set_current_state(TASK_INTERRUPTIBLE);
  const int ret = rt_mutex_slowlock_block(lock, to, waiter);
  scope.at("done", ret);
  fixup_rt_mutex_waiters(lock);
  spin_unlock(lock.wait_lock);
  return scope.returns(ret);
}

bool rt_mutex_cleanup_proxy_lock(rt_mutex_base& lock, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_cleanup_proxy_lock");
  spin_lock(lock.wait_lock);
  // The unlocker may have left it without an owner, for this waiter to take.
  if (!knocked(Knockout::rt_cleanup_take)) try_to_take_rt_mutex(lock, current_id(), &waiter);
  const bool cleanup = rt_mutex_owner(lock) != current_id();
  scope.at("tried", cleanup);
  if (cleanup && !knocked(Knockout::rt_cleanup_remove)) remove_waiter(lock, waiter);
  fixup_rt_mutex_waiters(lock);
  spin_unlock(lock.wait_lock);
  return scope.returns(cleanup);
}

}  // namespace futexmc::model
