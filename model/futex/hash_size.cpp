// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who asks for a private table, and of which size. Follows kernel/futex/core.c:
// futex_hash_allocate, futex_hash_allocate_default, futex_hash_get_slots, futex_hash_less,
// futex_pivot_pending. prctl() waits until its table is installed, clone() does not.
#include <algorithm>
#include <bit>

#include "model/kernel/alloc.hpp"
#include "model/kernel/wait_bit.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

bool futex_pivot_pending(mm_struct& mm) {
  Scope scope("futex_pivot_pending");
  guard_mutex lock(mm.phash.lock, !knocked(Knockout::pending_mutex));
  const checker::Lock& held = mm.phash.lock.lock;
  const bool none = checker::load_under(held, mm.phash.hash_new) == nullptr;
  if (none && !knocked(Knockout::pending_none)) return scope.returns(true);
  if (knocked(Knockout::pending_dead)) return scope.returns(false);
  return scope.returns(futex_ref_is_dead(checker::load_under(held, mm.phash.hash)));
}

// No slots: the global hash, from which there is no way back.
bool is_global_for_good(const futex_private_hash& fph) {
  return read_immutable(fph.hash_mask) == 0 && !knocked(Knockout::global_for_good);
}

// The user's choice wins over a default; of two alike, none at all wins, then the bigger.
bool futex_hash_less(const futex_private_hash& a, const futex_private_hash& b) {
  const bool a_custom = read_immutable(a.custom);
  const bool b_custom = read_immutable(b.custom);
  if (a_custom != b_custom && !knocked(Knockout::hash_less_custom)) return b_custom;
  const unsigned a_mask = read_immutable(a.hash_mask);
  const unsigned b_mask = read_immutable(b.hash_mask);
  const bool zero_wins = !knocked(Knockout::less_zero);
  if (b_mask == 0 && zero_wins) return true;
  if (a_mask == 0 && zero_wins) return false;
  return knocked(Knockout::hash_less_size) ? a_mask > b_mask : a_mask < b_mask;
}

}  // namespace

void wait_for_pivot(mm_struct& mm, checker::Label caller) {
  Scope scope(caller);
  wait_queue_head& queue = *machine.var_waitqueue;
  const bool tested = knocked(Knockout::prctl_enqueue);
  if (tested && futex_pivot_pending(mm)) return;
  add_wait_queue(queue);
  // It must not be possible to see the old table in use and miss the wakeup of its last put.
  if (!knocked(Knockout::prctl_barrier)) smp_mb();
  if (tested) wait_woken(current().wait);
  for (;;) {
    scope.at("test");
    if (futex_pivot_pending(mm)) break;
    wait_woken(current().wait);
  }
  remove_wait_queue(queue);
}

namespace {

// The percpu counter comes with the first table; threads that race to add it free theirs.
bool allocate_ref(mm_struct& mm) {
  Scope scope("futex_hash_allocate");
  if (read_plain(mm.phash.has_ref)) return scope.returns(true);
  if (!alloc_percpu()) return scope.returns(false);
  checker::update(mm.phash.has_ref, Order::full, [&mm](bool& has) {
    if ((!has || knocked(Knockout::ref_cmpxchg)) && !knocked(Knockout::initial_ref)) {
      auto& counter = mm.phash.ref.counter[static_cast<std::size_t>(current().cpu.peek())];
      counter.poke(1);
      mm.phash.ref.ahead.poke(1);
    }
    has = true;
    return 0;
  }, "cmpxchg");
  return scope.returns(true);
}

enum class Install : std::uint8_t { done, busy, wait };

// The part under the mutex. `fph` is the table to install, NULL once it has been handed over.
Install install(mm_struct& mm, futex_private_hash*& fph, bool custom) {
  Scope scope("futex_hash_allocate");
  guard_mutex lock(mm.phash.lock, !knocked(Knockout::install_mutex));
  const checker::Lock& held = mm.phash.lock.lock;
  futex_private_hash* const cur = checker::load_under(held, mm.phash.hash);
  futex_private_hash* fresh = checker::load_under(held, mm.phash.hash_new);
  if (!knocked(Knockout::install_new_cleared)) write_plain(mm.phash.hash_new, nullptr);
  futex_private_hash* unused = nullptr;
  if (fph != nullptr) {
    if (cur != nullptr && is_global_for_good(*cur) && !knocked(Knockout::busy_test)) {
      if (!knocked(Knockout::busy_handover)) write_plain(mm.phash.hash_new, fresh);
      if (!knocked(Knockout::busy_free)) kvfree(*fph);
      return scope.returns(Install::busy);
    }
    const bool first = fresh == nullptr || knocked(Knockout::drop_once);
    if (cur != nullptr && first) futex_ref_drop(cur);
    unused = fph;
    if (fresh == nullptr || futex_hash_less(*fresh, *fph)) {
      unused = fresh;
      fresh = fph;
    }
    note_size_choice(*fresh, unused != fresh ? unused : nullptr, "which was waiting");
    fph = nullptr;
  }
  scope.at("chosen", fresh, unused, custom);
  Install result = Install::done;
  if (fresh != nullptr && !__futex_pivot_hash(mm, *fresh) && custom) result = Install::wait;
  scope.at("installed", result, unused);
  if (unused != nullptr && !knocked(Knockout::loser_free)) kvfree(*unused);
  return scope.returns(result);
}

}  // namespace

