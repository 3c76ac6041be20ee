// SPDX-License-Identifier: GPL-2.0-or-later
//
// The bucket reference as merged (Peter Zijlstra, June 2026): lookup gives bucket and table, no
// bucket points back, and a retry begins with no table. The base has it; on an older kernel it
// replaces the lookup and the put. The second draft is the same for waits and wakes.
#include "model/patches/patches.hpp"

namespace futexmc::model {

void apply_bucket_ref(Seams& seams) {
  seams.futex_hash = &futex_hash_base;
  seams.hbr_put = &hbr_put_base;
}

}  // namespace futexmc::model
