// SPDX-License-Identifier: GPL-2.0-or-later
//
// The knock-outs, with the property that must catch each and the smallest scenario known to. A test
// runs the table: each line is found with the knock-out and absent without.
#include "model/variant.hpp"

namespace futexmc::model {

const std::vector<KnockoutInfo>& knockouts() {
  using enum Knockout;
  static const std::vector<KnockoutInfo> table = {
      {waiters_before_check, "waiters-before-check",
       "the waiter is counted before the word is read: count it after", "lost-wakeup", "wait-wake"},
      {value_check_locked, "value-check-locked",
       "the word is read under the bucket lock: decide to queue from a read before it",
       "lost-wakeup", "wait-wake"},
      {unqueue_recheck, "unqueue-recheck",
       "futex_unqueue() tests that lock_ptr is still the lock it took", "warn",
       "wait-timeout-resize"},
      {unqueue_rcu, "unqueue-rcu", "futex_unqueue() takes lock_ptr's lock inside RCU", "lifetime",
       "wait-timeout-resize"},
      {wake_unlink_first, "wake-unlink-first",
       "the waker unlinks the entry before it clears lock_ptr", "lifetime", "wait-spurious-wake"},
      {wake_no_touch, "wake-no-touch",
       "the waker does not touch the entry after it cleared lock_ptr", "lifetime",
       "wait-spurious-wake"},
      {wake_bitset, "wake-bitset", "futex_wake() skips waiters whose bitset does not match",
       "condition", "bitset"},
      {wake_up_q, "wake-up-q", "dequeued waiters are woken after the lock is dropped",
       "queued-sleeper", "wait-wake"},
      {wake_q_clear_first, "wake-q-clear-first",
       "wake_up_q() unlinks a task before it wakes it", "lost-wakeup", "wait-again"},
      {put_wake, "put-wake", "the put of the last reference wakes whoever waits for the pivot",
       "deadlock", "wake-resize"},
      {fold_wake, "fold-wake", "a fold that finds no reference wakes whoever waits for the pivot",
       "deadlock", "wake-resize"},
      {put_no_touch, "put-no-touch",
       "the table is not read after the last reference was given back", "lifetime", "wake-resize"},
      {fold_grace_period, "fold-grace-period",
       "a grace period passes between FR_ATOMIC and the fold", "refcount", "wake-resize"},
      {initial_ref, "initial-ref", "a table starts with a reference of its own", "refcount",
       "first-clone"},
      {next_ref, "next-ref", "the fold counts the next table's initial reference", "refcount",
       "wake-resize"},
      {bias, "bias", "the atomic is biased until the per-CPU counts are folded in", "refcount",
       "wake-resize"},
      {dead_test, "dead-test", "a table is replaced only when its count is zero", "refcount",
       "wake-resize"},
      {publish_grace_period, "publish-grace-period",
       "a grace period passes between publishing a table and beginning to replace it", "lifetime",
       "wake-resize-twice"},
      {free_grace_period, "free-grace-period",
       "a grace period passes between replacing a table and freeing it", "lifetime",
       "wake-resize"},
      {rehash_waiters, "rehash-waiters", "the rehash counts a moved waiter on the new bucket",
       "waiter-count", "wait-timeout-resize"},
      {rehash_move, "rehash-move", "the pivot moves queued waiters to the new table",
       "reachability", "wait-timeout-resize"},
      {rehash_lock_ptr, "rehash-lock-ptr", "the rehash rewrites lock_ptr of a moved waiter",
       "reachability", "wait-timeout-resize"},
      {pivot_free_old, "pivot-free-old", "the pivot frees the table that it replaced", "lifetime",
       "wake-resize"},
  };
  return table;
}

}  // namespace futexmc::model
