// SPDX-License-Identifier: GPL-2.0-or-later
//
// The bucket reference as merged (Peter Zijlstra, June 2026): lookup gives bucket and table, no
// bucket points back, and a retry begins with no table. The base has it; on an older kernel it
// replaces the lookup and the puts.
//
// The second draft has that lookup too. In both drafts futex_lock_pi() still puts its reference
// through the bucket before it blocks; the end of scope, which goes by the table, puts it again.
#include "model/futex/pi.hpp"
#include "model/patches/patches.hpp"

namespace futexmc::model {

void apply_bucket_ref(Seams& seams) {
  seams.futex_hash = &futex_hash_base;
  seams.hbr_put = &hbr_put_base;
  seams.lock_pi_put = &lock_pi_put_base;
  seams.handoff_get = &handoff_get_base;
  seams.handoff_put = &handoff_put_base;
}

void apply_bucket_ref_draft_2(Seams& seams) {
  seams.futex_hash = &futex_hash_base;
  seams.hbr_put = &hbr_put_base;
  seams.lock_pi_put = &lock_pi_put_twice;
  seams.handoff_get = &handoff_get_through_bucket;
  seams.handoff_put = &handoff_put_through_bucket;
}

}  // namespace futexmc::model
