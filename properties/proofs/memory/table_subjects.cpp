// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs about the reference count of a table that grace periods protect.
#include "model/kernel/lock.hpp"
#include "model/kernel/rcu.hpp"
#include "properties/proofs/memory/worlds.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using model::machine;
using worlds::new_table;
using worlds::old_table;

constexpr std::size_t kUserCpu = 1;  // thread 1's
constexpr int kCountBefore = 5;

void counted_before() { machine.mm->phash.ref.counter[kUserCpu].poke(kCountBefore); }

void look_up() {
  const model::class_hbr hbr(worlds::key());
  // Not every version says which table it is.
  result(hbr.hb() == &worlds::old_bucket() ? 1 : 0);
}

void drop(model::futex_private_hash& fph) {
  const model::guard_mutex mutex(machine.mm->phash.lock);
  model::futex_ref_drop(&fph);
}
void drop_and_fold() {
  checker::Scope scope("drop");
  drop(old_table());
  do scope.at("callbacks");
  while (worlds::run_callback());
}
/// Up to where the count is made use of again.
void replace_and_drop() {
  model::futex_pivot_hash(*machine.mm);
  drop(new_table());
  worlds::run_callback();
}
/// A grace period of somebody else's, that the cookie may be about.
void let_grace_period_pass() {
  model::Cell<int>& cookie = machine.mm->phash.batches;
  if (model::smp_load_acquire(cookie) == 0) return;
  checker::announce({.name = "grace period", .loc = checker::Loc::here(),
                     .access = checker::kGracePeriod});
  checker::remember_done();
  model::smp_store_release(cookie, 0);
}
void replace_and_reuse() {
  model::futex_pivot_hash(*machine.mm);
  if (!worlds::take_callback(model::free_callback(0))) return;
  model::write_plain(old_table().mm, nullptr);
  model::write_plain(old_table().state, model::FR_PERCPU);
}
/// Nothing that would stop the other inside a section that then never ended.
void replace_and_clear() {
  model::futex_pivot_hash(*machine.mm);
  if (!worlds::take_callback(model::free_callback(0))) return;
  model::write_plain(old_table().hash_mask, 0U);
  model::write_plain(old_table().state, model::FR_PERCPU);
}
/// Of thread 1: what it found is in use, and no grace period waits for it any more.
bool has_reference() {
  return machine.task[1]->held.peek() != 0 && machine.task[1]->read_side.peek().depth == 0;
}
void dead_and_pending() { worlds::prepare_pending(0); }

}  // namespace

Subject look_up_and_fold(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &counted_before, {{"drop", &drop_and_fold}, {"user", &look_up}}, 2};
}
const void* counter() { return &machine.mm->phash.ref.counter[kUserCpu]; }

Subject put_and_free(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &worlds::pending_with_one_reference,
          {{"pivot", &replace_and_reuse}, {"user", &worlds::put}}, 2};
}
Subject look_up_and_free(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &dead_and_pending,
          {{"pivot", &replace_and_clear}, {"user", &look_up, &has_reference}}, 2};
}
const void* freed_mm() { return &old_table().mm; }
const void* freed_mask() { return &old_table().hash_mask; }
const void* freed_state() { return &old_table().state; }

Subject look_up_and_replace(const model::Variant& /*variant*/) {
  return {worlds::kThree, &dead_and_pending,
          {{"pivot", &replace_and_drop}, {"user", &look_up}, {"rcu", &let_grace_period_pass}}, 2};
}

}  // namespace futexmc::properties::proofs::memory
