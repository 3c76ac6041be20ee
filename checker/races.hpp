// SPDX-License-Identifier: GPL-2.0-or-later
//
// Data races, by vector clocks.
//
// Memory is sequentially consistent while races are looked for; what is asked is whether the
// orderings that the code states would keep two accesses in order on weaker memory. Each thread has
// a clock, a release stores it with the cell, an acquire joins what the cell holds, and two
// accesses that conflict race when neither's clock covers the other. Two conflict if
//   - one is a plain read and the other writes (a plain write counts as marked, as is KCSAN's
//     default); or
//   - one frees or allocates an object that the other uses.
//
// What orders, after tools/memory-model: release to acquire, also over read-modify-writes between
// them; full barriers as release and acquire fences, and as strong fences also from a read or write
// to a later overwrite of what it read or wrote; a load of a pointer, for what is then done with it
// (address dependency); any load, for later writes (control and data dependencies). The last two
// are taken to be there always. So this never has fewer orderings than the memory model has: a
// report is a race, but silence proves nothing about orders that only dependencies could give.
//
// The clocks are part of the state's identity, or a search would not see all of them. To keep that
// finite they are cells in a canonical form, written anew at the end of each step: what everybody
// knows is forgotten, and numbers that nothing tells apart become equal.
#pragma once

#include <cstdint>
#include <string>

#include "checker/runtime.hpp"

namespace futexmc::checker {

class Builder;

inline constexpr const char* kRaceClocksKind = "race clocks";

/// Two conflicting accesses that nothing orders.
struct Race {
  std::string what;    ///< the cell as "futex_q.lock_ptr", or the object's kind
  std::string reader;  ///< function of the plain read, or of the use of the object
  std::string writer;  ///< function of the write; of what allocates or frees the object
  bool lifetime = false;  ///< the second kind of conflict
};

/// Reserves the cells for the clocks; looking for races begins. For Machine::reset().
void add_race_clocks(Builder& builder);
/// Around each step, and around what threads do before their first: reads and writes the cells.
void begin_race_step();
void end_race_step();

/// For order that comes from no access, such as RCU's: a program names a channel by a cell. All do
/// nothing unless races are looked for.
namespace order {

/// The channel holds what the thread at hand has done so far, with what it held before.
void release(std::uint32_t channel);
/// The thread at hand comes after what the channel holds.
void acquire(std::uint32_t channel);
/// The same for another thread, which may be blocked meanwhile.
void acquire_for(std::size_t thread, std::uint32_t channel);
/// `to` holds what `from` holds as well.
void pass(std::uint32_t from, std::uint32_t to);
void clear(std::uint32_t channel);

/// The object to which `cell` belongs is allocated or freed by the thread at hand...
void object_changes(std::uint32_t cell);
/// ... or freed by the environment, after what the channel holds. `by` is the function that asked
/// for it; a string literal.
void object_freed_after(std::uint32_t cell, std::uint32_t channel, const char* by);

}  // namespace order

}  // namespace futexmc::checker
