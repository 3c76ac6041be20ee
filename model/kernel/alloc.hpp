// SPDX-License-Identifier: GPL-2.0-or-later
//
// Allocating and freeing. Memory that was freed stays poisoned: any later use is a violation. While
// the reuse budget lasts an allocation may instead return the address of something freed.
#pragma once

#include "model/futex/futex.hpp"

namespace futexmc::model {

/// A zeroed table, or NULL when the environment says so.
futex_private_hash* kvzalloc_table(Loc loc = Loc::here());
void kvfree(futex_private_hash& fph, Loc loc = Loc::here());
/// Frees after a grace period.
void kvfree_rcu(futex_private_hash& fph, Loc loc = Loc::here());
/// alloc_percpu(): false when the environment says so.
bool alloc_percpu(Loc loc = Loc::here());

/// A futex_q comes into being as futex_q_init, on the stack of futex_wait(), and goes when that
/// returns.
void begin_scope(futex_q& q);
void end_scope(futex_q& q);

/// The current task's futex_vector, its first `count` entries; false when the environment says so.
bool kzalloc_entries(int count, Loc loc = Loc::here());
void kfree_entries(int count);
/// A pi_state that is not in use, or NULL when the environment says so.
futex_pi_state* kzalloc_pi_state(Loc loc = Loc::here());
void kfree(futex_pi_state& pi_state, Loc loc = Loc::here());

std::size_t table_index(const futex_private_hash& fph);

/// Makes an object live and zeroed, without an operation: for the layout.
void revive(const void* object);
/// The end of an object on the stack, as part of the operation at hand.
void leave_stack(const void* object);

/// Events that free tables whose grace period has passed.
void add_allocator(checker::Builder& builder);

}  // namespace futexmc::model
