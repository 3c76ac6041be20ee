// SPDX-License-Identifier: GPL-2.0-or-later
//
// Requeue-PI: futex_wait_requeue_pi(), futex_cmp_requeue_pi() and their agreement.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> requeue_pi_knockouts() {
  using enum Knockout;
  return {
      {.id = rq_same, .name = "rq-same", .function = "futex_requeue",
       .title = "source and target are two words (K16)",
       .property = "warn", .scenario = "requeue-pi-same",
       .why = "a waiter on the PI word has a pi_state already, for which it is refused",
       .together = "rq-twice"},
      {.id = rq_twice, .name = "rq-twice", .function = "futex_requeue",
       .title = "a waiter that has been moved already is not moved again (K16)",
       .property = "warn", .scenario = "requeue-pi-same",
       .why = "such a waiter is on the PI word, from which a requeue to the same word is "
              "refused, and to another because the waiter waits for the first",
       .together = "rq-same"},
      {rq_target, "rq-target", "futex_requeue",
       "a waiter is moved only to the word that it waits for",
       "condition", "requeue-pi-target"},
      {rq_ignore, "rq-ignore", "futex_requeue_pi_prepare",
       "a waiter that is leaving is let go",
       "lifetime", "requeue-pi-timeout"},
      {rq_wait, "rq-wait", "futex_requeue_pi_wakeup_sync",
       "a waiter that wakes while it is being moved waits until that is done (K15)",
       "lifetime", "requeue-pi-timeout"},
      {rq_rewind, "rq-rewind", "futex_requeue_pi_complete",
       "a requeue that failed says so",
       "requeue-state", "requeue-pi-deadlock"},
      {rq_rewind_wait, "rq-rewind-wait", "futex_requeue_pi_complete",
       "after a requeue that failed a waiter that woke meanwhile is let go",
       "warn", "requeue-pi-deadlock"},
      {.id = rq_complete_last, .name = "rq-complete-last", .function = "futex_requeue",
       .title = "the waiter is on the target's chain before the requeue is complete",
       .why = "the waiter then needs the lock of its bucket, which the requeuer holds until "
              "the waiter is on the target's chain"},
      {rq_early_test, "rq-early-test", "handle_early_requeue_pi_wakeup",
       "the requeuer may have taken a leaving waiter off",
       "waiter-count", "requeue-pi-deadlock"},
      {rq_fixup, "rq-fixup", "futex_wait_requeue_pi",
       "a waiter that got the lock of another puts its name in word and pi_state",
       "lost-wakeup", "requeue-pi-steal"},
      {rq_handoff, "rq-handoff", "requeue_pi_wake_futex",
       "a waiter that is taken off its chain gets a reference on the table",
       "lifetime", "requeue-pi-steal-resize"},
      {rq_put, "rq-put", "futex_requeue",
       "the requeuer gives its reference on the pi_state back",
       "lifetime", "requeue-pi"},
      {rq_leaving, "rq-leaving", "futex_proxy_trylock_atomic",
       "a waiter that is leaving is taken off, so that the retry does not meet it again",
       "progress", "requeue-pi-retry"},
      {rq_acquire, "rq-acquire", "futex_requeue_pi_wakeup_sync",
       "a waiter that finds its requeue done sees what was written before: no acquire",
       "lifetime", "requeue-pi", Engine::lkmm},
      {rq_release, "rq-release", "futex_requeue_pi_complete",
       "what the requeuer wrote is ordered before DONE or LOCKED: no full barrier",
       "lifetime", "requeue-pi", Engine::lkmm},
      {wake_pi, "wake-pi", "futex_wake",
       "a wake refuses waiters of PI words",
       "warn", "pi-wake-refused"},
  };
}

}  // namespace futexmc::model
