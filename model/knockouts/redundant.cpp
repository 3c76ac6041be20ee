// SPDX-License-Identifier: GPL-2.0-or-later
//
// What nothing catches: `why` names what supplies the order instead, or what it is for.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> redundant_knockouts() {
  using enum Knockout;
  return {
      {.id = wait_list_test, .name = "wait-list-test", .function = "futex_do_wait",
       .title = "a waiter that has been taken off the chain does not sleep",
       .property = "lost-wakeup", .scenario = "wait-wake",
       .why = "the state is set before the entry can be found, so the waker's "
              "wake_up_process() undoes it and schedule() returns",
       .together = "wait-state-first"},
      {.id = wait_state_barrier, .name = "wait-state-barrier", .function = "futex_wait_setup",
       .title = "the task's state is ordered before what follows: no full barrier",
       .why = "the bucket lock's release orders it before the entry can be found, and "
              "schedule() has a barrier of its own before it looks at the state"},
      {.id = wake_pending, .name = "wake-pending", .function = "futex_wake",
       .title = "futex_wake() does not take the lock of a bucket that counts no waiter",
       .why = "an optimisation: under the lock the chain is empty"},
      {.id = wake_unlocked, .name = "wake-unlocked", .function = "futex_wake",
       .title = "waiters are woken after the lock is dropped: wake them under it",
       .why = "an optimisation: the woken would run into the lock"},
      {.id = get_preempt, .name = "get-preempt", .function = "futex_ref_get",
       .title = "preemption is off between the get's look at the state and its count",
       .why = "the lookup is inside RCU, which the fold's grace period waits for; on one CPU "
              "the increment is one instruction (on architectures where it is not, preemption "
              "has to be off, which the model does not show)"},
      {.id = put_test, .name = "put-test", .function = "futex_ref_put",
       .title = "the put's decrement and its test are one operation",
       .why = "once zero the count is not taken up again, so whoever put the last reference "
              "reads zero, or the table has been replaced meanwhile and there is nobody to "
              "wake"},
      {.id = dead_rcu, .name = "dead-rcu", .function = "futex_ref_is_dead",
       .title = "futex_ref_is_dead() looks at the table inside RCU",
       .why = "all callers hold phash.lock, under which the current table is not replaced"},
      {.id = rehash_uncount, .name = "rehash-uncount", .function = "futex_rehash_private",
       .title = "the rehash takes a moved waiter off the old bucket's count",
       .why = "nobody holds a reference on the old table, and no lookup finds it: its counts "
              "are not read again"},
      {.id = pivot_state, .name = "pivot-state", .function = "__futex_pivot_hash",
       .title = "a table starts with FR_PERCPU",
       .why = "kvzalloc() gives zeroes, and the state of a table that waits does not change"},
      {.id = global_test, .name = "global-test", .function = "futex_hash_allocate",
       .title = "futex_hash_allocate() looks for the global hash before it allocates",
       .property = "lifetime", .scenario = "global-for-good",
       .why = "the test under the mutex finds it too",
       .together = "busy-test"},
      {.id = busy_handover, .name = "busy-handover", .function = "futex_hash_allocate",
       .title = "a refused table leaves the one that waits in its place",
       .why = "none waits once the global hash is current: the pivot to it took the last one, "
              "and no other is let in"},
      {.id = ref_cmpxchg, .name = "ref-cmpxchg", .function = "futex_hash_allocate",
       .title = "of two counters that race one stays",
       .why = "the scenarios' processes have one thread until the first clone, which has added "
              "the counter; a process that shares memory by vfork() is outside the model"},
      {.id = prctl_wait, .name = "prctl-wait", .function = "futex_hash_allocate",
       .title = "prctl() sleeps until the old table is dead",
       .why = "an optimisation: it would try again and again under the mutex"},
      {.id = default_grows, .name = "default-grows", .function = "futex_hash_allocate_default",
       .title = "a clone that needs no more buckets does not allocate",
       .why = "an optimisation: it would install a table of the size it asks for"},
      {.id = woken_clear, .name = "woken-clear", .function = "wait_woken",
       .title = "wait_woken() resets the flag",
       .why = "an optimisation: without it the next waits return at once and the loop spins"},
      {.id = wake_var_active, .name = "wake-var-active", .function = "wake_up_var",
       .title = "wake_up_var() does not take the lock of an empty queue",
       .why = "an optimisation: under the lock the queue is empty"},
      {.id = requeue_same_bucket, .name = "requeue-same-bucket", .function = "requeue_futex",
       .title = "a waiter whose new word is in the same bucket stays where it is in the chain",
       .why = "an optimisation: taken off and put back it is at the end of the same chain, and its "
              "key is no longer the one that is looked for"},
      {.id = waitv_ref, .name = "waitv-ref", .function = "futex_wait_multiple_setup",
       .title = "a reference on the table is held until the word's entry is queued",
       .property = "lifetime", .scenario = "waitv-resize",
       .why = "the guard's reference is held for the whole set-up",
       .together = "waitv-guard"},
      {.id = waitv_lock_ptr_test, .name = "waitv-lock-ptr-test",
       .function = "futex_sleep_multiple",
       .title = "a waiter of which an entry has been taken off does not sleep",
       .property = "lost-wakeup", .scenario = "waitv",
       .why = "the state is set before the first entry can be found, so the waker's "
              "wake_up_process() undoes it and schedule() returns",
       .together = "waitv-state-late"},
      {.id = waitv_state_late, .name = "waitv-state-late",
       .function = "futex_wait_multiple_setup",
       .title = "the task's state is set before the first entry is queued: set it after the last",
       .property = "lost-wakeup", .scenario = "waitv",
       .why = "futex_sleep_multiple() looks at each lock_ptr after the state is set, and does not "
              "sleep if a waker has been there",
       .together = "waitv-lock-ptr-test"},
      {.id = waitv_key_once, .name = "waitv-key-once", .function = "futex_wait_multiple_setup",
       .title = "private keys are not computed again when the set-up starts again",
       .why = "an optimisation, and not sound: an entry that was requeued meanwhile keeps the "
              "other word's key (docs/findings.md)"},
  };
}

}  // namespace futexmc::model
