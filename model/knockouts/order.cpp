// SPDX-License-Identifier: GPL-2.0-or-later
//
// Orderings that sequential consistency gives for nothing: only where plain accesses or a lifetime
// depend on one does exploring see it removed, as a race.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> order_knockouts() {
  using enum Knockout;
  return {
      {wait_barrier, "wait-barrier", "futex_hb_waiters_inc",
       "(A): the count is ordered before the read of the word",
       "lost-wakeup", "wait-wake-store", Engine::lkmm},
      {wake_barrier, "wake-barrier", "futex_hb_waiters_pending",
       "(B): the store to the word is ordered before the read of the count",
       "lost-wakeup", "wait-wake-store", Engine::tso},
      {wake_release, "wake-release", "__futex_wake_mark",
       "lock_ptr is cleared after all else that the waker does to the entry: no release",
       "race", "wait-spurious-wake", Engine::sc},
      {put_barrier, "put-barrier", "futex_ref_put",
       "the put is ordered before the look at the wait queue: no full barrier",
       "deadlock", "wake-resize", Engine::lkmm},
      {begin_release, "begin-release", "__futex_ref_atomic_begin",
       "the bias is ordered before FR_ATOMIC: no release",
       "refcount", "wake-resize", Engine::lkmm},
      {dead_acquire, "dead-acquire", "futex_ref_is_dead",
       "FR_ATOMIC is ordered before the read of the atomic: no acquire",
       "refcount", "wake-resize", Engine::lkmm},
      {fold_barrier, "fold-barrier", "__futex_ref_atomic_end",
       "the fold's resets are ordered before the atomic, and that before the wait queue: no "
       "full barrier",
       "race", "wake-resize", Engine::sc},
      {publish_release, "publish-release", "__futex_pivot_hash",
       "the moved waiters and the new table are ordered before its publication: no release",
       "race", "wake-resize", Engine::sc},
      {prctl_barrier, "prctl-barrier", "futex_hash_allocate",
       "being on the wait queue is ordered before the test: no full barrier",
       "deadlock", "wake-resize", Engine::lkmm},
      {woken_barrier, "woken-barrier", "wait_woken",
       "the flag's reset is ordered before the next test: no full barrier",
       "deadlock", "wake-resize", Engine::lkmm},
  };
}

}  // namespace futexmc::model
