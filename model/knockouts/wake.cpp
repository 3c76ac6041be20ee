// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waking: futex_wake(), __futex_wake_mark(), wake_up_q().
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> wake_knockouts() {
  using enum Knockout;
  return {
      {wake_ref, "wake-ref", "futex_wake",
       "the reference on the table is held until the waker is done with the bucket",
       "lifetime", "wake-resize"},
      {wake_lock, "wake-lock", "futex_wake",
       "futex_wake() takes the bucket lock",
       "warn", "wait-wake"},
      {wake_key, "wake-key", "futex_wake",
       "futex_wake() skips waiters on another word",
       "condition", "collision"},
      {wake_bitset, "wake-bitset", "futex_wake",
       "futex_wake() skips waiters whose bitset does not match",
       "condition", "bitset"},
      {wake_limit, "wake-limit", "futex_wake",
       "futex_wake() stops at the number that it was asked for",
       "condition", "wake-one"},
      {wake_get_task, "wake-get-task", "futex_wake_mark",
       "the waker holds a reference on the task before it lets the waiter go",
       "lifetime", "wait-wake"},
      {wake_unlink_first, "wake-unlink-first", "__futex_wake_mark",
       "the waker unlinks the entry before it clears lock_ptr",
       "lifetime", "wait-spurious-wake"},
      {wake_no_touch, "wake-no-touch", "futex_wake_mark",
       "the waker does not touch the entry after it cleared lock_ptr",
       "lifetime", "wait-spurious-wake"},
      {wake_lock_ptr, "wake-lock-ptr", "__futex_wake_mark",
       "the waker clears lock_ptr",
       "warn", "wait-wake"},
      {wake_up_q, "wake-up-q", "futex_wake",
       "dequeued waiters are woken after the lock is dropped",
       "queued-sleeper", "wait-wake"},
      {wake_q_clear_first, "wake-q-clear-first", "wake_up_q",
       "wake_up_q() unlinks a task before it wakes it",
       "lost-wakeup", "wait-again"},
  };
}

}  // namespace futexmc::model
