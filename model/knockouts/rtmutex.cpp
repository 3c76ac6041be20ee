// SPDX-License-Identifier: GPL-2.0-or-later
//
// rt-mutexes: taking, queueing, inheriting, giving up.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> rtmutex_knockouts() {
  using enum Knockout;
  return {
      {rt_take_order, "rt-take-order", "try_to_take_rt_mutex",
       "a free lock goes to the first waiter, or to one that goes before it",
       "boost", "pi-steal"},
      {rt_take_owner, "rt-take-owner", "try_to_take_rt_mutex",
       "a lock that somebody owns is not taken",
       "pi-owner", "pi-lock"},
      {rt_take_unblock, "rt-take-unblock", "try_to_take_rt_mutex",
       "who has taken the lock is blocked on it no more",
       "lifetime", "pi-steal"},
      {rt_take_inherit, "rt-take-inherit", "try_to_take_rt_mutex",
       "who takes the lock inherits from those who wait on",
       "boost", "pi-steal"},
      {rt_block_boost, "rt-block-boost", "task_blocks_on_rt_mutex",
       "the owner gets the priority of its first waiter",
       "boost", "pi-steal"},
      {.id = rt_block_self, .name = "rt-block-self", .function = "task_blocks_on_rt_mutex",
       .title = "an owner that would wait for itself is told so",
       .property = "condition", .scenario = "pi-lock-self",
       .why = "futex_lock_pi_atomic() has refused it by the word, under the bucket lock",
       .together = "pi-lock-self"},
      {rt_block_walk, "rt-block-walk", "task_blocks_on_rt_mutex",
       "the chain is walked if the owner is blocked itself",
       "boost", "pi-chain"},
      {rt_unlock_deboost, "rt-unlock-deboost", "mark_wakeup_next_waiter",
       "an unlock gives the inherited priority back",
       "boost", "pi-chain"},
      {rt_unlock_preempt, "rt-unlock-preempt", "mark_wakeup_next_waiter",
       "from the loss of the priority to the wakeup preemption is off",
       "condition", "pi-inversion", Engine::sc, {}, {}, false},
      {rt_remove_inherit, "rt-remove-inherit", "remove_waiter",
       "when the first waiter gives up the owner inherits from the next",
       "boost", "pi-chain-timeout"},
      {rt_remove_deboost, "rt-remove-deboost", "remove_waiter",
       "when its first waiter gives up the owner loses that priority",
       "boost", "pi-chain"},
      {rt_remove_unblock, "rt-remove-unblock", "remove_waiter",
       "who gives up is blocked on the lock no more",
       "lifetime", "pi-deadlock"},
      {rt_remove_walk, "rt-remove-walk", "remove_waiter",
       "when a waiter gives up the chain is walked",
       "boost", "pi-chain"},
      {.id = rt_chain_changed, .name = "rt-chain-changed", .function = "rt_mutex_adjust_prio_chain",
       .title = "the walk stops where the task is blocked on another lock by now",
       .why = "among three threads another of the walk's tests ends it as well, as the task "
              "that moved on has no waiter of its own; with a fourth that waits for it, it is "
              "needed (SlowPi)"},
      {rt_chain_prio, "rt-chain-prio", "rt_mutex_adjust_prio_chain",
       "the walk gives a waiter its task's new priority",
       "boost", "pi-chain"},
      {rt_chain_wake, "rt-chain-wake", "rt_mutex_adjust_prio_chain",
       "the walk wakes a new first waiter of a lock that nobody owns",
       "lost-wakeup", "pi-chain-wake"},
      {.id = rt_chain_deadlock, .name = "rt-chain-deadlock",
       .function = "rt_mutex_adjust_prio_chain",
       .title = "the walk finds that it is back where it began",
       .property = "condition", .scenario = "pi-deadlock", .story = false},
      {rt_proxy_rollback, "rt-proxy-rollback", "rt_mutex_start_proxy_lock",
       "a waiter whose start failed is taken off",
       "lifetime", "requeue-pi-chain"},
      {.id = rt_cleanup_take, .name = "rt-cleanup-take", .function = "rt_mutex_cleanup_proxy_lock",
       .title = "who gives up tries once more: an unlocker may have left the lock to it",
       .property = "condition", .scenario = "pi-timeout",
       .why = "fixup_pi_owner() tries again for who was given the lock",
       .together = "pi-fixup-lost"},
      {rt_cleanup_remove, "rt-cleanup-remove", "rt_mutex_cleanup_proxy_lock",
       "who gives up is taken out of the queue",
       "lifetime", "pi-timeout"},
  };
}

}  // namespace futexmc::model
