// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linux v7.2 (7.2.6). The grace-period cookie is sampled before the new table is published, inside
// a read-side section. A grace period that begins between the two may end before a reader that
// found the previous table after that beginning has left.
#include "model/patches/patches.hpp"

namespace futexmc::model {

void pivot_publish_cookie_first(mm_struct& mm, futex_private_hash& fph) {
  guard_rcu rcu;
  get_state_synchronize_rcu(mm.phash.batches);
  rcu_assign_pointer(mm.phash.hash, &fph);
}

void apply_v7_2(Seams& seams) { seams.pivot_publish = &pivot_publish_cookie_first; }

}  // namespace futexmc::model
