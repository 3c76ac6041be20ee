// SPDX-License-Identifier: GPL-2.0-or-later
//
// What locks protect, and how whoever takes one may find it: as it was at first, or as somebody
// left it who released the lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace futexmc::properties::proofs::memory {

/// What locks held protect: what the thread found, or has stored since. By cell.
using Known = std::map<std::uint32_t, std::uint64_t>;

/// How what a lock protects may be left: the cells, and for each thread how deep in its run it last
/// had the lock on the way there (0: never). A thread finds only what comes before it.
struct Content {
  Known cells;
  std::vector<std::size_t> after;
  bool operator==(const Content&) const = default;
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
  /// it knows no longer.
  void leave(std::uint32_t lock, Known& known, const Content& found, std::size_t thread,
             std::size_t depth);
  /// A protected access: the cell belongs to the lock taken last, unless another one has claimed it
  /// or somebody writes it without any.
  void claim(std::uint32_t cell, const Held& held);
  void write_without_lock(std::uint32_t cell);
  bool owned(std::uint32_t cell) const { return owner_.contains(cell); }

  /// Whether something was learnt since the last call: then runs were made with too little.
  bool take_news() { return std::exchange(news_, false); }

 private:
  struct Lock {
    std::set<std::uint32_t> cells;
    std::vector<Content> contents;
  };
  Content first(const Lock& lock) const;
  void begin_anew(std::uint32_t lock);

  const std::vector<std::uint64_t>* initial_ = nullptr;
  std::size_t threads_ = 0;
  std::map<std::uint32_t, Lock> locks_;
  std::map<std::uint32_t, std::uint32_t> owner_;  ///< of a cell: its lock
  std::set<std::uint32_t> unprotected_;           ///< cells that somebody writes without a lock
  bool news_ = false;
};

}  // namespace futexmc::properties::proofs::memory
