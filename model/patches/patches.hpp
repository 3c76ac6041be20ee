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
void apply_bucket_ref_tglx(Seams& seams);
void apply_mismatch_precheck(Seams& seams);

// Parts that several of them are made of.

/// The publish of versions before v7.2.13: the cookie comes first.
void pivot_publish_cookie_first(mm_struct& mm, futex_private_hash& fph);
/// Sleeps while a new table is waiting to be installed, until it can be.
void futex_hash_wait_new();

}  // namespace futexmc::model
