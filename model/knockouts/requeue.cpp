// SPDX-License-Identifier: GPL-2.0-or-later
//
// Operations on two words: futex_requeue(), futex_wake_op().
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> requeue_knockouts() {
  using enum Knockout;
  return {
      {requeue_count, "requeue-count", "futex_requeue",
       "the target bucket counts a waiter from before the first word is compared",
       "lost-wakeup", "requeue-wake"},
      {requeue_early_uncount, "requeue-early-uncount", "futex_requeue",
       "that count is taken back at the end", "waiter-count", "requeue"},
      {double_lock_same, "double-lock-same", "double_lock_hb",
       "two words of one bucket take its lock once", "deadlock", "requeue-collision"},
      {double_lock_order, "double-lock-order", "double_lock_hb",
       "two bucket locks are taken in the order of their addresses", "deadlock",
       "requeue-both-ways"},
      {requeue_target_lock, "requeue-target-lock", "futex_requeue",
       "the target bucket is locked", "lifetime", "requeue-timeout"},
      {requeue_lock_ptr, "requeue-lock-ptr", "requeue_futex",
       "a moved waiter's lock_ptr is the target bucket's lock", "reachability",
       "requeue"},
      {requeue_key, "requeue-key", "requeue_futex", "a moved waiter has the second word's key",
       "reachability", "requeue"},
      {requeue_waiters, "requeue-waiters", "requeue_futex",
       "a moved waiter is counted on the target", "waiter-count", "requeue"},
      {requeue_uncount, "requeue-uncount", "requeue_futex",
       "a moved waiter is no longer counted on the source", "waiter-count", "requeue"},
      {requeue_match, "requeue-match", "futex_requeue",
       "other words' waiters in the bucket are left alone", "condition", "requeue-collision"},
      {requeue_cmp, "requeue-cmp", "futex_requeue",
       "the first word holds the expected value", "lost-wakeup", "requeue-wake"},
      {requeue_limit, "requeue-limit", "futex_requeue",
       "no more waiters are moved than were asked for", "condition", "requeue-some"},
      {requeue_negative, "requeue-negative", "futex_requeue", "negative numbers are refused",
       "condition", "requeue-refused"},
      {requeue_fault_uncount, "requeue-fault-uncount", "futex_requeue",
       "the count on the target is taken back when the comparison faults", "waiter-count",
       "requeue-fault"},
      {requeue_refs, "requeue-refs", "futex_requeue",
       "both references on the table are held while the buckets are used", "lifetime",
       "requeue-resize"},
      {wake_op_late, "wake-op-late", "futex_wake_op",
       "the word is changed before the chains are looked at: change it after", "lost-wakeup",
       "wake-op"},
      {wake_op_signed, "wake-op-signed", "futex_atomic_op_inuser",
       "the old value is compared with its sign", "condition", "wake-op-operators"},
      {wake_op_extend, "wake-op-extend", "futex_atomic_op_inuser",
       "the operands' sign is extended", "condition", "wake-op-operators"},
      {wake_op_compare, "wake-op-compare", "futex_atomic_op_inuser",
       "the second word's waiters are woken only if the old value compares", "condition",
       "wake-op-operators"},
      {wake_op_refs, "wake-op-refs", "futex_wake_op",
       "both references on the table are held while the buckets are used", "lifetime",
       "wake-op-resize"},
      {wake_op_fault_retry, "wake-op-fault-retry", "futex_wake_op",
       "a fault on the word that could be resolved starts the operation again", "condition",
       "wake-op-fault"},
  };
}

}  // namespace futexmc::model
