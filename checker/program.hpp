// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the checker is given: a program that lays out its shared objects, starts its threads, lists
// what its environment may do, and says what must hold.
//
// Invariants
//  1. build() is deterministic: it may run many times and must lay out the same arena.
//  2. Threads and events are numbered in the order of creation; together they are the agents.
//  3. check_state() and check_final() only look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/cell.hpp"
#include "checker/runtime.hpp"

namespace futexmc::checker {

struct ThreadInfo {
  std::string name;
  void (*body)(std::uint64_t) = nullptr;
  std::uint64_t argument = 0;
  bool daemon = false;  ///< may be blocked at the end, as a kernel worker is
};

/// Something the environment does in one step: a timer expires, a grace period ends. It has no
/// stack; its state is in the arena.
struct Event {
  std::string name;  ///< unique, "gp_end"
  bool owed = false;  ///< happens sooner or later (an armed timer), so a state that waits for it is
                      ///< not final; otherwise it may never happen (a signal)
  bool (*enabled)(std::uint64_t) = nullptr;
  void (*fire)(std::uint64_t) = nullptr;
  std::uint64_t argument = 0;
  std::uint64_t reads = kEverything;  ///< footprints, of `enabled` and `fire` together
  std::uint64_t writes = kEverything;
};

/// Collects what build() creates. Valid during build() only.
class Builder {
 public:
  /// Allocates and zeroes an object made of cells. `kind` names its type in reports.
  template <class T>
  T& make(std::string name, std::string kind) {
    static_assert(alignof(T) == 8 && sizeof(T) % 8 == 0);
    const std::uint32_t first = arena.layout.reserve(sizeof(T), std::move(name), std::move(kind));
    return *reinterpret_cast<T*>(cells() + first);  // NOLINT: zeroed cells are a valid T
  }
  template <class T, bool H>
  void name(const Cell<T, H>& cell, const std::string& member) {
    arena.layout.name_cell(&cell, member);
  }
  void thread(ThreadInfo info) { threads_.push_back(std::move(info)); }
  void event(Event event) { events_.push_back(std::move(event)); }

  const std::string& thread_name(std::size_t id) const { return threads_[id].name; }
  std::size_t thread_count() const { return threads_.size(); }
  std::vector<ThreadInfo> take_threads() { return std::move(threads_); }
  std::vector<Event> take_events() { return std::move(events_); }

 private:
  std::vector<ThreadInfo> threads_;
  std::vector<Event> events_;
};

/// A state in which no thread can run and no owed event would make one.
struct FinalState {
  const std::vector<ThreadInfo>& threads;
  /// Threads that have not finished and are not daemons, with what they wait for.
  std::vector<std::size_t> blocked;
  bool any_faulted = false;  ///< a thread was stopped by a fault: who else hangs means little
};

struct Race;

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  virtual void build(Builder& builder) = 0;
  /// What it runs on. With store buffers a search does not reduce.
  virtual Memory memory() const { return Memory::sc; }
  /// Whether data races are looked for (races.hpp). They are not where memory has store buffers.
  virtual bool looks_for_races() const { return false; }
  /// Whether a race is known and accepted: then nothing is reported.
  virtual bool tolerates(const Race& /*race*/) const { return false; }
  /// Called in each state reached for the first time, at the end of a transition.
  virtual void check_state(Monitor& /*monitor*/) {}
  /// Called in each final state. By default anything blocked is a deadlock.
  virtual void check_final(const FinalState& state, Monitor& monitor);
  /// Called when every state has been visited, for what must hold of all of them together.
  virtual void check_all(Monitor& /*monitor*/) {}
  /// Whether violations of this property count.
  virtual bool checks(std::string_view /*property*/) const { return true; }
  /// Whether it schedules its threads itself: who may run then depends on what all threads are
  /// about to do and on who ran before, and a search does not reduce.
  virtual bool schedules() const { return false; }
  /// Called after each step if it schedules, to note in cells who has the processors.
  virtual void stepped(std::size_t /*agent*/) {}
  /// Whether a search may reduce: neither store buffers nor a scheduler stand in the way.
  bool reduces() const { return memory() == Memory::sc && !schedules(); }
  /// Footprint of the cells that may_run() looks at; 0 if every thread has its own processor. Of a
  /// program that schedules it does not matter.
  virtual std::uint64_t processor_footprint() const { return 0; }
  /// Whether the thread has a processor to run on, in the current state.
  virtual bool may_run(std::size_t /*thread*/) const { return true; }
  /// What an observer sees of a final state: final states with equal outcomes count as the same.
  virtual std::string outcome(const FinalState& state);
  /// What a reader of a story wants to know of the final state: "f = 0, waiter.r = 1". Empty:
  /// nothing.
  virtual std::string ending(const FinalState& /*state*/) { return {}; }
  /// What a cell's content means: "FR_ATOMIC", "hb1.lock". By default a number, or the object
  /// that a pointer points at.
  virtual std::string value_name(std::uint32_t cell, std::uint64_t value);
};

/// "waiter waits for mutex_lock of mm.lock, held by resizer": for deadlock reports.
std::string describe_blocked(const ThreadInfo& info, std::size_t thread);

}  // namespace futexmc::checker
