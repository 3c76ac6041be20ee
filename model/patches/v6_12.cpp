// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linux v6.12, the control: one hash for the whole system, and nothing that could replace it.
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

futex_bucket_ref futex_hash_global(const futex_key& key) {
  Scope scope("futex_hash");
  return {scope.returns(global_bucket(key)), nullptr};
}

void put_nothing(const futex_bucket_ref& /*hbr*/) {}

}  // namespace

void apply_v6_12(Seams& seams) {
  seams.has_private_hash = false;
  seams.futex_hash = &futex_hash_global;
  seams.hbr_put = &put_nothing;
  seams.private_hash = [](mm_struct& /*mm*/) -> futex_private_hash* { return nullptr; };
  seams.hash_set_slots = [](unsigned /*slots*/) { return -EINVAL; };
  seams.hash_get_slots = [] { return -EINVAL; };
  seams.hash_allocate_default = [] { return 0; };
}

}  // namespace futexmc::model
