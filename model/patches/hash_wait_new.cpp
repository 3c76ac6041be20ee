// SPDX-License-Identifier: GPL-2.0-or-later
//
// Wait for the new hash (Sebastian Andrzej Siewior, September 2026): waits and wake-ops on entry,
// and wakes once they have their key, sleep while a new table is waiting to be installed, whatever
// hash their word uses. Requeue, waits on several words and the PI operations do not.
//
// And two readings of the percpu-rwsem gate (Nikita Taranov, September 2026; its code was
// not posted): new operations wait for the pivot like readers of a percpu-rwsem for its writer,
// either once, where they enter the kernel, or wherever they take a reference.
#include "model/kernel/wait_bit.hpp"
#include "model/patches/patches.hpp"

namespace futexmc::model {

void futex_hash_wait_new() {
  Scope scope("futex_hash_wait_new");
  mm_struct& mm = *machine.mm;
  const bool pending = checker::load_as(mm.phash.hash_new, Order::plain,
                                        [](futex_private_hash* fph) { return fph != nullptr; });
  if (pending) wait_for_pivot(mm, "futex_hash_wait_new");
}

namespace {

futex_bucket_ref futex_hash_gated(const futex_key& key) {
  Scope scope("futex_hash");
  for (;;) {
    scope.at("again");
    if (futex_key_is_private(key)) futex_hash_wait_new();
    {
      guard_rcu rcu;
      futex_private_hash* fph = nullptr;
      futex_hash_bucket* const hb = __futex_hash(key, nullptr, &fph);
      if (fph == nullptr || futex_private_hash_get(fph)) {
        scope.at("found", hb, fph);
        scope.returns(checker::to_word(hb), checker::to_word(fph));
        return {hb, fph};
      }
      scope.at("dead");
    }
    futex_pivot_hash(*machine.mm);
  }
}

futex_private_hash* private_hash_gated(mm_struct& mm) {
  Scope scope("futex_private_hash");
  for (;;) {
    scope.at("again");
    futex_hash_wait_new();
    {
      guard_rcu rcu;
      futex_private_hash* const fph = rcu_dereference(mm.phash.hash);
      if (fph == nullptr || futex_private_hash_get(fph)) return scope.returns(fph);
      scope.at("dead");
    }
    futex_pivot_hash(mm);
  }
}

}  // namespace

void apply_hash_wait_new(Seams& seams) {
  seams.wait_entry = &futex_hash_wait_new;
  seams.wake_gate = &futex_hash_wait_new;
  seams.wake_op_entry = &futex_hash_wait_new;
}

void apply_rwsem_gate_entry(Seams& seams) {
  seams.wait_entry = &futex_hash_wait_new;
  seams.wake_gate = &futex_hash_wait_new;
  seams.wake_op_entry = &futex_hash_wait_new;
  seams.other_entry = &futex_hash_wait_new;
}

void apply_rwsem_gate_get(Seams& seams) {
  seams.futex_hash = &futex_hash_gated;
  seams.private_hash = &private_hash_gated;
}

}  // namespace futexmc::model
