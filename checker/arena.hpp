// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory that a search saves and restores: cells, thread records and stacks, at one fixed
// address, so that a restored pointer means what it meant.
//
// Invariants
//  1. Shared data lives in 8-byte cells. Every write to one goes through write_cell(), which logs
//     the old value; undo_to() takes writes back in reverse (the caller restores `shared_hash`).
//  2. `shared_hash` is the exclusive or of cell_hash(i, value) over all hashed cells.
//  3. A cell belongs to at most one object; an object's liveness is itself a cell.
//  4. One arena a process: a search that wants company forks.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "checker/hash.hpp"

namespace futexmc::checker {

inline constexpr std::uintptr_t kArenaBase = 0x2000'0000'0000;
inline constexpr std::uint32_t kMaxCells = 8192;
inline constexpr std::size_t kMaxThreads = 12;
inline constexpr std::size_t kMaxAgents = 32;
inline constexpr std::size_t kStacksOffset = kMaxCells * 8;
/// Of which the lowest page is a guard, and the highest bytes are the thread's record: it and the
/// stack that ends below it are copied as one.
inline constexpr std::size_t kStackSize = 128 * 1024;
inline constexpr std::size_t kThreadRecordSize = 144;
/// Each thread's record is this much lower in its slot than the one before: at the same place in
/// every slot, all threads would compete for a few sets of the first-level cache.
inline constexpr std::size_t kStackStagger = 832;
inline constexpr std::size_t kArenaSize = kStacksOffset + kMaxThreads * kStackSize;

inline std::uint64_t* cells() {
  return reinterpret_cast<std::uint64_t*>(kArenaBase);  // NOLINT: the point of a fixed address
}
inline std::uint32_t cell_index(const void* address) {
  return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(address) - kArenaBase) / 8);
}

template <class T>
std::uint64_t to_word(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  // Padding would make equal values differ, and with them the states that hold them.
  static_assert(std::has_unique_object_representations_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
T from_word(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

/// Whether an object may be accessed. The numbers are what an object's liveness cell holds.
enum class Liveness : std::uint64_t { live = 0, never_allocated = 1, freed = 2 };

/// Something that can be allocated and freed as a whole, and that reports name.
struct Object {
  std::uint32_t first = 0;     ///< index of the first cell
  std::uint32_t count = 0;     ///< number of cells
  std::uint32_t liveness = 0;  ///< index of the cell that holds its Liveness
  std::string name;            ///< unique, "fph1"
  std::string kind;            ///< "futex_private_hash"
  bool mortal = false;         ///< may be freed, or is not allocated at first
};

/// The layout of one program: which cells exist, what they are called, whose they are. Constant
/// while a search runs.
class Layout {
 public:
  /// Forgets everything and zeroes the arena.
  void clear();
  /// Reserves cells for an object of `bytes` bytes (a multiple of 8). The cells stay zero.
  std::uint32_t reserve(std::size_t bytes, std::string name, std::string kind);
  /// Says that the object made last is not allocated yet, for `why`: it has a lifetime.
  void unallocated(Liveness why);
  /// Names one cell: `object.member` in reports.
  void name_cell(const void* address, std::string member);

  std::uint32_t used() const { return used_; }
  const std::vector<Object>& objects() const { return objects_; }
  const Object& object_of(std::uint32_t cell) const { return objects_[owner_[cell]]; }
  bool dead(std::uint32_t cell) const { return cells()[objects_liveness_[owner_[cell]]] != 0; }
  /// "fph1.state"; "cell 17" where no name was given.
  std::string cell_name(std::uint32_t cell) const;
  /// The name of the object at `address`, or of the cell, or the number in hexadecimal.
  std::string pointer_name(std::uint64_t address) const;

 private:
  std::uint32_t used_ = 0;
  std::vector<Object> objects_;
  std::vector<std::uint8_t> owner_;
  std::vector<std::uint32_t> objects_liveness_;
  std::vector<std::string> members_;
};

struct UndoEntry {
  std::uint32_t index;
  std::uint64_t old;
};

/// Writes to cells, newest last. A vector of which appending is small enough to be inlined.
class UndoLog {
 public:
  void push(std::uint32_t index, std::uint64_t old) {
    if (end_ == limit_) [[unlikely]] grow();
    *end_++ = {index, old};
  }
  const UndoEntry& pop() { return *--end_; }
  void clear() { end_ = entries_.data(); }
  std::size_t size() const { return static_cast<std::size_t>(end_ - entries_.data()); }
  std::size_t capacity() const { return entries_.size(); }
  const UndoEntry& operator[](std::size_t i) const { return entries_[i]; }
  const UndoEntry* begin() const { return entries_.data(); }
  const UndoEntry* end() const { return end_; }

 private:
  void grow();

  std::vector<UndoEntry> entries_;
  UndoEntry* end_ = nullptr;
  UndoEntry* limit_ = nullptr;
};

struct Arena {
  Hash128 shared_hash;
  UndoLog undo;
  Layout layout;

  /// Maps the arena; later calls do nothing. Throws std::system_error if the address is taken.
  void map();
  void write_cell(std::uint32_t index, std::uint64_t value, bool hashed) {
    std::uint64_t& cell = cells()[index];
    const std::uint64_t old = cell;
    if (old == value) return;
    undo.push(index, old);
    cell = value;
    if (hashed) {
      shared_hash ^= cell_hash(index, old);
      shared_hash ^= cell_hash(index, value);
    }
  }
  void undo_to(std::size_t mark) {
    while (undo.size() > mark) {
      const UndoEntry& entry = undo.pop();
      cells()[entry.index] = entry.old;
    }
  }
};

extern Arena arena;

}  // namespace futexmc::checker
