// SPDX-License-Identifier: GPL-2.0-or-later
//
// What locks protect, and how whoever takes one may find it: as it was at first, or as somebody
// left it who released the lock.
//
// A cell may be protected by one lock now and by another one later: whoever moves it holds both,
// and leaves it in both. That a thread finds under a lock only what somebody left is taken for
// granted here, and no more than a guess: each read that relies on it is asked about afterwards
// (Ends::otherwise).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// What locks held protect: what the thread found, or has stored since. By cell.
using Known = std::map<std::uint32_t, std::uint64_t>;

/// How what a lock protects may be left: the cells, and for each thread how deep in its run it must
/// have had the lock on the way there (0: perhaps never). A thread finds only what comes before it.
struct Content {
  std::uint64_t number;  ///< of these cells; kAtFirst, or above kTaken
  Known cells;
  std::vector<std::size_t> after;
};

/// Locks that a thread holds, by their cells, each as it was found; the latest last.
using Held = std::vector<std::pair<std::uint32_t, Content>>;

/// Learns from runs which cells each lock protects and what they may hold. Locks and cells are
/// given as indices of cells.
class Protection {
 public:
  Protection() = default;
  /// `initial`: of all cells; must outlive this.
  Protection(const std::vector<std::uint64_t>& initial, std::size_t threads)
      : initial_(&initial), threads_(threads) {}

  /// Every content with which somebody may find the lock.
  const std::vector<Content>& contents(std::uint32_t lock);
  /// A thread at `depth` releases the lock that it `found`, knowing `known`. What the lock protects
  /// it knows no longer, unless it is one of another lock in `held`. Returns the content's number.
  std::uint64_t leave(std::uint32_t lock, Known& known, const Held& held, std::size_t thread,
             std::size_t depth);
  /// A protected access: the cell belongs to a lock that has been held at each of them, if there
  /// is one, or else to all that were taken last before one; to none if somebody writes it without
  /// any.
  void claim(std::uint32_t cell, const Held& held);
  void write_without_lock(std::uint32_t cell);
  bool owned(std::uint32_t cell) const { return owners_.contains(cell); }

  /// Whether something was learnt since the last call: then runs were made with too little.
  bool take_news() { return std::exchange(news_, false); }
  /// Whether a lock has come to protect more, or less: then the runs so far are worth nothing.
  bool is_stale() const { return stale_; }
  /// If so, forgets what they left in locks.
  bool begins_anew();

 private:
  struct Lock {
    std::set<std::uint32_t> cells;
    std::vector<Content> contents;  ///< of different cells
    std::map<Known, std::uint64_t> numbers;
  };
  Content first(const Lock& lock) const;
  static std::uint64_t number(Lock& lock, const Known& cells);
  void change(std::uint32_t lock);
  bool is_known(std::uint32_t cell, std::uint32_t but, const Held& held) const;

  const std::vector<std::uint64_t>* initial_ = nullptr;
  std::size_t threads_ = 0;
  std::map<std::uint32_t, Lock> locks_;
  std::map<std::uint32_t, std::set<std::uint32_t>> owners_;  ///< of a cell: its locks
  std::map<std::uint32_t, std::set<std::uint32_t>> common_;  ///< locks held at each access so far
  std::set<std::uint32_t> unprotected_;           ///< cells that somebody writes without a lock
  bool news_ = false;
  bool stale_ = false;
};

}  // namespace futexmc::properties::proofs::memory
