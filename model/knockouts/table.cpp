// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finding and replacing a table: futex_hash(), futex_rehash_private(), __futex_pivot_hash().
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> table_knockouts() {
  using enum Knockout;
  return {
      {lookup_rcu, "lookup-rcu", "futex_hash",
       "the table is found and its reference taken inside RCU",
       "lifetime", "wake-resize"},
      {lookup_reset, "lookup-reset", "futex_hash",
       "a lookup that starts again forgets the table it had found",
       "lifetime", "wake-global"},
      {lookup_pivot, "lookup-pivot", "futex_hash",
       "a lookup that finds its table dead installs the next one",
       "condition", "wake-installs", Engine::sc, {}, {}, false},
      {pivot_mutex, "pivot-mutex", "futex_pivot_hash",
       "the pivot by a lookup holds the mutex",
       "lifetime", "wake-resize"},
      {pivot_new_cleared, "pivot-new-cleared", "futex_pivot_hash",
       "the pivot takes the waiting table away before it installs it",
       "warn", "wake-resize"},
      {rehash_old_lock, "rehash-old-lock", "futex_rehash_private",
       "the rehash holds the old bucket's lock",
       "reachability", "two-waiters-resize"},
      {rehash_new_lock, "rehash-new-lock", "futex_rehash_private",
       "the rehash holds the new bucket's lock",
       "reachability", "two-waiters-resize"},
      {rehash_waiters, "rehash-waiters", "futex_rehash_private",
       "the rehash counts a moved waiter on the new bucket",
       "waiter-count", "wait-timeout-resize"},
      {rehash_move, "rehash-move", "__futex_pivot_hash",
       "the pivot moves queued waiters to the new table",
       "reachability", "wait-timeout-resize"},
      {rehash_key, "rehash-key", "futex_rehash_private",
       "a moved waiter goes where its key belongs in the new table: use the old number",
       "reachability", "two-waiters-resize"},
      {rehash_lock_ptr, "rehash-lock-ptr", "futex_rehash_private",
       "the rehash rewrites lock_ptr of a moved waiter",
       "reachability", "wait-timeout-resize"},
      {publish_last, "publish-last", "__futex_pivot_hash",
       "waiters are moved before the table is published: move them after",
       "lost-wakeup", "wait-wake-resize"},
      {free_grace_period, "free-grace-period", "__futex_pivot_hash",
       "a grace period passes between replacing a table and freeing it",
       "lifetime", "wake-resize"},
      {pivot_free_old, "pivot-free-old", "__futex_pivot_hash",
       "the pivot frees the table that it replaced",
       "lifetime", "wake-resize"},
  };
}

}  // namespace futexmc::model
