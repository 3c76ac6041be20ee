// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each thread of a small program could do, whatever the others do: the model's own functions
// run alone, one operation at a time, and before each read the cell is given every value that some
// thread may have stored there. No second description of the protocol.
//
// A recording is a graph of nodes for each thread. A node is an operation about to be performed;
// its groups are the values it may find that make no difference to what comes next, each leading to
// another node. Nodes of equal identity (checker/scope.hpp) at one depth are the same, so that
// branches meet again.
//
// Invariants
//  1. Edges lead from a depth to the next: the graph has no cycle, and its nodes, which are sorted
//     by depth, are in program order.
//  2. Domains are complete: every value that a write of any node may store is in its cell's domain.
//     Counters, which would grow for ever, are followed as far as one execution can take them.
//  3. Loops are cut where a thread has been in one situation as often as the subject allows; cut
//     nodes say so.
//  4. Who takes a lock finds what it protects as the one left it who released it last, or as it was
//     at first: the groups of a lock's operation are these contents, by number. Reads that rely on
//     this say so (`known`): what they read must be shown to be that.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/program.hpp"
#include "model/variant.hpp"
#include "properties/proofs/watch.hpp"

namespace futexmc::properties::proofs::memory {

/// A program to record: threads over the model's world as a scenario lays it out.
struct Subject {
  struct Thread {
    const char* name;
    void (*body)();
    /// Whether its run ends here, of the cells as the run has them; null: it runs to its end.
    bool (*until)() = nullptr;
  };
  const char* scenario;  ///< text, for the world: words, hash, one task for each thread
  void (*prepare)();     ///< changes the world before any thread runs; may be null
  std::vector<Thread> threads;
  int rounds = 1;  ///< how often a thread may be in one situation before its run is cut
  bool until_awake = false;  ///< a run ends where the thread has slept: the rest is not asked about
};

/// For bodies: the thread's result, which outcomes speak of.
void result(std::int64_t value);

/// What an operation does to its cell.
inline bool takes_lock(const checker::Operation& op) {
  return op.guard.kind == checker::Guard::Kind::equal;
}
inline bool drops_lock(const checker::Operation& op) {
  return op.mover == checker::Mover::left && op.order == checker::Order::release;
}
/// It may wait for ever, as schedule() does.
inline bool sleeps(const checker::Operation& op) {
  return op.guard.kind == checker::Guard::Kind::call;
}
/// It spins until it reads something else, as atomic_cond_read_relaxed() does.
inline bool spins(const checker::Operation& op) {
  return op.guard.kind == checker::Guard::Kind::not_equal;
}
inline bool reads(const checker::Operation& op) {
  constexpr std::uint8_t kBoth = checker::kReadModifyWrite | checker::kReads;
  return op.cell != checker::kNoCell && (op.writes == 0 || (op.access & kBoth) != 0);
}
inline bool writes(const checker::Operation& op) {
  return op.cell != checker::kNoCell && op.writes != 0;
}

/// What a lock's own word is taken to say: the number of what it protects as it was left last, or
/// that it is taken.
inline constexpr std::uint64_t kAtFirst = 0;
inline constexpr std::uint64_t kTaken = 1;

enum class End : std::uint8_t {
  none,      ///< goes on
  finished,
  faulted,   ///< the model stopped the thread: what it used was not there
  cut,       ///< in one situation too often
};

/// Values that lead to the same continuation.
struct Group {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values;  ///< read, and then in the cell
  std::vector<std::pair<std::uint32_t, std::uint64_t>> stores;  ///< plain ones that follow
  std::vector<std::int64_t> results;
  std::size_t next = 0;  ///< node
};

struct Node {
  End end = End::none;
  bool goes_on = false;  ///< of an end: the code goes on, and was not looked at
  checker::Operation operation{};  ///< of `none`
  std::string function{};
  std::size_t depth = 0;
  std::vector<Group> groups{};
  bool known = false;  ///< the one value is what a lock's content says: it is to be shown
  std::uint64_t left = 0;  ///< of a lock that it drops: the content that it leaves
  /// Values with which the operation would wait for ever (schedule()).
  std::vector<std::uint64_t> blocking{};
  std::string note{};  ///< of `faulted`: what the model said
};

struct ThreadRecording {
  std::string name;
  std::vector<Node> nodes;  ///< by depth; the first is the start
};

struct Recording {
  std::vector<ThreadRecording> threads;
  std::map<std::uint32_t, std::set<std::uint64_t>> domains;  ///< of cells that are read
  std::vector<std::uint64_t> initial;                        ///< of all cells
  std::vector<std::string> cell_names;
  std::vector<int> object_of;  ///< by cell
  /// The object that a value points into; -1 if it is no pointer.
  int target_of(std::uint64_t value) const;
};

/// Makes one of nodes of one depth from which the same can come: what was known there and is no
/// longer of use does not matter. record() does it.
void merge(ThreadRecording& thread);

/// The most writes to the cell in any one run of the thread.
std::size_t most_writes(const ThreadRecording& thread, std::uint32_t cell);

/// Throws std::runtime_error where a limit of the recorder's is reached, Stopped where the watch
/// says so, and std::invalid_argument for a scenario that does not parse.
Recording record(const Subject& subject, const model::Variant& variant,
                 const futexmc::proofs::Watch* watch = nullptr);

}  // namespace futexmc::properties::proofs::memory
