// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting on several words, and the order of waiters.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> waitv_knockouts() {
  using enum Knockout;
  return {
      {waitv_guard, "waitv-guard", "futex_wait_multiple_setup",
       "a reference on the table is held from before the task's state is set until all entries are "
       "queued", "atomic-sleep", "waitv-resize"},
      {waitv_unqueue, "waitv-unqueue", "futex_wait_multiple_setup",
       "entries queued before a word that differs are taken off again", "lifetime",
       "waitv-one-wake"},
      {waitv_woken, "waitv-woken", "futex_wait_multiple_setup",
       "a wakeup during the set-up counts more than that another word differs", "condition",
       "waitv-one-wake"},
      {waitv_running, "waitv-running", "futex_wait_multiple_setup",
       "the task's state is TASK_RUNNING before a fault is resolved", "atomic-sleep",
       "waitv-fault"},
      {waitv_timer_test, "waitv-timer-test", "futex_sleep_multiple",
       "a wait whose timer has expired does not sleep", "lost-wakeup",
       "waitv-timeout"},
      {waitv_spurious, "waitv-spurious", "futex_wait_multiple",
       "a wait that was woken spuriously goes round again", "condition", "waitv-spurious"},
      {plist_prio, "plist-prio", "plist_add", "a waiter queues before those of lower priority",
       "condition", "priority-wake"},
      {.id = wait_restart_block, .name = "wait-restart-block", .function = "futex_wait",
       .title = "a wait with a timeout is not made again after a signal's handler",
       .property = "condition", .scenario = "wait-restart-timeout", .story = false},
      {flags_clock, "flags-clock", "do_futex", "FUTEX_CLOCK_REALTIME goes with some commands only",
       "condition", "flags-refused"},
      {flags_unknown, "flags-unknown", "futex_parse_waitv", "unknown flags are refused",
       "condition", "flags-refused"},
      {flags_size, "flags-size", "futex_flags_valid", "a word has 32 bits", "condition",
       "flags-refused"},
      {flags_value, "flags-value", "futex_validate_input",
       "values that do not fit into the word are refused", "condition", "flags-refused"},
      {flags_alike, "flags-alike", "sys_futex_requeue", "the flags of both words are the same",
       "condition", "flags-refused"},
      {wake_strict, "wake-strict", "futex_wake", "sys_futex_wake() of none wakes nobody",
       "condition", "flags-refused"},
  };
}

}  // namespace futexmc::model
