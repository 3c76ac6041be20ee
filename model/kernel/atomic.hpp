// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's atomics and marked accesses. Orderings are those of
// Documentation/memory-barriers.txt: value-returning read-modify-writes are fully ordered, the
// void ones relaxed, a failed conditional one orders nothing.
#pragma once

#include "model/kernel/types.hpp"

namespace futexmc::model {

template <class T>
T READ_ONCE(const Cell<T>& cell, Loc loc = Loc::here()) {
  return checker::load(cell, Order::once, loc, "READ_ONCE");
}
template <class T>
void WRITE_ONCE(Cell<T>& cell, std::type_identity_t<T> value, Loc loc = Loc::here()) {
  checker::store(cell, value, Order::once, loc, "WRITE_ONCE");
}
/// A plain access: the compiler may do what it likes with it, which only a proof considers.
template <class T>
T read_plain(const Cell<T>& cell, Loc loc = Loc::here()) {
  return checker::load(cell, Order::plain, loc, "read");
}
template <class T>
void write_plain(Cell<T>& cell, std::type_identity_t<T> value, Loc loc = Loc::here()) {
  checker::store(cell, value, Order::plain, loc, "write");
}
/// A field that is constant from before the object was published until it is freed: commutes with
/// everything but the freeing, which the next access to the object notices as well. Not for an
/// object's last access.
template <class T>
T read_immutable(const Cell<T>& cell, Loc loc = Loc::here()) {
  checker::Operation op = checker::operation("read", cell, checker::Access::read, Order::plain,
                                             loc);
  op.mover = checker::Mover::both;
  checker::announce(op);
  return checker::remember(cell.seen());
}
template <class T>
T smp_load_acquire(const Cell<T>& cell, Loc loc = Loc::here()) {
  return checker::load(cell, Order::acquire, loc, "smp_load_acquire");
}
template <class T>
void smp_store_release(Cell<T>& cell, std::type_identity_t<T> value, Loc loc = Loc::here()) {
  checker::store(cell, value, Order::release, loc, "smp_store_release");
}
template <class T>
void rcu_assign_pointer(Cell<T>& cell, std::type_identity_t<T> value, Loc loc = Loc::here()) {
  checker::store(cell, value, Order::release, loc, "rcu_assign_pointer");
}
template <class T>
T rcu_dereference(const Cell<T>& cell, Loc loc = Loc::here()) {
  return checker::load(cell, Order::once, loc, "rcu_dereference");
}

/// A full barrier. Nothing to see while memory is sequentially consistent.
inline void smp_mb(Loc loc = Loc::here()) {
  checker::announce({.name = "smp_mb", .loc = loc, .mover = checker::Mover::both,
                     .order = Order::full});
  checker::remember_done();
}

inline void atomic_add(Cell<int>& cell, int d, const char* name, Loc loc) {
  checker::announce(checker::atomic(
      checker::operation(name, cell, checker::Access::write, Order::relaxed, loc)));
  checker::drain_stores();  // a locked instruction, whatever the kernel promises of it
  cell.poke(cell.peek() + d);
  checker::remember_done();
}
inline void atomic_inc(Cell<int>& cell, Loc loc = Loc::here()) {
  atomic_add(cell, 1, "atomic_inc", loc);
}
inline void atomic_dec(Cell<int>& cell, Loc loc = Loc::here()) {
  atomic_add(cell, -1, "atomic_dec", loc);
}

/// Atomics wrap.
inline long wrapping_add(long a, long b) {
  return static_cast<long>(static_cast<unsigned long>(a) + static_cast<unsigned long>(b));
}
inline bool atomic_long_inc_not_zero(Cell<long>& cell, Loc loc = Loc::here()) {
  return checker::update(cell, Order::full, [](long& v) {
    if (v == 0) return false;
    v = wrapping_add(v, 1);
    return true;
  }, "atomic_long_inc_not_zero", loc);
}
inline bool atomic_long_dec_and_test(Cell<long>& cell, Order order = Order::full,
                                     Loc loc = Loc::here()) {
  return checker::update(cell, order, [](long& v) {
    v = wrapping_add(v, -1);
    return v == 0;
  }, "atomic_long_dec_and_test", loc);
}
/// Returns the sign of the new value: nothing more is used of it.
inline int atomic_long_add_return_sign(Cell<long>& cell, long d, Order order = Order::full,
                                       Loc loc = Loc::here()) {
  return checker::update(cell, order, [d](long& v) {
    v = wrapping_add(v, d);
    return v == 0 ? 0 : v > 0 ? 1 : -1;
  }, "atomic_long_add_return", loc);
}
inline void atomic_long_set(Cell<long>& cell, long value, Loc loc = Loc::here()) {
  checker::store(cell, value, Order::once, loc, "atomic_long_set");
}

}  // namespace futexmc::model
