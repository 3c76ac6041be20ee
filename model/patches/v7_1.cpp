// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linux v6.18 and v7.1, which differ only in which clones ask for a private hash. Every bucket
// points back at its table, and lookup and put go through that pointer; the put reads the table
// after it gave the last reference back; the cookie is sampled before the table is published, as in
// v7.2. Rebuilt from the context of later patches.
#include "model/kernel/wait_bit.hpp"
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

futex_bucket_ref futex_hash_back_pointer(const futex_key& key) {
  Scope scope("futex_hash");
  for (;;) {
    scope.at("again");
    {
      guard_rcu rcu;
      futex_hash_bucket* const hb = __futex_hash(key, nullptr, nullptr);
      futex_private_hash* const fph = read_plain(hb->priv);
      if (fph == nullptr || futex_private_hash_get(fph)) {
        scope.at("found", hb);
        scope.returns(hb);
        return {hb, nullptr};
      }
      scope.at("dead");
    }
    futex_pivot_hash(*machine.mm);
  }
}

void futex_private_hash_put_reads_after(futex_private_hash* fph) {
  Scope scope("futex_private_hash_put");
  if (!futex_ref_put(fph)) return;
  read_plain(fph->mm);
  wake_up_var(*machine.var_waitqueue);
}

}  // namespace

void apply_v7_1(Seams& seams) {
  seams.futex_hash = &futex_hash_back_pointer;
  seams.hbr_put = &put_through_bucket;
  seams.lock_pi_put = &lock_pi_put_through_bucket;
  seams.handoff_get = &handoff_get_through_bucket;
  seams.handoff_put = &handoff_put_through_bucket;
  seams.private_hash_put = &futex_private_hash_put_reads_after;
  seams.pivot_publish = &pivot_publish_cookie_first;
}

}  // namespace futexmc::model
