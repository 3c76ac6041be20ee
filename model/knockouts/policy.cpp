// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizes, and where a task may sleep.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> policy_knockouts() {
  using enum Knockout;
  return {
      {hash_less_custom, "hash-less-custom", "futex_hash_less",
       "of two requests that meet the user's wins over a default",
       "size-policy", "clone-then-set-slots"},
      {hash_less_size, "hash-less-size", "futex_hash_less",
       "of two defaults that meet the bigger wins",
       "size-policy", "two-clones-grow"},
      {global_for_good, "global-for-good", "futex_hash_allocate",
       "a process that has the global hash keeps it",
       "size-policy", "set-slots-refused"},
      {slots_power_of_two, "slots-power-of-two", "futex_hash_allocate",
       "SET_SLOTS refuses what is not 0 or a power of two above 1",
       "size-policy", "set-slots-refused"},
      {check_no_fault, "check-no-fault", "futex_wait_setup",
       "the word is read with page faults disabled while the bucket lock is held",
       "atomic-sleep", "wait-wake"},
      {state_after_check, "state-after-check", "futex_wait_setup",
       "the task state is set when nothing is left that may block",
       "atomic-sleep", "page-fault"},
      {pivot_outside_rcu, "pivot-outside-rcu", "futex_hash",
       "a lookup that finds a dead table leaves RCU before it pivots",
       "atomic-sleep", "wake-resize"},
  };
}

}  // namespace futexmc::model
