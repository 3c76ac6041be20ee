// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the race detector keeps, and how it is part of a state; used by its own files only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "checker/races.hpp"
#include "checker/runtime.hpp"

namespace futexmc::checker::race_clocks {

/// A component a thread, each of a byte: canonical numbers are small.
struct Clock {
  std::array<std::uint8_t, 16> at{};
  bool operator==(const Clock&) const = default;
  void join(const Clock& other) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], other.at[i]);
  }
  bool covers(const Clock& other) const {
    bool all = true;
    for (std::size_t i = 0; i < at.size(); ++i) all &= at[i] >= other.at[i];
    return all;
  }
};
static_assert(kMaxThreads <= 16 && sizeof(Clock) == 16);

/// A thread's clocks. `known` orders its reads; `seen`, which covers it, its writes and what it
/// releases: it has what loads without acquire have observed. `fenced` is what its relaxed writes
/// release: `seen` at its last full barrier. `pending` becomes known at its next one.
struct ThreadClocks {
  Clock known, seen, fenced, pending;
};

enum class Channel : std::uint8_t {
  write,      // what who reads the cell's value comes after
  overwrite,  // what who overwrites it comes after at its next full barrier
  named,      // the program's
};

struct Held {
  std::uint32_t key;  // 4 * cell + Channel
  Clock clock;
};

enum class Kind : std::uint8_t { write, plain_read, use, change };

/// The last access of its kind by the thread to the cell; for the latter two kinds, to the object
/// of which the cell is the first.
struct Record {
  std::uint16_t cell;
  Kind kind;
  std::uint8_t thread;
  std::uint8_t when;
  std::uint32_t function;  // a name's hash

  std::uint64_t place() const {
    return std::uint64_t{cell} << 8 | static_cast<std::uint64_t>(kind) << 4 | thread;
  }
};

inline constexpr std::size_t kMaxHeld = 160;
inline constexpr std::size_t kMaxRecords = 640;

template <class T, std::size_t Capacity>
class Bounded {
 public:
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  /// False if it is full.
  bool push(const T& item) {
    if (size_ == Capacity) return false;
    items_[size_++] = item;
    return true;
  }
  void shrink(T* new_end) { size_ = static_cast<std::size_t>(new_end - items_.data()); }
  void clear() { size_ = 0; }

 private:
  std::array<T, Capacity> items_;
  std::size_t size_ = 0;
};

/// What a step works on; between steps it is in the cells.
struct Working {
  std::array<ThreadClocks, kMaxThreads> threads;
  Bounded<Held, kMaxHeld> held;
  Bounded<Record, kMaxRecords> records;
  std::size_t thread_count = 0;
  bool overflow = false;
};
extern Working now;

}  // namespace futexmc::checker::race_clocks
