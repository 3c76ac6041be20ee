// SPDX-License-Identifier: GPL-2.0-or-later
//
// Total store order: each thread's plain stores wait in a buffer, first in first out, and become
// visible to others when they drain. The thread itself reads its own newest store. A locked
// instruction or a full fence drains the thread's buffer first; one store at a time also drains as
// an event of the environment, which is owed.
//
// One buffer a thread: threads that share a processor must not run while another's is not empty
// there (Program::may_run()), since a context switch drains.
//
// Protected accesses (store_under()) and what an operation changes on the side are written through.
// Nobody can see the difference: whoever reads them takes the lock, whose release is in the buffer.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "checker/cell.hpp"
#include "checker/program.hpp"

namespace futexmc::checker {

inline constexpr std::uint64_t kStoreBufferSize = 12;
inline constexpr const char* kStoreBufferKind = "store buffer";
/// An event of that name makes a thread's oldest store visible; its argument is the thread.
inline constexpr const char* kDrainOf = "drain of ";

struct StoreBuffer {
  struct Entry {
    Cell<std::uint64_t> where;  ///< index of the cell times two, plus one if it is hashed
    Cell<std::uint64_t> value;
  };
  Cell<std::uint64_t> used;
  std::array<Cell<std::uint64_t>, 2> marked;  ///< of the oldest ones, by mark
  std::array<Entry, kStoreBufferSize> entries;
};

/// Lays out a buffer for each thread, and adds the events that drain them.
void add_store_buffers(Builder& builder, std::size_t threads);

/// Number of stores of the thread that others do not see yet; 0 without buffers.
std::uint64_t buffered_stores(std::size_t thread);
/// For somebody who waits for the stores that are in the thread's buffer now: marks them. There are
/// two marks, 0 and 1, for who waits for different things at a time.
void mark_buffered_stores(std::size_t thread, std::size_t mark);
/// Number of stores with that mark that have not drained.
std::uint64_t marked_stores(std::size_t thread, std::size_t mark);

}  // namespace futexmc::checker
