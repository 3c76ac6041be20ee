// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/kernel/alloc.hpp"

#include "checker/assert.hpp"
#include "checker/races.hpp"
#include "model/futex/pi.hpp"
#include "model/kernel/might_sleep.hpp"
#include "model/kernel/rcu.hpp"
#include "model/kernel/sched.hpp"

namespace futexmc::model {
namespace {

using checker::Liveness;

const checker::Object& object_at(const void* address) {
  return checker::arena.layout.object_of(checker::cell_index(address));
}

Liveness liveness(const void* address) {
  return static_cast<Liveness>(checker::cells()[object_at(address).liveness]);
}

std::uint64_t object_footprint(const checker::Object& object) {
  std::uint64_t mask = checker::footprint(object.liveness);
  for (std::uint32_t i = 0; i < object.count; ++i) mask |= checker::footprint(object.first + i);
  return mask;
}

enum class By : std::uint8_t { thread, environment };

// Contents go with the object, so that two dead ones are alike.
void set_liveness(const void* address, Liveness value, By by = By::thread) {
  const checker::Object& object = object_at(address);
  if (by == By::thread) checker::order::object_changes(object.first);
  else checker::order::object_freed_after(object.first, grace_periods_ended(), "kvfree_rcu");
  checker::arena.write_cell(object.liveness, static_cast<std::uint64_t>(value), true);
  for (std::uint32_t i = object.first; i < object.first + object.count; ++i) {
    checker::arena.write_cell(i, 0, true);
  }
  checker::rt.writes |= object_footprint(object);
}

futex_private_hash* first_table(Liveness wanted) {
  for (futex_private_hash* table : machine.table) {
    if (table != nullptr && liveness(table) == wanted) return table;
  }
  return nullptr;
}

bool can_free(std::uint64_t table) {
  return (machine.rcu->done.peek() & free_callback(table)) != 0;
}

void free_table(std::uint64_t table) {
  machine.rcu->done.poke(machine.rcu->done.peek() & ~free_callback(table));
  set_liveness(machine.table[table], Liveness::freed, By::environment);
}

}  // namespace

std::size_t table_index(const futex_private_hash& fph) {
  std::size_t i = 0;
  while (i < machine.table.size() - 1 && machine.table[i] != &fph) ++i;
  FUTEXMC_ASSERT(machine.table[i] == &fph, "a table that is not one of the machine's");
  return i;
}

void revive(const void* object) { set_liveness(object, Liveness::live); }

futex_private_hash* kvzalloc_table(Loc loc) {
  checker::Operation op{.name = "kvzalloc", .loc = loc, .reads = checker::kEverything,
                        .writes = checker::kEverything};
  const bool may_fail = machine.scenario->budgets.alloc_fail > 0;
  const bool may_reuse = machine.scenario->budgets.reuse > 0;
  op.alternatives = static_cast<std::uint8_t>(1 + may_fail + may_reuse);
  checker::announce(op);
  might_sleep("kvzalloc()");
  const bool fail = may_fail && checker::chosen() == 1 && spend(machine.budget->alloc_fail);
  const bool reuse = may_reuse && checker::chosen() + 1U == op.alternatives;
  futex_private_hash* table = first_table(Liveness::never_allocated);
  futex_private_hash* const freed = first_table(Liveness::freed);
  if (freed != nullptr && (table == nullptr || (reuse && spend(machine.budget->reuse)))) {
    table = freed;
  }
  if (fail) table = nullptr;
  else if (table == nullptr) checker::stop_at_bound("more than six tables at once");
  if (table != nullptr) revive(table);
  return checker::remember(table);
}

void kvfree(futex_private_hash& fph, Loc loc) {
  checker::announce({.name = "kvfree", .loc = loc, .cell = fph.state.index(),
                     .reads = checker::kEverything, .writes = checker::kEverything});
  might_sleep("kvfree()");
  set_liveness(&fph, Liveness::freed);
  checker::remember_done();
}

void kvfree_rcu(futex_private_hash& fph, Loc loc) {
  call_rcu(free_callback(table_index(fph)), "kvfree_rcu", loc);
}

namespace {

// An allocation of which nothing matters but whether it fails, and that it may sleep.
bool allocate(const char* name, const char* what, Loc loc) {
  checker::Operation op{.name = name, .loc = loc};
  const bool may_fail = machine.scenario->budgets.alloc_fail > 0;
  op.alternatives = may_fail ? 2 : 1;
  op.mover = may_fail ? checker::Mover::none : checker::Mover::both;
  if (may_fail) op.reads = op.writes = checker::footprint(machine.budget->alloc_fail.index());
  checker::announce(op);
  might_sleep(what);
  const bool fail = may_fail && checker::chosen() == 1 && spend(machine.budget->alloc_fail);
  return checker::remember(!fail);
}

}  // namespace

bool alloc_percpu(Loc loc) { return allocate("alloc_percpu", "alloc_percpu()", loc); }

bool kzalloc_entries(int count, Loc loc) {
  if (!allocate("kzalloc", "kzalloc()", loc)) return false;
  for (int i = 0; i < count; ++i) {
    begin_scope(*machine.waiters[checker::rt.current_id][static_cast<std::size_t>(i)]);
  }
  return true;
}

void kfree_entries(int count) {
  for (int i = 0; i < count; ++i) {
    end_scope(*machine.waiters[checker::rt.current_id][static_cast<std::size_t>(i)]);
  }
}

// futex_q_init: all else is zero. The list is initialised when the entry is queued.
void begin_scope(futex_q& q) {
  revive(&q);
  q.bitset.poke(FUTEX_BITSET_MATCH_ANY);
}
void end_scope(futex_q& q) { leave_stack(&q); }
void leave_stack(const void* object) { set_liveness(object, Liveness::freed); }

namespace {

// Each task's first ones are its own: who allocates first then makes no difference.
futex_pi_state* first_pi_state(Liveness wanted) {
  const std::size_t first = 2 * checker::rt.current_id;
  for (std::size_t i = first; i < first + 2; ++i) {
    futex_pi_state* const own = machine.pi_state[i];
    if (own != nullptr && liveness(own) == wanted) return own;
  }
  return nullptr;
}

}  // namespace

futex_pi_state* kzalloc_pi_state(Loc loc) {
  checker::Operation op{.name = "kzalloc", .loc = loc};
  const bool may_fail = machine.scenario->budgets.alloc_fail > 0;
  op.alternatives = may_fail ? 2 : 1;
  op.mover = may_fail ? checker::Mover::none : checker::Mover::both;
  if (may_fail) op.reads = op.writes = checker::footprint(machine.budget->alloc_fail.index());
  checker::announce(op);
  might_sleep("kzalloc()");
  const bool fail = may_fail && checker::chosen() == 1 && spend(machine.budget->alloc_fail);
  futex_pi_state* pi_state = fail ? nullptr : first_pi_state(Liveness::never_allocated);
  if (!fail && pi_state == nullptr) pi_state = first_pi_state(Liveness::freed);
  if (!fail && pi_state == nullptr) checker::stop_at_bound("more than two pi_states of one thread");
  if (pi_state != nullptr) revive(pi_state);
  return checker::remember(pi_state);
}

void kfree(futex_pi_state& pi_state, Loc loc) {
  checker::announce({.name = "kfree", .loc = loc, .cell = pi_state.refcount.index(),
                     .reads = checker::kEverything, .writes = checker::kEverything});
  checker::drain_stores();  // slab's own atomics
  set_liveness(&pi_state, Liveness::freed);
  checker::remember_done();
}

void add_allocator(checker::Builder& builder) {
  for (std::size_t i = 0; i < machine.table.size(); ++i) {
    if (machine.table[i] == nullptr) continue;
    const std::uint64_t mask = object_footprint(object_at(machine.table[i])) |
                               checker::footprint(machine.rcu->done.index());
    builder.event({"free of " + object_at(machine.table[i]).name, true, &can_free, &free_table, i,
                   mask, mask});
  }
}

}  // namespace futexmc::model
