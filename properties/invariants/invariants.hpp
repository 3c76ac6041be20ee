// SPDX-License-Identifier: GPL-2.0-or-later
//
// The properties of states. Each looks at the cells of model::machine and reports what is wrong;
// none changes anything. What a lock protects is looked at only while the lock is free: that is
// what makes the reduced search see the same violations as the full one.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/program.hpp"
#include "model/futex/futex.hpp"

namespace futexmc::properties {

// In every state. Those that return something say whether anything could have been wrong: a
// property for which nothing ever could is vacuous.
/// Whether the kernel accepts the race: see race.cpp.
bool is_accepted(const checker::Race& race);

bool waiter_count(checker::Monitor& monitor);
bool reachability(checker::Monitor& monitor);
bool refcount(checker::Monitor& monitor);
void queued_sleeper(checker::Monitor& monitor);
// Of scenarios that use PI.
bool pi_owner(checker::Monitor& monitor);
bool boost(checker::Monitor& monitor);
bool requeue_state(checker::Monitor& monitor);

// In final states.
void lost_wakeup(const checker::FinalState& state, checker::Monitor& monitor);
void waiter_count_left(const checker::FinalState& state, checker::Monitor& monitor);
void deadlock(const checker::FinalState& state, checker::Monitor& monitor);
bool no_leak(const checker::FinalState& state, checker::Monitor& monitor);

/// The value of a scenario's condition in the current final state.
std::int64_t evaluate(const scenario::Condition& condition);

/// Live, and in nobody's cache: of a state in which nobody waits.
bool is_leaked(const model::futex_pi_state& pi_state);

// Helpers.

/// Some thread sleeps, in a futex wait or elsewhere.
bool sleeper(bool in_futex);
/// A thread's entry has been put on a chain and not been taken off.
bool is_queued(const model::futex_q& q);
/// The entry's object exists: its owner is inside futex_wait().
bool is_live(const void* object);
/// The bucket that a lookup of `key` gives now.
const model::futex_hash_bucket& bucket_for(const model::futex_key& key);
/// The entries of a chain, in order; stops after more than there are threads.
std::vector<const model::futex_q*> chain_of(const model::futex_hash_bucket& hb);
/// Every bucket of every live table, and the global ones.
std::vector<const model::futex_hash_bucket*> all_buckets();
/// What GET_SLOTS would return.
int slots_now();
const std::string& thread_name(int task);

}  // namespace futexmc::properties
