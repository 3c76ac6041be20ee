// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernels and patches that can be checked, one function each. To add a patch: write a file like
// mismatch_precheck.cpp, declare its function here, and add a line to the table in registry.cpp.
#pragma once

#include "model/variant.hpp"

namespace futexmc::model {

void apply_v6_12(Seams& seams);
void apply_v7_1(Seams& seams);
void apply_v7_2(Seams& seams);
void apply_hash_wait_new(Seams& seams);
void apply_rwsem_gate_entry(Seams& seams);
void apply_rwsem_gate_get(Seams& seams);
void apply_bucket_ref(Seams& seams);
void apply_bucket_ref_draft_1(Seams& seams);
void apply_bucket_ref_draft_2(Seams& seams);
void apply_bucket_ref_tglx(Seams& seams);
void apply_mismatch_precheck(Seams& seams);
void apply_requeue_pi_acquire(Seams& seams);

// Parts that several of them are made of.

/// The publish of versions before v7.2.13: the cookie comes first.
void pivot_publish_cookie_first(mm_struct& mm, futex_private_hash& fph);
/// The put of versions before bucket-ref: reads the bucket's back pointer.
void put_through_bucket(const futex_bucket_ref& hbr);
void lock_pi_put_through_bucket(futex_bucket_ref& hbr);
/// Forgets that the end of scope puts again.
void lock_pi_put_twice(futex_bucket_ref& hbr);
void handoff_get_through_bucket(futex_q& q, futex_hash_bucket& hb, const futex_key& key);
void handoff_put_through_bucket(futex_q& q);
/// Sleeps while a new table is waiting to be installed, until it can be.
void futex_hash_wait_new();

}  // namespace futexmc::model
