// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/worlds.hpp"

#include "model/kernel/rcu.hpp"

namespace futexmc::properties::proofs::memory::worlds {

using model::machine;

const char* of_two(const model::Variant& variant) {
  return variant.seams.has_private_hash ? kPrivate : kGlobal;
}

model::UserWord& word() { return *machine.word[0]; }
model::UserWord& other_word() { return *machine.word[1]; }
model::futex_private_hash& old_table() { return *machine.table[0]; }
model::futex_private_hash& new_table() { return *machine.table[1]; }
model::futex_hash_bucket& old_bucket() { return old_table().queues[0]; }
model::futex_hash_bucket& new_bucket() { return new_table().queues[0]; }
model::futex_hash_bucket& other_bucket() { return old_table().queues[1]; }
model::futex_q& entry() { return *machine.q[0]; }
model::futex_key key() { return model::get_futex_key(word(), 0); }

void queue_entry(model::futex_hash_bucket& hb) {
  model::futex_q& q = entry();
  q.key.poke(key());
  q.bitset.poke(~0U);
  q.task.poke(1);
  q.lock_ptr.poke(&hb.lock);
  q.list.next.poke(&hb.chain);
  q.list.prev.poke(&hb.chain);
  hb.chain.next.poke(&q.list);
  hb.chain.prev.poke(&q.list);
  hb.waiters.poke(1);
  machine.task[0]->state.poke(model::TASK_INTERRUPTIBLE);
}

void queue_on_current_table() {
  model::futex_private_hash* const fph = machine.mm->phash.hash.peek();
  const bool is_private = fph != nullptr && fph->hash_mask.peek() != 0;
  queue_entry(is_private ? old_bucket() : *model::global_bucket(key()));
}

void prepare_pending(long count) {
  model::futex_mm_phash& phash = machine.mm->phash;
  old_table().state.poke(model::FR_ATOMIC);
  phash.atomic.poke(count);
  new_table().hash_mask.poke(1);
  new_table().mm.poke(machine.mm);
  for (auto& bucket : new_table().queues) {
    model::INIT_LIST_HEAD(bucket.chain);
    bucket.priv.poke(&new_table());
  }
  phash.hash_new.poke(&new_table());
}

void pending_with_one_reference() { prepare_pending(1); }

void put() { model::futex_private_hash_put(&old_table()); }

bool take_callback(std::uint64_t callback) {
  checker::Scope scope("rcu_do_batch");
  model::Cell<std::uint64_t>& callbacks = machine.rcu->next;
  const bool queued = (callbacks.peek() & callback) != 0;
  scope.at("next", queued);
  if (!queued) return scope.returns(false);
  checker::announce({.name = "grace period", .loc = checker::Loc::here(),
                     .access = checker::kGracePeriod});
  callbacks.poke(callbacks.peek() & ~callback);
  checker::remember_done();
  return scope.returns(true);
}

bool run_callback() {
  if (!take_callback(model::kRefCallback)) return false;
  model::futex_ref_rcu();
  return true;
}

}  // namespace futexmc::properties::proofs::memory::worlds
