// SPDX-License-Identifier: GPL-2.0-or-later
//
// A lock that blocks while taken, and accesses to what it protects.
#pragma once

#include "checker/cell.hpp"

namespace futexmc::checker {

class Lock {
 public:
  /// Thread that holds it plus one; 0 when free.
  std::uint64_t owner() const { return owner_.peek(); }
  bool held_by_me() const { return owner_.peek() == rt.current_id + 1; }
  std::uint32_t index() const { return owner_.index(); }

  /// `also`: footprint of what the caller changes in the same step.
  void acquire(const char* name, Loc loc, std::uint64_t also = 0) {
    Operation op = atomic(operation(name, owner_, Access::write, Order::acquire, loc));
    op.mover = Mover::right;
    op.reads |= also;
    op.writes |= also;
    op.guard = {.value = 0, .cell = owner_.index(), .kind = Guard::Kind::equal};
    announce(op);
    drain_stores();
    owner_.poke(rt.current_id + 1);
    remember_done();
  }
  /// Without waiting. Whether it got the lock: it may fail where the lock is free, so that whoever
  /// takes or releases it commutes with a failure (and must try again).
  bool try_acquire(const char* name, Loc loc, std::uint64_t also = 0) {
    Operation op = atomic(operation(name, owner_, Access::write, Order::acquire, loc));
    op.reads |= also;
    op.writes |= also;
    op.alternatives = 2;
    announce(op);
    drain_stores();
    const bool got = owner_.peek() == 0 && chosen() == 0;
    if (got) owner_.poke(rt.current_id + 1);
    return remember(got);
  }
  /// `unheld` is the property that releasing somebody else's lock violates.
  /// `locked`: by a locked instruction, as a mutex; a spinlock is released by a plain store.
  void release(const char* name, const char* unheld, Loc loc, std::uint64_t also = 0,
               bool locked = false) {
    Operation op = operation(name, owner_, Access::write, Order::release, loc);
    op.mover = Mover::left;
    op.reads |= also;
    op.writes |= also;
    announce(op);
    if (!held_by_me()) {
      fault(unheld, {name, " of a lock that is not held in ", function_of(*rt.current), "()"});
    }
    if (locked) {
      drain_stores();
      owner_.poke(0);
    } else {
      owner_.put(0);
    }
    remember_done();
  }

 private:
  Cell<std::uint64_t> owner_;
};

/// The operation as a both-mover if the lock is held, as the declaration says.
inline Operation under(const Lock& lock, Operation op) {
  if (lock.held_by_me()) {
    op.mover = Mover::both;
  } else if (rt.movers) {
    rt.monitor->discipline_broken(op.cell);
  }
  return op;
}

template <class T>
Value<T> load_under(const Lock& lock, const Cell<T>& cell, Loc loc = Loc::here()) {
  announce(under(lock, operation("load", cell, Access::read, Order::plain, loc)));
  return remember(cell.seen());
}

/// As load_as().
template <class T, class Project>
auto load_under_as(const Lock& lock, const Cell<T>& cell, Project project,
                   Loc loc = Loc::here()) {
  announce(under(lock, operation("load", cell, Access::read, Order::plain, loc)));
  return remember(project(cell.seen()));
}

template <class T>
void store_under(const Lock& lock, Cell<T>& cell, std::type_identity_t<T> value,
                 Loc loc = Loc::here()) {
  announce(under(lock, operation("store", cell, Access::write, Order::plain, loc)));
  cell.put_protected(value);
  remember_done();
}

}  // namespace futexmc::checker
