// SPDX-License-Identifier: GPL-2.0-or-later
//
// The private hash of the pivot model and its reference count: per CPU while the hash is in use,
// one atomic while a successor waits for it to die. Follows futex_ref_get() to futex_ref_drop() of
// kernel/futex/core.c, at the granularity of pivot.pml.
#pragma once

#include "tests/models/rcu.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::models {

inline constexpr std::size_t kMaxHashes = 4;
inline constexpr std::size_t kMaxCpus = 4;
inline constexpr int kBias = 1000;
/// The RCU callback that moves the reference count on; hash i is freed by callback 2 << i.
inline constexpr unsigned kRefCallback = 1;

enum class RefState : std::uint8_t { percpu, atomic };

enum class PivotMutation {
  none,
  no_grace_period,  ///< the per-CPU counts are summed up while gets may be in flight
  no_poll,          ///< a count changes hands before the last change is a grace period old
};

struct Fph {
  Cell<RefState> state;
  Cell<bool> freed;
  Bucket bucket;
};

/// The part of mm_struct that the private hash needs. A thread's CPU is its own.
struct Mm {
  Cell<Fph*> hash;
  Cell<Fph*> hash_new;
  checker::Lock lock;
  Cell<int> atomic;
  std::array<Cell<int>, kMaxCpus> ref;
  Cell<int> batches;
  Rcu rcu;
  // Constant while the program runs.
  Cell<std::size_t> cpus;
  Cell<PivotMutation> mutation;
  Cell<bool> whole_lifetime;  ///< a freed hash is dead as a whole: every access is checked
};

/// Frees a hash. As in pivot.pml only a load of its state notices, unless `whole_lifetime`.
inline void kfree(const Mm& mm, Fph& fph) {
  auto op = checker::operation("kfree", fph.freed, checker::Access::write, Order::plain,
                               Loc::here());
  const checker::Object& object = checker::arena.layout.object_of(fph.freed.index());
  const bool whole = mm.whole_lifetime.peek();
  for (std::uint32_t i = 0; whole && i < object.count; ++i) {
    op.writes |= checker::footprint(object.first + i);
  }
  checker::announce(op);
  if (whole) {
    checker::arena.write_cell(object.liveness, checker::to_word(checker::Liveness::freed), true);
  } else {
    fph.freed.poke(true);
  }
  checker::remember_done();
}

inline RefState load_live_state(const Fph& fph, Loc loc = Loc::here()) {
  auto op = checker::operation("load", fph.state, checker::Access::read, Order::once, loc);
  op.reads |= checker::footprint(fph.freed.index());
  checker::announce(op);
  if (fph.freed.peek()) {
    checker::report("lifetime", {"use after free of the private hash in ", loc.function, "()"});
  }
  return checker::remember(fph.state.peek());
}

inline bool futex_ref_get(Mm& mm, const Fph& fph) {
  if (load_live_state(fph) == RefState::percpu) {
    add(mm.ref[checker::rt.current_id], 1, "this_cpu_inc");
    return true;
  }
  return checker::update(mm.atomic, Order::full, [](int& v) {
    if (v == 0) return false;
    ++v;
    return true;
  }, "atomic_inc_not_zero");
}

inline void futex_ref_put(Mm& mm, const Fph& fph) {
  Scope scope("futex_ref_put");
  rcu_read_lock(mm.rcu);
  if (load_live_state(fph) == RefState::percpu) {
    add(mm.ref[checker::rt.current_id], -1, "this_cpu_dec");
  } else {
    checker::update(mm.atomic, Order::full, [](int& v) {
      if (v == 0) checker::report("refcount", {"the reference count falls below zero"});
      --v;
      return 0;
    }, "atomic_dec_and_test");
  }
  scope.at("put");
  rcu_read_unlock(mm.rcu);
}

/// Sums the per-CPU counts up into the atomic one and takes the bias and the first reference off.
inline void futex_ref_atomic_end(Mm& mm, const Fph& fph) {
  if (checker::load(fph.state, Order::plain) != RefState::atomic) {
    checker::report("warn", {"futex_ref_atomic_end() of a count that is not atomic"});
  }
  Scope scope("futex_ref_atomic_end");
  int count = 0;
  for (std::size_t cpu = 0; cpu < mm.cpus.peek(); ++cpu) {
    count += checker::load(mm.ref[cpu], Order::plain);
    checker::store(mm.ref[cpu], 0, Order::plain);
    scope.at("summing", cpu, count);
  }
  add(mm.ref[0], 1, "this_cpu_inc");
  checker::update(mm.atomic, Order::full, [count](int& v) {
    v += count - kBias - 1;
    if (v < 0) checker::report("refcount", {"the sum of the reference counts is negative"});
    return 0;
  }, "atomic_add_return");
}

inline void futex_ref_atomic_begin(Mm& mm, Fph& fph) {
  if (checker::load_as(mm.atomic, Order::plain, [](int v) { return v != 0; })) {
    checker::report("warn", {"futex_ref_atomic_begin() while the atomic count is in use"});
  }
  checker::store(mm.atomic, kBias, Order::plain);
  checker::store(fph.state, RefState::atomic, Order::release);
  if (mm.mutation.peek() == PivotMutation::no_grace_period) {
    futex_ref_atomic_end(mm, fph);
  } else {
    call_rcu(mm.rcu, kRefCallback);
  }
}

/// Begins to retire the current hash, at once if its own beginning is a grace period ago.
inline void futex_ref_drop(Mm& mm, Fph& fph) {
  auto op = checker::operation("poll_state_synchronize_rcu", mm.rcu.completed,
                               checker::Access::read, Order::full, Loc::here());
  op.reads |= checker::footprint(mm.batches.index());
  checker::announce(op);
  const bool polled = checker::remember(mm.rcu.completed.peek() >= mm.batches.peek());
  if (polled || mm.mutation.peek() == PivotMutation::no_poll) {
    futex_ref_atomic_begin(mm, fph);
  } else {
    call_rcu(mm.rcu, kRefCallback);
  }
}

inline bool futex_ref_is_dead(Mm& mm, const Fph& fph) {
  Scope scope("futex_ref_is_dead");
  rcu_read_lock(mm.rcu);
  bool dead = false;
  if (checker::load(fph.state, Order::acquire) == RefState::atomic) {
    dead = checker::load_as(mm.atomic, Order::plain, [](int v) { return v == 0; });
  }
  scope.at("looked", dead);
  rcu_read_unlock(mm.rcu);
  return scope.returns(dead);
}

}  // namespace futexmc::models
