// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asking for a table: futex_hash_allocate() and what it waits for.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> allocate_knockouts() {
  using enum Knockout;
  return {
      {allocate_rcu, "allocate-rcu", "futex_hash_allocate",
       "futex_hash_allocate() looks at the current table inside RCU",
       "lifetime", "set-slots-race"},
      {slots_rcu, "slots-rcu", "futex_hash_get_slots",
       "PR_FUTEX_HASH_GET_SLOTS looks at the current table inside RCU",
       "lifetime", "get-slots-resize"},
      {default_custom, "default-custom", "futex_hash_allocate_default",
       "a clone does not replace the table that the user asked for",
       "condition", "clone-after-choice"},
      {install_mutex, "install-mutex", "futex_hash_allocate",
       "futex_hash_allocate() installs under the mutex",
       "lifetime", "set-slots-race"},
      {install_new_cleared, "install-new-cleared", "futex_hash_allocate",
       "a table that is being installed waits no more",
       "warn", "wake-resize"},
      {busy_test, "busy-test", "futex_hash_allocate",
       "the global hash is not replaced",
       "lifetime", "set-slots-global-race"},
      {busy_free, "busy-free", "futex_hash_allocate",
       "a table that comes too late for the global hash is freed",
       "lifetime", "set-slots-global-race"},
      {less_zero, "less-zero", "futex_hash_less",
       "of two tables that race the global hash wins",
       "condition", "set-slots-global-race"},
      {loser_free, "loser-free", "futex_hash_allocate",
       "of two tables that race the other is freed",
       "lifetime", "set-slots-race"},
      {pending_mutex, "pending-mutex", "futex_pivot_pending",
       "futex_pivot_pending() looks at the current table under the mutex",
       "lifetime", "wake-resize"},
      {pending_none, "pending-none", "futex_pivot_pending",
       "prctl() stops waiting when somebody else has installed the table",
       "deadlock", "wake-resize"},
      {pending_dead, "pending-dead", "futex_pivot_pending",
       "prctl() stops waiting when the old table is dead",
       "deadlock", "wake-resize"},
      {prctl_enqueue, "prctl-enqueue", "futex_hash_allocate",
       "prctl() is on the wait queue before it tests",
       "deadlock", "wake-resize"},
      {prctl_again, "prctl-again", "futex_hash_allocate",
       "prctl() returns once its table is installed",
       "condition", "wake-resize"},
      {woken_flag, "woken-flag", "wait_woken",
       "wait_woken() does not sleep if woken since the test",
       "deadlock", "wake-resize"},
  };
}

}  // namespace futexmc::model
