// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/subjects.hpp"

#include <climits>

#include "model/futex/futex.hpp"
#include "model/kernel/wait_bit.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using model::machine;
using checker::Order;

constexpr const char* kPrivate = "word f = 0; hash private(2); thread first { } thread second { }";
constexpr const char* kGlobal = "word f = 0; hash global; thread first { } thread second { }";

const char* world_of(const model::Variant& variant) {
  return variant.seams.has_private_hash ? kPrivate : kGlobal;
}

model::UserWord& word() { return *machine.word[0]; }
model::futex_private_hash& old_table() { return *machine.table[0]; }
model::futex_private_hash& new_table() { return *machine.table[1]; }

void wait() { result(model::futex_wait(word(), 0, 0, false, ~0U)); }
void store_and_wake() {
  checker::store(word(), 1, Order::relaxed, {"user", "theorem", 0});
  result(model::futex_wake(word(), 0, 1, ~0U));
}

/// A table waits to be installed; the current one's count is exact.
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
void pending_and_biased() {
  prepare_pending(LONG_MAX);
  // The initial reference was dropped: the sum of the counters is one less than what it was.
  machine.mm->phash.ref.ahead.poke(1);
}
void wait_for_pivot() { model::wait_for_pivot(*machine.mm, "futex_hash_allocate"); }
void put() { model::futex_private_hash_put(&old_table()); }
void fold() { model::futex_ref_rcu(); }
void ask_whether_dead() { result(model::futex_ref_is_dead(&old_table()) ? 1 : 0); }
void begin() { model::futex_ref_drop(&old_table()); }

}  // namespace

Subject wait_and_wake(const model::Variant& variant) {
  return {world_of(variant), nullptr, {{"waiter", &wait}, {"waker", &store_and_wake}}, 1, true};
}

Subject prctl_and_put(const model::Variant& /*variant*/) {
  return {kPrivate, &pending_with_one_reference, {{"prctl", &wait_for_pivot}, {"user", &put}}, 2};
}
Subject prctl_and_fold(const model::Variant& /*variant*/) {
  return {kPrivate, &pending_and_biased, {{"prctl", &wait_for_pivot}, {"callback", &fold}}, 2};
}
Subject dead_and_begin(const model::Variant& /*variant*/) {
  return {kPrivate, nullptr, {{"pivot", &ask_whether_dead}, {"drop", &begin}}};
}

}  // namespace futexmc::properties::proofs::memory
