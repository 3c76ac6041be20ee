// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reference count of the current private table: per CPU while nobody wants to replace it, one
// atomic while somebody does. Follows kernel/futex/core.c: futex_ref_{get,put,is_dead,drop,rcu},
// __futex_ref_atomic_{begin,end}.
//
// Invariants (what the property `refcount` checks)
//  1. A reference is obtained only on the current table.
//  2. A table is replaced only when nobody holds a reference on it.
//  3. The folded count is the number of references held; it never goes below zero.
#include <climits>

#include "model/kernel/alloc.hpp"
#include "model/kernel/wait_bit.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

mm_struct& mm_of(const futex_private_hash& fph) {
  mm_struct* const mm = read_immutable(fph.mm);
  if (mm == nullptr) checker::fault("lifetime", {"the mm of a table that was freed is used"});
  return *mm;
}

// The model's own books, kept in the operation that changes the real count.
void note_get(futex_private_hash& fph) {
  const std::size_t table = table_index(fph);
  current().held.poke(current().held.peek() + (1ULL << (8 * table)));
  fph.holders.poke(fph.holders.peek() + 1);
  if (machine.mm->phash.hash.peek() != &fph) {
    checker::report("refcount", {"futex_ref_get() got a reference on a table that was replaced"});
  }
}

void note_put(futex_private_hash& fph) {
  const std::size_t table = table_index(fph);
  if (((current().held.peek() >> (8 * table)) & 0xFF) == 0) {
    checker::report("refcount", {"futex_ref_put() gave back a reference that was not held"});
  } else {
    current().held.poke(current().held.peek() - (1ULL << (8 * table)));
  }
  fph.holders.poke(fph.holders.peek() - 1);
}

}  // namespace

void note_handed_over(futex_private_hash& fph, int task) {
  const std::uint64_t one = 1ULL << (8 * table_index(fph));
  task_struct& p = *machine.task[static_cast<std::size_t>(task)];
  current().held.poke(current().held.peek() - one);
  p.held.poke(p.held.peek() + one);
  checker::rt.writes |= checker::footprint(p.held.index());
}

namespace {

void count(percpu_ref& ref, int cpu, int d) {
  auto& counter = ref.counter[static_cast<std::size_t>(cpu)];
  counter.poke(counter.peek() + d);
  const int position = ref.position.peek();
  if (2 * cpu >= position) {
    ref.ahead.poke(ref.ahead.peek() + d);
  } else if (2 * cpu + 1 < position) {
    ref.behind.poke(ref.behind.peek() + d);
  }  // else it lands between the fold's read and its reset, and is lost
}

void this_cpu_add(int d, const char* name, Loc loc) {
  percpu_ref& ref = machine.mm->phash.ref;
  const int cpu = current().cpu.peek();
  checker::recall(static_cast<std::uint64_t>(cpu));
  auto& counter = ref.counter[static_cast<std::size_t>(cpu)];
  checker::announce(checker::operation(name, counter, checker::Access::write, Order::plain, loc));
  count(ref, cpu, d);
  checker::remember_done();
}

// Reads and resets every CPU's counter, one after the other.
int fold_percpu() {
  Scope scope("__futex_ref_atomic_end");
  percpu_ref& ref = machine.mm->phash.ref;
  for (int cpu = 0; cpu < machine.cpus; ++cpu) {
    scope.at("cpu", cpu);
    auto& counter = ref.counter[static_cast<std::size_t>(cpu)];
    checker::announce(checker::operation("read", counter, checker::Access::read, Order::plain,
                                         Loc::here()));
    ref.position.poke(2 * cpu + 1);
    checker::remember_done();
    checker::announce(checker::operation("write", counter, checker::Access::write, Order::plain,
                                         Loc::here()));
    if (!knocked(Knockout::fold_reset)) counter.poke(0);
    ref.position.poke(2 * cpu + 2);
    checker::remember_done();
  }
  const int sum = ref.ahead.peek();
  ref.ahead.poke(ref.behind.peek() + (knocked(Knockout::fold_reset) ? sum : 0));
  ref.behind.poke(0);
  ref.position.poke(0);
  return scope.returns(sum);
}

bool inc_not_zero(Cell<long>& atomic) {
  if (knocked(Knockout::get_not_zero)) {
    atomic_long_add_return_sign(atomic, 1);
    return true;
  }
  return atomic_long_inc_not_zero(atomic);
}

bool dec_and_test(futex_private_hash& fph, Cell<long>& atomic) {
  if (knocked(Knockout::put_atomic)) {
    const long seen = read_plain(atomic);
    write_plain(atomic, wrapping_add(seen, -1));
    note_put(fph);
    return seen == 1;
  }
  const Order order = knocked(Knockout::put_barrier) ? Order::relaxed : Order::full;
  const bool last = atomic_long_dec_and_test(atomic, order);
  note_put(fph);
  if (knocked(Knockout::put_test)) return read_plain(atomic) == 0;
  return last;
}

void __futex_ref_atomic_begin(futex_private_hash& fph);

void __futex_ref_atomic_end(futex_private_hash& fph) {
  Scope scope("__futex_ref_atomic_end");
  mm_struct& mm = mm_of(fph);
  warn_on(read_plain(fph.state) != FR_ATOMIC,
          "__futex_ref_atomic_end(): the state is not FR_ATOMIC");
  mm.phash.folding.poke(1);
  int sum = fold_percpu();
  scope.at("folded", sum);
  scope.show(sum);
  const bool next_late = knocked(Knockout::next_ref_first);
  if (!knocked(Knockout::next_ref) && !next_late) this_cpu_add(1, "this_cpu_inc", Loc::here());
  const long bias = knocked(Knockout::bias) ? 0 : LONG_MAX;
  if (knocked(Knockout::fold_sum)) sum = 0;
  if (knocked(Knockout::fold_initial)) ++sum;
  const Order order = knocked(Knockout::fold_barrier) ? Order::relaxed : Order::full;
  const long difference = wrapping_add(sum - 1, -bias);
  const int sign = atomic_long_add_return_sign(mm.phash.atomic, difference, order);
  mm.phash.folding.poke(0);
  if (knocked(Knockout::next_ref_first)) this_cpu_add(1, "this_cpu_inc", Loc::here());
  if (sign == 0 && !knocked(Knockout::fold_wake)) wake_up_var(*machine.var_waitqueue);
  warn_on(sign < 0, "__futex_ref_atomic_end(): the count is negative");
  if (!knocked(Knockout::end_mmput)) atomic_dec(mm.users);  // mmput_async()
}

void __futex_ref_atomic_begin(futex_private_hash& fph) {
  Scope scope("__futex_ref_atomic_begin");
  mm_struct& mm = mm_of(fph);
  const bool busy = checker::load_as(mm.phash.atomic, Order::relaxed,
                                     [](long v) { return v != 0; }, Loc::here(),
                                     "atomic_long_read");
  warn_on(busy, "__futex_ref_atomic_begin(): the atomic is not zero");
  if (knocked(Knockout::bias_first)) smp_store_release(fph.state, FR_ATOMIC);
  // Biased, so that gets and puts do not see zero until the per-CPU counts have been folded in.
  atomic_long_set(mm.phash.atomic, knocked(Knockout::bias) ? 0 : LONG_MAX);
  if (knocked(Knockout::begin_release)) WRITE_ONCE(fph.state, FR_ATOMIC);
  else if (!knocked(Knockout::bias_first)) smp_store_release(fph.state, FR_ATOMIC);
  if (knocked(Knockout::fold_grace_period)) {
    __futex_ref_atomic_end(fph);
  } else {
    call_rcu(kRefCallback, "call_rcu_hurry");
  }
}

}  // namespace

