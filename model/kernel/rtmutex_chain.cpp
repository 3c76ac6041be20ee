// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chain walk: a change of priority, or the search for a deadlock, goes from an owner that is
// blocked itself to the next. Follows kernel/locking/rtmutex.c: rt_mutex_adjust_prio_chain; the
// numbers are that function's.
//
// At most two locks are held at a time and none between steps, so everything may have changed. The
// limit on the depth (1024) is left out.
#include "model/kernel/rtmutex.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// What one walk knows between its steps.
struct Walk {
  bool detect_deadlock;
  rt_mutex_base* orig_lock;
  rt_mutex_waiter* orig_waiter;
  int top_task;
  // Of the step at hand.
  int task;
  rt_mutex_base* next_lock;
  rt_mutex_waiter* top_waiter;
  bool requeue = true;
};

enum class Go : std::uint8_t { on, stop };

/// [2] and [3], with the task's pi_lock held: the waiter to follow, or null at the end of the chain
/// and where it has changed.
rt_mutex_waiter* waiter_to_follow(Walk& walk) {
  Scope scope("rt_mutex_adjust_prio_chain");
  const task_struct& p = task_of(walk.task);
  const checker::Lock& pi_lock = p.pi_lock.lock;
  const auto stop = [&scope] { return scope.returns(static_cast<rt_mutex_waiter*>(nullptr)); };
  rt_mutex_waiter* const waiter = checker::load_under(pi_lock, p.pi_blocked_on);
  if (waiter == nullptr) return stop();
  if (walk.orig_waiter != nullptr && rt_mutex_owner_unlocked(*walk.orig_lock) < 0) return stop();
  const bool moved = walk.next_lock != checker::load_under(pi_lock, waiter->lock);
  if (moved && !knocked(Knockout::rt_chain_changed)) return stop();
  if (walk.top_waiter != nullptr) {
    const rt_mutex_waiter* const top = task_top_pi_waiter(walk.task);
    if (top == nullptr) return stop();
    if (walk.top_waiter != top) {
      if (!walk.detect_deadlock) return stop();
      walk.requeue = false;
    }
  }
  if (checker::load_under(pi_lock, waiter->tree.prio) == waiter_prio(walk.task)) {
    if (!walk.detect_deadlock) return stop();
    walk.requeue = false;
  }
  scope.returns(checker::to_word(waiter), static_cast<std::uint64_t>(walk.requeue));
  return waiter;
}

/// [9] and [10]: the owner, who is followed next, or -1 with the wait_lock released.
int follow_owner(rt_mutex_base& lock) {
  Scope scope("rt_mutex_adjust_prio_chain");
  const int owner = rt_mutex_owner(lock);
  if (owner < 0) {
    spin_unlock(lock.wait_lock);
    return scope.returns(-1);
  }
  return scope.returns(owner);
}

/// [12] and [13], with both locks held, which it releases.
void note_next(Walk& walk, rt_mutex_base& lock) {
  Scope scope("rt_mutex_adjust_prio_chain");
  walk.next_lock = task_blocked_on_lock(walk.task);
  walk.top_waiter = rt_mutex_top_waiter(lock);
  scope.at("unlock", walk.next_lock, walk.top_waiter);
  spin_unlock(task_of(walk.task).pi_lock);
  spin_unlock(lock.wait_lock);
  scope.returns(checker::to_word(walk.next_lock), checker::to_word(walk.top_waiter));
}

/// A step that only looks for a deadlock.
Go step_over(Walk& walk, rt_mutex_base& lock) {
  Scope scope("rt_mutex_adjust_prio_chain");
  spin_unlock(task_of(walk.task).pi_lock);
  walk.task = follow_owner(lock);
  if (walk.task < 0) return scope.returns(Go::stop);
  scope.at("owner", walk.task);
  spin_lock(task_of(walk.task).pi_lock);
  note_next(walk, lock);
  const Go go = walk.next_lock == nullptr ? Go::stop : Go::on;
  scope.at("next", walk.task, walk.next_lock, walk.top_waiter, go);
  scope.returns(checker::to_word(walk.next_lock), checker::to_word(walk.top_waiter));
  return go;
}

