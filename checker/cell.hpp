// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shared data as typed cells, and the visible operations on them.
//
// Every access states its ordering. Data that a lock protects says so (load_under, store_under):
// such accesses commute with other threads' and need no interleaving of their own; the claim is
// checked on each access, and a broken one turns the reduction off.
#pragma once

#include "checker/runtime.hpp"

namespace futexmc::checker {

#ifdef FUTEXMC_TRACK_VALUES
template <class T>
class Tracked;  // a number with the events it depends on; supplied by the recorder of a proof
template <class T>
using Value = Tracked<T>;
#else
/// What a load returns. While exploring, just the number: tracking costs nothing.
template <class T>
using Value = T;
#endif

/// One 8-byte cell of shared memory. `Hashed` false keeps the cell out of the state's identity,
/// for values of which only some function can be observed (which then has a hashed cell).
template <class T, bool Hashed = true>
class alignas(8) Cell {
 public:
  using value_type = T;
  /// The value, without an operation: for invariants, events and reports.
  T peek() const { return from_word<T>(word_); }
  /// What the thread at hand sees, its own buffered stores included.
  T seen() const { return from_word<T>(seen_word(index())); }
  /// Writes as part of the operation or event at hand, for all to see.
  void poke(T value) { arena.write_cell(index(), to_word(value), Hashed); }
  /// Writes as a plain store does: through the thread's store buffer if there is one.
  void put(T value) {
    if (rt.buffers != 0) [[unlikely]] return buffer_store(index(), to_word(value), Hashed);
    poke(value);
  }
  /// A protected store: written through, unless it would overtake one to the same cell.
  void put_protected(T value) {
    if (rt.buffers != 0 && is_buffered(index())) [[unlikely]] return put(value);
    poke(value);
  }
  std::uint32_t index() const { return cell_index(this); }

 private:
  std::uint64_t word_;
};

enum class Access : std::uint8_t { read, write };

template <class C>
Operation operation(const char* name, const C& cell, Access access, Order order, Loc loc) {
  const std::uint64_t mask = footprint(cell.index());
  constexpr bool pointer = std::is_pointer_v<typename C::value_type>;
  return {.name = name, .loc = loc, .cell = cell.index(), .order = order,
          .access = pointer ? kPointer : std::uint8_t{0}, .reads = mask,
          .writes = access == Access::write ? mask : 0};
}

/// The same as an atomic read-modify-write.
inline Operation atomic(Operation op) {
  op.access |= kReadModifyWrite;
  return op;
}

template <class T, bool H>
Value<T> load(const Cell<T, H>& cell, Order order, Loc loc = Loc::here(),
              const char* name = "load") {
  announce(operation(name, cell, Access::read, order, loc));
  return remember(cell.seen());
}

/// Loads and keeps only what the code uses of the value: `project(value)`.
template <class T, bool H, class Project>
auto load_as(const Cell<T, H>& cell, Order order, Project project, Loc loc = Loc::here(),
             const char* name = "load") {
  announce(operation(name, cell, Access::read, order, loc));
  return remember(project(cell.seen()));
}

template <class T, bool H>
void store(Cell<T, H>& cell, std::type_identity_t<T> value, Order order, Loc loc = Loc::here(),
           const char* name = "store") {
  announce(operation(name, cell, Access::write, order, loc));
  if (order == Order::full) {
    cell.poke(value);
  } else {
    cell.put(value);
  }
  remember_done();
}

/// Atomic read-modify-write: `change(T& value)` may change the value; what it returns (not void)
/// is what the thread learns.
template <class T, bool H, class Change>
auto update(Cell<T, H>& cell, Order order, Change change, const char* name,
            Loc loc = Loc::here()) {
  announce(atomic(operation(name, cell, Access::write, order, loc)));
  drain_stores();
  T value = cell.peek();
  auto result = change(value);
  cell.poke(value);
  return remember(result);
}

}  // namespace futexmc::checker
