// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random small programs over wait, wake and resize, as RapidCheck draws and shrinks them.
//
// Invariants
//  1. On a correct kernel nobody sleeps for ever: waiters wait for a word to leave 0; the last
//     thread never waits, and at its end stores to each word that is waited for and wakes all.
//  2. scenario_text() is a scenario in canonical form, which compiles.
//  3. smaller() gives programs that are strictly simpler, so shrinking ends.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <rapidcheck.h>

namespace futexmc::properties::rapid {

/// One step of a thread's program.
struct Action {
  enum class Kind : std::uint8_t {
    wake,       ///< futex_wake(word, count)
    post,       ///< store(word, 1), and the wake
    set_slots,  ///< SET_SLOTS(count)
    wait,       ///< futex_wait(word, 0), once
    wait_loop,  ///< while (load(word) == 0) { futex_wait(word, 0); }
  };
  Kind kind = Kind::wake;
  int word = 0;
  int count = 1;         ///< of a wake, or of the slots; kAll is INT_MAX
  int bitset = 0;        ///< 0: none given
  bool timeout = false;  ///< of a wait
  bool operator==(const Action&) const = default;
};
inline constexpr int kAll = 0x7fffffff;

struct SmallProgram {
  /// From the simplest; `none`: no private hash before the first thread clones the others.
  enum class Hash : std::uint8_t { global, private_, none };
  Hash hash = Hash::global;
  int spurious = 0;  ///< budgets
  int signal = 0;
  std::vector<std::vector<Action>> threads;
  bool operator==(const SmallProgram&) const = default;
};

/// Two or three threads, at most four actions together.
rc::Gen<SmallProgram> small_programs();

/// Programs with one thing less, those with most taken away first.
std::vector<SmallProgram> smaller(const SmallProgram& program);

/// The program as the text of a .futex file.
std::string scenario_text(const SmallProgram& program, const std::string& title);

/// Statements at the top level of its threads, the closing stores and wakes included.
std::size_t statements(const SmallProgram& program);

/// How RapidCheck prints one: as a .futex file.
void showValue(const SmallProgram& program, std::ostream& out);

}  // namespace futexmc::properties::rapid
