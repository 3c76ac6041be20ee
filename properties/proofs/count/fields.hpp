// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of the counting protocol as integers, for any number of threads and CPUs: threads that
// stand at the same place are counted, not told apart.
//
// "Marked" threads are inside a read-side section that the grace period in progress waits for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/proofs/system/domain.hpp"

namespace futexmc::properties::proofs::count {

// FIELD(name, meaning)
#define FUTEXMC_COUNT_FIELDS(FIELD)                                                       \
  FIELD(has, "a table is current")                                                        \
  FIELD(global, "the current table stands for the global hash")                           \
  FIELD(state, "fph->state of the current table: 0 FR_PERCPU, 1 FR_ATOMIC")               \
  FIELD(atomic, "phash.atomic")                                                           \
  FIELD(ref, "the per-CPU counters exist")                                                \
  FIELD(ahead, "sum of the counters that a fold has still to read, and of what it read")  \
  FIELD(behind, "sum of the counters that a fold has read and reset")                     \
  FIELD(folded, "sum that the fold is about to add to the atomic")                        \
  FIELD(phase, "of the transition to atomic: see Phase")                                  \
  FIELD(callback, "futex_ref_rcu(): 0 not queued, 1 queued, 2 waits, 3 may run")          \
  FIELD(users, "references on the mm held by transitions")                                \
  FIELD(tails, "callbacks that have folded and not yet let go of the mm")                 \
  FIELD(late, "a fold that has still to count the next table's reference (knock-out)")    \
  FIELD(period, "a grace period is in progress")                                          \
  FIELD(batches, "ends of grace periods until the cookie is satisfied")                   \
  FIELD(freeing, "replaced tables: 0 none, 1 queued, 2 wait, 3 may be freed")             \
  FIELD(leaked, "replaced tables that nobody will free")                                  \
  FIELD(pivot, "of the table: see Pivot")                                                 \
  FIELD(mutex, "who holds phash.lock: see Mutex")                                         \
  FIELD(fresh, "phash.hash_new is set")                                                   \
  FIELD(loaded, "lookups that found the current table")                                   \
  FIELD(loaded_m, "the same, marked")                                                     \
  FIELD(percpu, "gets that read FR_PERCPU and have not counted")                          \
  FIELD(percpu_m, "the same, marked")                                                     \
  FIELD(inc, "gets that read FR_ATOMIC and have not looked at the atomic")                \
  FIELD(inc_m, "the same, marked")                                                        \
  FIELD(held, "references on the current table, those being put included")                \
  FIELD(dec, "puts that read FR_PERCPU and have not counted")                             \
  FIELD(dec_m, "the same, marked")                                                        \
  FIELD(put, "puts that read FR_ATOMIC and have not counted")                             \
  FIELD(stored, "a put that has read the atomic and not written it (knock-out)")          \
  FIELD(store, "what that put read")                                                      \
  FIELD(old_loaded, "lookups that found a table since replaced")                          \
  FIELD(old_loaded_m, "the same, marked")                                                 \
  FIELD(old_inc, "gets on a replaced table that read FR_ATOMIC")                          \
  FIELD(old_inc_m, "the same, marked")                                                    \
  FIELD(old_percpu, "gets on a replaced table that count per CPU")                        \
  FIELD(old_held, "references on replaced tables")                                        \
  FIELD(touch, "puts that will read the current table once more")                         \
  FIELD(old_touch, "puts that will read a replaced table once more")                      \
  FIELD(stale, "lookups that start again with the current table in hand")                 \
  FIELD(old_stale, "lookups that start again with a replaced table in hand")              \
  FIELD(reuse, "lookups that take a replaced table in hand for the current one")          \
  FIELD(looking, "readers of the current table that are in no section (knock-out)")       \
  FIELD(old_looking, "readers of a replaced table that are in no section (knock-out)")    \
  FIELD(tests, "prctl() calls on the wait queue that will test")                          \
  FIELD(sleeps, "prctl() calls on the wait queue that will sleep until woken")            \
  FIELD(outside, "prctl() calls that have tested before they queue (knock-out)")          \
  FIELD(wakes, "calls of wake_up_var() that are due or under way")

enum Field : std::uint8_t {
#define FUTEXMC_FIELD(name, meaning) name,
  FUTEXMC_COUNT_FIELDS(FUTEXMC_FIELD)
#undef FUTEXMC_FIELD
  kFields
};
/// Names of the fields, in order.
inline constexpr std::array<const char*, kFields> kFieldNames = {
#define FUTEXMC_FIELD(name, meaning) #name,
    FUTEXMC_COUNT_FIELDS(FUTEXMC_FIELD)
#undef FUTEXMC_FIELD
};

/// The transition of the current table's count from per CPU to atomic. Up to kBiased the state is
/// FR_PERCPU, from kAtomic on FR_ATOMIC; kCalled is in both.
enum Phase : std::uint8_t {
  kIdle = 0,
  kKept,          ///< futex_ref_drop() has taken the mm
  kEarly,         ///< a grace period must pass first: about to queue the callback
  kBegin,         ///< __futex_ref_atomic_begin(): about to bias
  kWaitsEarly,    ///< for that grace period
  kCalled,        ///< futex_ref_rcu() runs, about to look at the state
  kBiased,        ///< about to set FR_ATOMIC
  kAtomic,        ///< about to queue the callback
  kWaits,         ///< for the grace period before the fold
  kUnbiased,      ///< FR_ATOMIC is set, about to bias (knock-out bias-first)
  kFolding,       ///< __futex_ref_atomic_end(): reads and resets the counters
  kSummed,        ///< about to count the next table's initial reference
  kAdding,        ///< about to add the sum to the atomic
  kDraining,      ///< the atomic is the count
};

enum Pivot : std::uint8_t {
  kNone = 0,
  kDead,           ///< the count was seen to be zero; moves waiters, then publishes
  kPublished,      ///< about to take the cookie
  kReplaced,       ///< about to hand the old table to kvfree_rcu()
  kCookieTaken,    ///< about to publish (v7.2)
  kFirst,          ///< the first table is published, about to take the cookie
  kFirstCookie,    ///< the cookie is taken, about to publish the first table (v7.2)
  kCookieWaited,   ///< as kCookieTaken, and a grace period that began since waits for the section
  kFirstWaited,    ///< as kFirstCookie, likewise
};

enum Mutex : std::uint8_t {
  kFree = 0,
  kInstall,   ///< futex_hash_allocate(), before it takes hash_new away
  kDrop,      ///< futex_hash_allocate(): none was waiting, the current table is dropped
  kTable,     ///< has a table to install
  kDone,      ///< about to unlock
  kLookup,    ///< futex_pivot_hash(), before it takes hash_new away
  kTest,      ///< futex_pivot_pending()
};

template <class D>
struct State {
  typename D::template Row<kFields> values;
  typename D::Int& operator[](Field field) { return values[field]; }
  const typename D::Int& operator[](Field field) const { return values[field]; }
};

}  // namespace futexmc::properties::proofs::count
