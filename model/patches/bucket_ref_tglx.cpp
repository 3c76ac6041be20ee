// SPDX-License-Identifier: GPL-2.0-or-later
//
// The alternative to the bucket reference (Thomas Gleixner, 9 June 2026, "completely untested"):
// the table pointer is passed in and out of the lookup, and the put still goes through the bucket's
// back pointer. As in the first draft the pointer is not reset on retry, and here it is the next
// lookup's input, so that the retry looks in the replaced table again.
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

futex_bucket_ref futex_hash_tglx(const futex_key& key) {
  Scope scope("futex_hash");
  futex_private_hash* fph = nullptr;
  for (;;) {
    scope.at("again", fph);
    {
      guard_rcu rcu;
      futex_hash_bucket* const hb = __futex_hash(key, fph, &fph);
      if (fph == nullptr || futex_private_hash_get(fph)) {
        scope.at("found", hb);
        scope.returns(hb);
        return {hb, nullptr};
      }
      scope.at("dead", fph);
    }
    futex_pivot_hash(*machine.mm);
  }
}

}  // namespace

void apply_bucket_ref_tglx(Seams& seams) {
  seams.futex_hash = &futex_hash_tglx;
  seams.hbr_put = &put_through_bucket;
  seams.lock_pi_put = &lock_pi_put_through_bucket;
  seams.handoff_get = &handoff_get_through_bucket;
  seams.handoff_put = &handoff_put_through_bucket;
}

}  // namespace futexmc::model
