// SPDX-License-Identifier: GPL-2.0-or-later
//
// The programs that the theorems are about: the model's own functions, called by two threads in a
// world prepared for them.
#pragma once

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// A wait for the word to change, and a store to it with a wake. Thread 0 waits.
Subject wait_and_wake(const model::Variant& variant);
/// Thread 0 is asleep, queued on a table that is to be replaced: thread 1 stores to its word and
/// wakes it, thread 2 gives the last reference on the table back and installs the next one.
Subject wait_wake_and_pivot(const model::Variant& variant);
/// The same, and SET_SLOTS waits in thread 3 for the table to be replaced.
Subject wait_wake_pivot_and_prctl(const model::Variant& variant);
/// Thread 0 takes itself off instead; thread 1 installs the table.
Subject unqueue_and_pivot(const model::Variant& variant);
/// Of both: the lock of the bucket that the waiter is moved to, the first on its chain, its count,
/// and the waiter's entry.
const void* moved_to();
const void* moved_chain();
std::uint64_t moved_entry();
const void* moved_count();
/// Thread 0 takes its entry back and uses the memory for something else; thread 1 wakes.
Subject unqueue_and_wake(const model::Variant& variant);
/// The link of the entry whose memory is reused, and what is stored there.
const void* reused_cell();
std::uint64_t reused_value();
/// Thread 0 is asleep on a word: thread 1 moves it to another word if the first one is unchanged;
/// thread 2 changes the first one, and wakes the other.
Subject requeue_and_wake(const model::Variant& variant);

/// Thread 0 has waited to be moved to a PI word, and wakes by itself; thread 1 moves it. If it
/// finds its requeue done its result is kSeen, or kUnseen where it does not see what was written
/// before: the pi_state that it has to wait for, if the PI word has an owner, or otherwise the
/// reference on the table that it has to give back.
Subject requeue_pi_to_owned(const model::Variant& variant);
Subject requeue_pi_to_free(const model::Variant& variant);
inline constexpr int kSeen = 100;
inline constexpr int kUnseen = 101;

/// Thread 0 makes the count of the table in use exact; thread 1 looks the table up, and gives it
/// back. And the counter of thread 1's CPU.
Subject look_up_and_fold(const model::Variant& variant);
const void* counter();
/// Thread 0 replaces the table if it is dead; its memory is used for something else as soon as it
/// may be. Thread 1 gives back the last reference, or looks a table up that is dead.
Subject put_and_free(const model::Variant& variant);
Subject look_up_and_free(const model::Variant& variant);
/// What is read of the table, and is zero when the memory is used again.
const void* freed_mm();
const void* freed_mask();
const void* freed_state();
/// Thread 0 replaces a table that is dead, and begins to replace the next one; thread 1 looks the
/// table up, with result 1 if it gets the dead one; thread 2 lets a grace period pass.
Subject look_up_and_replace(const model::Variant& variant);

/// SET_SLOTS sleeps until the current table is unused; thread 1 gives the last reference back...
Subject prctl_and_put(const model::Variant& variant);
/// ... or the count is folded, and turns out to be zero.
Subject prctl_and_fold(const model::Variant& variant);
/// Thread 0 asks whether the table is unused; thread 1 begins to make its count exact.
Subject dead_and_begin(const model::Variant& variant);

}  // namespace futexmc::properties::proofs::memory
