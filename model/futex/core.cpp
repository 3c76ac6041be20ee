// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finding the bucket, and the reference that keeps its table. Follows kernel/futex/core.c:
// futex_hash, __futex_hash, futex_private_hash_put, futex_rehash_private, __futex_pivot_hash,
// futex_pivot_hash.
//
// Invariants
//  1. A bucket of a private table is used under a reference on the table.
//  2. A table is replaced only when its count has reached zero, under mm->futex.phash.lock.
//  3. A table is freed a grace period after it was replaced.
#include <algorithm>

#include "model/kernel/alloc.hpp"
#include "model/kernel/wait_bit.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

// Collisions that the scenario asks for hold at any size: such words share one hash value.
unsigned hash_of(const futex_key& key) {
  unsigned value = key.word;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& pair : machine.scenario->collisions) {
      const auto low = static_cast<unsigned>(std::min(pair[0], pair[1])) + 1;
      const auto high = static_cast<unsigned>(std::max(pair[0], pair[1])) + 1;
      if (value == high) {
        value = low;
        changed = true;
      }
    }
  }
  return value - 1;
}

}  // namespace

void warn_on(bool condition, const char* message) {
  machine.mm->phash.looked.poke(machine.mm->phash.looked.peek() | kLookedAtWarn);
  if (condition) checker::report("warn", {message});
}

bool futex_private_hash_get(futex_private_hash* fph) { return futex_ref_get(fph); }

void futex_private_hash_put(futex_private_hash* fph) {
  if (fph != nullptr) seams().private_hash_put(fph);
}

void futex_private_hash_put_base(futex_private_hash* fph) {
  Scope scope("futex_private_hash_put");
  // The mm is read first: after the put the table may be gone.
  if (!knocked(Knockout::put_no_touch)) read_immutable(fph->mm);
  const bool last = futex_ref_put(fph);
  if (last && knocked(Knockout::put_no_touch)) read_plain(fph->mm);
  if (last && !knocked(Knockout::put_wake)) wake_up_var(*machine.var_waitqueue);
}

futex_hash_bucket* __futex_hash_private(const futex_key& key, futex_private_hash* fph,
                                        unsigned hash_mask) {
  return &fph->queues[hash_of(key) & hash_mask];
}

futex_hash_bucket* global_bucket(const futex_key& key) {
  return machine.global[hash_of(key) % machine.global.size()];
}

futex_hash_bucket* __futex_hash(const futex_key& key, futex_private_hash* fph,
                                futex_private_hash** fph_p) {
  Scope scope("__futex_hash");
  futex_hash_bucket* hb = global_bucket(key);
  if (futex_key_is_private(key)) {
    if (fph == nullptr) fph = rcu_dereference(machine.mm->phash.hash);
    const unsigned hash_mask = fph != nullptr ? read_immutable(fph->hash_mask) : 0;
    if (hash_mask != 0) {
      if (fph_p != nullptr) *fph_p = fph;
      hb = __futex_hash_private(key, fph, hash_mask);
    }
  }
  return scope.returns(hb);
}

futex_bucket_ref futex_hash(const futex_key& key) { return seams().futex_hash(key); }

futex_bucket_ref futex_hash_base(const futex_key& key) {
  Scope scope("futex_hash");
  futex_private_hash* fph = nullptr;
  for (;;) {
    if (knocked(Knockout::lookup_reset)) scope.at("again", fph);
    else scope.at("again");
    {
      guard_rcu rcu(!knocked(Knockout::lookup_rcu));
      if (!knocked(Knockout::lookup_reset)) fph = nullptr;
      futex_hash_bucket* const hb = __futex_hash(key, nullptr, &fph);
      if (fph == nullptr || futex_private_hash_get(fph)) {
        scope.at("found", hb, fph);
        scope.returns(checker::to_word(hb), checker::to_word(fph));
        return {hb, fph};
      }
      scope.at("dead");
      if (knocked(Knockout::pivot_outside_rcu)) futex_pivot_hash(*machine.mm);
    }
    const bool outside = !knocked(Knockout::pivot_outside_rcu);
    if (outside && !knocked(Knockout::lookup_pivot)) futex_pivot_hash(*machine.mm);
  }
}

futex_private_hash* futex_private_hash_of(mm_struct& mm) { return seams().private_hash(mm); }

futex_private_hash* private_hash_base(mm_struct& mm) {
  Scope scope("futex_private_hash");
  for (;;) {
    scope.at("again");
    {
      guard_rcu rcu;
      futex_private_hash* const fph = rcu_dereference(mm.phash.hash);
      if (fph == nullptr || futex_private_hash_get(fph)) return scope.returns(fph);
      scope.at("dead");
    }
    futex_pivot_hash(mm);
  }
}

void hbr_put_base(const futex_bucket_ref& hbr) {
  if (knocked(Knockout::hbr_put)) return;
  if (hbr.fph != nullptr) futex_private_hash_put(hbr.fph);
}

class_private_hash::class_private_hash(mm_struct& mm, bool taken) {
  if (taken) fph_ = futex_private_hash_of(mm);
}

class_hbr::class_hbr(const futex_key& key) : hbr_(futex_hash(key)) {}
class_hbr::~class_hbr() { seams().hbr_put(hbr_); }
void class_hbr::put() {
  seams().hbr_put(hbr_);
  hbr_.fph = nullptr;
}
void class_hbr::lock_pi_put() { seams().lock_pi_put(hbr_); }

