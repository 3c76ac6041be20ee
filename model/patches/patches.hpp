// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernels and patches that can be checked, one function each. To add a patch: write a file like
// mismatch_precheck.cpp, declare its function here, and add a line to the table in registry.cpp.
#pragma once

#include "model/variant.hpp"

namespace futexmc::model {

void apply_v7_2(Seams& seams);
void apply_bucket_ref_draft_1(Seams& seams);
void apply_bucket_ref_tglx(Seams& seams);
void apply_mismatch_precheck(Seams& seams);

}  // namespace futexmc::model
