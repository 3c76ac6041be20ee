// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/subjects.hpp"

#include <climits>

#include "model/kernel/wait_bit.hpp"
#include "properties/proofs/memory/worlds.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::Order;
using model::machine;
using worlds::new_table;
using worlds::old_table;
using worlds::prepare_pending;
using worlds::word;

void wait() { result(model::futex_wait(word(), 0, 0, false, ~0U)); }
void store_and_wake() {
  checker::store(word(), 1, Order::relaxed, {"user", "theorem", 0});
  result(model::futex_wake(word(), 0, 1, ~0U));
}

void pending_and_biased() {
  prepare_pending(LONG_MAX);
  // The initial reference was dropped: the sum of the counters is one less than what it was.
  machine.mm->phash.ref.ahead.poke(1);
}
void wait_for_pivot() { model::wait_for_pivot(*machine.mm, "futex_hash_allocate"); }
void fold() { model::futex_ref_rcu(); }
void ask_whether_dead() { result(model::futex_ref_is_dead(&old_table()) ? 1 : 0); }
void begin() { model::futex_ref_drop(&old_table()); }

}  // namespace

Subject wait_and_wake(const model::Variant& variant) {
  return {worlds::of_two(variant), nullptr,
          {{"waiter", &wait}, {"waker", &store_and_wake}}, 1, true};
}

Subject prctl_and_put(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &worlds::pending_with_one_reference,
          {{"prctl", &wait_for_pivot}, {"user", &worlds::put}}, 2};
}
Subject prctl_and_fold(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &pending_and_biased,
          {{"prctl", &wait_for_pivot}, {"callback", &fold}}, 2};
}
Subject dead_and_begin(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, nullptr, {{"pivot", &ask_whether_dead}, {"drop", &begin}}};
}

}  // namespace futexmc::properties::proofs::memory