bool futex_ref_get(futex_private_hash* fph) {
  Scope scope("futex_ref_get");
  scope.show(fph);
  mm_struct& mm = mm_of(*fph);
  guard_preempt preempt(!knocked(Knockout::get_preempt));
  bool got = true;
  if (knocked(Knockout::get_state) || READ_ONCE(fph->state) == FR_PERCPU) {
    this_cpu_add(1, "__this_cpu_inc", Loc::here());
  } else {
    got = inc_not_zero(mm.phash.atomic);
  }
  if (got) note_get(*fph);
  return scope.returns(got);
}

bool futex_ref_put(futex_private_hash* fph) {
  Scope scope("futex_ref_put");
  scope.show(fph);
  mm_struct& mm = mm_of(*fph);
  guard_preempt preempt(!knocked(Knockout::put_preempt));
  bool last = false;
  if (knocked(Knockout::put_state) || READ_ONCE(fph->state) == FR_PERCPU) {
    this_cpu_add(-1, "__this_cpu_dec", Loc::here());
    note_put(*fph);
  } else {
    last = dec_and_test(*fph, mm.phash.atomic);
  }
  return scope.returns(last);
}

bool futex_ref_is_dead(futex_private_hash* fph) {
  Scope scope("futex_ref_is_dead");
  mm_struct& mm = mm_of(*fph);
  guard_rcu rcu(!knocked(Knockout::dead_rcu));
  const bool acquire = !knocked(Knockout::dead_acquire);
  const int state = acquire ? smp_load_acquire(fph->state) : READ_ONCE(fph->state);
  if (state == FR_PERCPU) return scope.returns(false);
  if (knocked(Knockout::dead_test)) return scope.returns(true);
  return scope.returns(checker::load_as(mm.phash.atomic, Order::relaxed,
                                        [](long v) { return v == 0; }, Loc::here(),
                                        "atomic_long_read"));
}

void futex_ref_drop(futex_private_hash* fph) {
  Scope scope("futex_ref_drop");
  mm_struct& mm = mm_of(*fph);
  warn_on(checker::load_under(mm.phash.lock.lock, mm.phash.hash) != fph,
          "futex_ref_drop(): the table is not the current one");
  if (!knocked(Knockout::drop_mmget)) atomic_inc(mm.users);  // mmget()
  // A reader may still hold the previous table, whose count must not come back to life.
  if (knocked(Knockout::publish_grace_period) || poll_state_synchronize_rcu(mm.phash.batches)) {
    __futex_ref_atomic_begin(*fph);
  } else {
    call_rcu(kRefCallback, "call_rcu_hurry");
  }
}

void futex_ref_rcu() {
  Scope scope("futex_ref_rcu");
  futex_private_hash& fph = *rcu_dereference(machine.mm->phash.hash);
  // After the extra grace period nobody relies on the previous table's count any more.
  if (read_plain(fph.state) == FR_PERCPU && !knocked(Knockout::callback_state)) {
    __futex_ref_atomic_begin(fph);
  } else {
    __futex_ref_atomic_end(fph);
  }
}

}  // namespace futexmc::model
