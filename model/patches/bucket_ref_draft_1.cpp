// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first draft of the bucket reference (Peter Zijlstra, 9 June 2026, "a total hack job"): the
// lookup returns bucket and table, so that nobody reads the bucket's back pointer. The table
// pointer lives outside the retry loop and is not reset: when the retry finds no private table, the
// stale pointer of the first round is taken for it. futex_lock_pi() puts its reference twice: see
// bucket_ref.cpp.
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

futex_bucket_ref futex_hash_draft_1(const futex_key& key) {
  Scope scope("futex_hash");
  futex_private_hash* fph = nullptr;
  for (;;) {
    scope.at("again", fph);
    {
      guard_rcu rcu;
      futex_hash_bucket* const hb = __futex_hash(key, nullptr, &fph);
      if (fph == nullptr || futex_private_hash_get(fph)) {
        scope.at("found", hb, fph);
        scope.returns(checker::to_word(hb), checker::to_word(fph));
        return {hb, fph};
      }
      scope.at("dead", fph);
    }
    futex_pivot_hash(*machine.mm);
  }
}

}  // namespace

void apply_bucket_ref_draft_1(Seams& seams) {
  seams.futex_hash = &futex_hash_draft_1;
  seams.hbr_put = &hbr_put_base;
  seams.lock_pi_put = &lock_pi_put_twice;
  seams.handoff_get = &handoff_get_through_bucket;
  seams.handoff_put = &handoff_put_through_bucket;
}

}  // namespace futexmc::model