int futex_hash_allocate(unsigned slots, unsigned flags) {
  Scope scope("futex_hash_allocate");
  mm_struct& mm = *machine.mm;
  const bool custom = (flags & FH_CUSTOM) != 0;
  const bool valid = slots == 0 || (slots != 1 && std::has_single_bit(slots));
  if (!valid && !knocked(Knockout::slots_power_of_two)) return scope.returns(-EINVAL);
  {
    const bool guarded = !knocked(Knockout::allocate_rcu);
    guard_rcu rcu(guarded);
    futex_private_hash* const now = rcu_dereference(mm.phash.hash);
    const bool tested = now != nullptr && !knocked(Knockout::global_test) &&
                        !knocked(Knockout::global_for_good);
    // Unguarded it may be the last access to the table.
    if (tested && (guarded ? read_immutable(now->hash_mask) : read_plain(now->hash_mask)) == 0) {
      return scope.returns(custom ? -EBUSY : 0);  // the global hash, for good
    }
  }
  scope.at("private", slots, custom);
  if (!allocate_ref(mm)) return scope.returns(-ENOMEM);
  if (slots > kMaxSlots) checker::stop_at_bound("a table of more than 8 slots");
  futex_private_hash* fph = kvzalloc_table();
  if (fph == nullptr) return scope.returns(-ENOMEM);
  fph->hash_mask.poke(slots != 0 ? slots - 1 : 0);
  fph->custom.poke(custom);
  fph->mm.poke(&mm);
  for (unsigned i = 0; i < slots; ++i) {
    INIT_LIST_HEAD(fph->queues[i].chain);
    fph->queues[i].priv.poke(fph);
  }
  for (;;) {
    scope.at("again", fph, custom);
    if (custom && !knocked(Knockout::prctl_wait)) wait_for_pivot(mm, "futex_hash_allocate");
    switch (install(mm, fph, custom)) {
      case Install::done: return scope.returns(0);
      case Install::busy: return scope.returns(-EBUSY);
      case Install::wait: break;
    }
    if (knocked(Knockout::prctl_again)) return scope.returns(0);
  }
}

unsigned futex_default_slots(unsigned threads, unsigned minimum, unsigned per_thread,
                             unsigned maximum) {
  return std::clamp(std::bit_ceil(per_thread * threads), minimum, maximum);
}

int futex_hash_allocate_default() {
  Scope scope("futex_hash_allocate_default");
  mm_struct& mm = *machine.mm;
  unsigned current_buckets = 0;
  unsigned threads = 0;
  {
    guard_rcu rcu;
    const int alive = read_plain(mm.nr_threads);
    threads = static_cast<unsigned>(std::min(alive, machine.cpus));
    futex_private_hash* const fph = rcu_dereference(mm.phash.hash);
    if (fph != nullptr) {
      const bool custom = read_immutable(fph->custom);
      if (custom && !knocked(Knockout::default_custom)) return scope.returns(0);
      current_buckets = read_immutable(fph->hash_mask) + 1;
    }
  }
  const scenario::Sizing& sizing = machine.scenario->sizing;
  const unsigned buckets = futex_default_slots(threads, static_cast<unsigned>(sizing.minimum),
                                               static_cast<unsigned>(sizing.per_thread),
                                               static_cast<unsigned>(sizing.maximum));
  scope.at("sized", current_buckets, buckets);
  if (current_buckets >= buckets && !knocked(Knockout::default_grows)) return scope.returns(0);
  return scope.returns(futex_hash_allocate(buckets, 0));
}

int futex_hash_get_slots() {
  Scope scope("futex_hash_get_slots");
  const bool guarded = !knocked(Knockout::slots_rcu);
  guard_rcu rcu(guarded);
  futex_private_hash* const fph = rcu_dereference(machine.mm->phash.hash);
  unsigned hash_mask = 0;
  if (fph != nullptr && guarded) hash_mask = read_immutable(fph->hash_mask);
  if (fph != nullptr && knocked(Knockout::slots_rcu)) hash_mask = read_plain(fph->hash_mask);
  return scope.returns(hash_mask != 0 ? static_cast<int>(hash_mask + 1) : 0);
}

}  // namespace futexmc::model