/// [11], with the owner's pi_lock held: the owner inherits from the waiter that is first now. The
/// waiter to go on with.
rt_mutex_waiter* requeue_pi(rt_mutex_base& lock, int owner, rt_mutex_waiter& waiter,
                            rt_mutex_waiter& top_before) {
  Scope scope("rt_mutex_adjust_prio_chain");
  rt_mutex_waiter* const top = rt_mutex_top_waiter(lock);
  if (&waiter != top && &waiter != &top_before) return scope.returns(&waiter);
  rt_mutex_dequeue_pi(owner, top_before);
  waiter_clone_prio(*top);
  rt_mutex_enqueue_pi(owner, *top);
  rt_mutex_adjust_prio(lock, owner);
  return scope.returns(top);
}

/// A step that passes the task's new priority on.
Go step_with_requeue(Walk& walk, rt_mutex_base& lock, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_adjust_prio_chain");
  rt_mutex_waiter* const top_before = rt_mutex_top_waiter(lock);
  rt_mutex_dequeue(lock, waiter);  // [7]
  if (!knocked(Knockout::rt_chain_prio)) waiter_update_prio(waiter, walk.task);
  rt_mutex_enqueue(lock, waiter);
  scope.at("requeued", top_before);
  spin_unlock(task_of(walk.task).pi_lock);  // [8]
  if (rt_mutex_owner(lock) < 0) {  // [9]
    // A new first waiter has to try for itself.
    rt_mutex_waiter* const top = rt_mutex_top_waiter(lock);
    if (top != top_before && !knocked(Knockout::rt_chain_wake)) {
      wake_up_process(task_to_wake(lock, *top));
    }
    spin_unlock(lock.wait_lock);
    walk.task = -1;
    return scope.returns(Go::stop);
  }
  walk.task = rt_mutex_owner(lock);  // [10]
  scope.at("owner", walk.task, top_before);
  spin_lock(task_of(walk.task).pi_lock);
  rt_mutex_waiter* const followed = requeue_pi(lock, walk.task, waiter, *top_before);
  scope.at("inherited", walk.task, followed);
  note_next(walk, lock);
  const bool stop = walk.next_lock == nullptr ||
                    (!walk.detect_deadlock && followed != walk.top_waiter);
  const Go go = stop ? Go::stop : Go::on;
  scope.at("next", walk.task, walk.next_lock, walk.top_waiter, go);
  scope.returns(checker::to_word(walk.next_lock), checker::to_word(walk.top_waiter));
  return go;
}

}  // namespace

int rt_mutex_adjust_prio_chain(int task, rtmutex_chainwalk chwalk, rt_mutex_base* orig_lock,
                               rt_mutex_base* next_lock, rt_mutex_waiter* orig_waiter,
                               int top_task) {
  Scope scope("rt_mutex_adjust_prio_chain");
  Walk walk{.detect_deadlock = chwalk == rtmutex_chainwalk::full,
            .orig_lock = orig_lock,
            .orig_waiter = orig_waiter,
            .top_task = top_task,
            .task = task,
            .next_lock = next_lock,
            .top_waiter = orig_waiter};
  for (;;) {
    scope.at("again", walk.task, walk.next_lock, walk.top_waiter, walk.requeue);
    task_struct& p = task_of(walk.task);
    spin_lock(p.pi_lock);  // [1]
    rt_mutex_waiter* const waiter = waiter_to_follow(walk);
    if (waiter == nullptr) {
      spin_unlock(p.pi_lock);
      return scope.returns(0);
    }
    rt_mutex_base& lock = *checker::load_under(p.pi_lock.lock, waiter->lock);  // [4]
    scope.at("try", walk.task, walk.next_lock, walk.top_waiter, walk.requeue, waiter, &lock);
    if (!spin_trylock(lock.wait_lock)) {  // [5]: the other order
      spin_unlock(p.pi_lock);
      continue;
    }
    const bool self = &lock == orig_lock || rt_mutex_owner(lock) == top_task;  // [6]
    if (self && !knocked(Knockout::rt_chain_deadlock)) {
      spin_unlock(lock.wait_lock);
      spin_unlock(p.pi_lock);
      return scope.returns(-EDEADLK);
    }
    scope.at("step", walk.task, walk.next_lock, walk.top_waiter, walk.requeue, waiter, &lock);
    const Go go = walk.requeue ? step_with_requeue(walk, lock, *waiter) : step_over(walk, lock);
    if (go == Go::stop) return scope.returns(0);
  }
}

}  // namespace futexmc::model