namespace {

void futex_rehash_private(futex_private_hash& old, futex_private_hash& fresh) {
  Scope scope("futex_rehash_private");
  // The table that stands for the global hash has no bucket, not even the one of mask 0.
  if (knocked(Knockout::global_for_good) && read_immutable(old.hash_mask) == 0) return;
  const unsigned slots = read_immutable(old.hash_mask) + 1;
  for (unsigned i = 0; i < slots; ++i) {
    scope.at("bucket", i, slots);
    futex_hash_bucket& hb_old = old.queues[i];
    const bool old_locked = !knocked(Knockout::rehash_old_lock);
    if (old_locked) spin_lock(hb_old.lock);
    for (;;) {
      scope.at("entry", i, slots);
      list_head* const first = checker::load_under(hb_old.lock.lock, hb_old.chain.next);
      if (first == &hb_old.chain || knocked(Knockout::rehash_move)) break;
      if (first == nullptr) checker::fault("lifetime", {"use of a bucket that a table has not"});
      futex_q& entry = entry_of(linked(first));
      plist_del(entry.list, hb_old.lock.lock);
      if (!knocked(Knockout::rehash_uncount)) futex_hb_waiters_dec(hb_old);
      const bool lost = lock_ptr_under_lock(entry) != &hb_old.lock;
      warn_on(lost, "futex_rehash_private(): lock_ptr is not the old bucket's");
      if (lost && knocked(Knockout::rehash_old_lock)) break;  // it might go round for ever
      const futex_key key = checker::load_under(hb_old.lock.lock, entry.key);
      const bool hashed = !knocked(Knockout::rehash_key);
      futex_hash_bucket* const found = hashed ? __futex_hash(key, &fresh, nullptr)
                                              : &fresh.queues[i];
      futex_hash_bucket& hb_new = *found;
      if (!knocked(Knockout::rehash_waiters)) futex_hb_waiters_inc(hb_new);
      // The new table is not published yet, but a waiter already moved may unqueue itself.
      const bool new_locked = !knocked(Knockout::rehash_new_lock);
      if (new_locked) spin_lock(hb_new.lock);
      chain_add(entry, hb_new, false);
      if (!knocked(Knockout::rehash_lock_ptr)) write_plain(entry.lock_ptr, &hb_new.lock);
      if (new_locked) spin_unlock(hb_new.lock);
    }
    scope.at("emptied", i, slots);
    if (old_locked) spin_unlock(hb_old.lock);
  }
}

// Part of the step at hand. Without the mutex two pivots may be under way.
void note_rehashing(mm_struct& mm, int value) {
  const bool shared = knocked(Knockout::pivot_mutex) || knocked(Knockout::install_mutex);
  if (shared) checker::rt.writes |= checker::footprint(mm.phash.rehashing.index());
  mm.phash.rehashing.put(value);  // in order with what others see of the tables
}

}  // namespace

bool __futex_pivot_hash(mm_struct& mm, futex_private_hash& fresh) {
  Scope scope("__futex_pivot_hash");
  warn_on(checker::load_under(mm.phash.lock.lock, mm.phash.hash_new) != nullptr,
          "__futex_pivot_hash(): hash_new is set");
  futex_private_hash* const fph = checker::load_under(mm.phash.lock.lock, mm.phash.hash);
  if (fph != nullptr) {
    if (!futex_ref_is_dead(fph)) {
      write_plain(mm.phash.hash_new, &fresh);
      return scope.returns(false);
    }
    note_rehashing(mm, 1);
    if (knocked(Knockout::publish_last)) seams().pivot_publish(mm, fresh);
    futex_rehash_private(*fph, fresh);
  }
  if (!knocked(Knockout::pivot_state)) write_plain(fresh.state, FR_PERCPU);
  if (fph == nullptr || !knocked(Knockout::publish_last)) seams().pivot_publish(mm, fresh);
  note_size_choice(fresh, fph, "which was installed");
  note_rehashing(mm, 0);
  if (fph != nullptr && knocked(Knockout::free_grace_period)) kvfree(*fph);
  else if (fph != nullptr && !knocked(Knockout::pivot_free_old)) kvfree_rcu(*fph);
  return scope.returns(true);
}

void pivot_publish_base(mm_struct& mm, futex_private_hash& fph) {
  if (knocked(Knockout::cookie_order)) get_state_synchronize_rcu(mm.phash.batches);
  if (knocked(Knockout::publish_release)) WRITE_ONCE(mm.phash.hash, &fph);
  else rcu_assign_pointer(mm.phash.hash, &fph);
  if (knocked(Knockout::cookie_order)) return;
  // Sampled after the table was published: see futex_ref_drop().
  get_state_synchronize_rcu(mm.phash.batches);
}

void futex_pivot_hash(mm_struct& mm) {
  Scope scope("futex_pivot_hash");
  guard_mutex lock(mm.phash.lock, !knocked(Knockout::pivot_mutex));
  futex_private_hash* const fph = checker::load_under(mm.phash.lock.lock, mm.phash.hash_new);
  if (fph == nullptr) return;
  if (!knocked(Knockout::pivot_new_cleared)) write_plain(mm.phash.hash_new, nullptr);
  __futex_pivot_hash(mm, *fph);
}

}  // namespace futexmc::model
