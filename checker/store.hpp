// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whole states in few bytes, to be put back in any order: what a search needs that is not
// depth-first.
//
// Neighbouring states share nearly everything, so each distinct part is kept once and numbered:
// cells in chunks of 16, threads by their identity. The numbers are the leaves of a binary tree
// whose nodes are numbered in the same way (as in LTSmin's tree compression), up to one number for
// all of memory and one for all threads. A state is those two.
//
// Invariants
//  1. The base is the state restored last (at first, the one the store was made in). The cells are
//     the base's plus what the undo log says was written since, so no compare of memory is needed.
//  2. Threads of equal Machine::thread_hash() are interchangeable, and one copy serves for all. So
//     states with one fingerprint may come back as each other.
//  3. A store lives between two resets of its machine, and the undo log is its own meanwhile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "checker/intern.hpp"
#include "checker/machine.hpp"

namespace futexmc::checker {

struct NodePair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  bool operator==(const NodePair&) const = default;
};
inline std::uint64_t table_hash(const NodePair& pair) {
  return fold(pair.left + 0x9E3779B97F4A7C15U, pair.right + 0xA24BAED4963EE407U);
}
inline std::uint64_t table_hash(const Hash128& hash) { return hash.a; }

/// A sequence of numbers, as long as the tree has leaves, to one number and back.
class CollapseTree {
 public:
  CollapseTree(Budget& budget, std::size_t leaves);
  using Change = std::pair<std::size_t, std::uint32_t>;  ///< leaf and its new number

  /// The number of the base with `changes` made, which stays as it is.
  std::uint32_t save(const std::vector<Change>& changes);
  /// Makes the sequence numbered `root` the base. Returns the leaves that changed, valid until the
  /// next call.
  const std::vector<Change>& load(std::uint32_t root);
  std::uint32_t leaf(std::size_t i) const { return at_[width_ + i]; }

 private:
  void write(std::size_t node, std::uint32_t id);
  void descend(std::size_t node, std::uint32_t id);

  Interner<NodePair> pairs_;
  std::size_t width_;
  std::vector<std::uint32_t> at_;  ///< the base as a heap: root at 1, leaves from width_
  std::vector<Change> old_;        ///< nodes overwritten while saving
  std::vector<Change> changed_;
  std::vector<std::size_t> dirty_;
};

class StateStore {
 public:
  /// The state at hand becomes the base. Throws std::bad_alloc, as save() does, where the budget
  /// or the system's memory does not suffice.
  StateStore(Machine& machine, Budget& budget);

  struct Snapshot {
    std::uint32_t memory = 0;
    std::uint32_t threads = 0;
    bool operator==(const Snapshot&) const = default;
  };
  /// Keeps the state at hand. The base stays what it was. After std::bad_alloc the store can only
  /// be destroyed.
  Snapshot save();
  /// Brings a state back, whatever is at hand; it becomes the base.
  void restore(Snapshot snapshot);
  /// Brings the base back after steps of `agent` alone.
  void rewind(std::size_t agent);

  std::size_t thread_states() const { return threads_.size(); }  ///< distinct, of all threads
  std::size_t memories() const { return memories_.size(); }      ///< distinct contents of the cells

 private:
  static constexpr std::size_t kChunkCells = 16;
  using Chunk = std::array<std::uint64_t, kChunkCells>;
  struct ChunkKey {
    Chunk words;
    bool operator==(const ChunkKey&) const = default;
    friend std::uint64_t table_hash(const ChunkKey& key) {
      std::uint64_t hash = 0;
      for (const std::uint64_t word : key.words) {
        hash = fold(hash ^ word, 0xA24BAED4963EE407U) + word;
      }
      return hash;
    }
  };
  /// All cells: the root of their tree and what it hashes to.
  struct Memory {
    Hash128 shared_hash;
    std::uint64_t root = 0;
    bool operator==(const Memory&) const = default;
    friend std::uint64_t table_hash(const Memory& memory) {
      return memory.shared_hash.a ^ memory.root;
    }
  };

  Snapshot save_changed();
  std::uint32_t intern_chunk(std::size_t chunk);
  std::uint32_t intern_thread(std::size_t id, Hash128 hash);
  void load_thread(std::size_t id);

  Machine& machine_;
  Budget& budget_;
  CollapseTree cell_tree_;
  CollapseTree thread_tree_;
  Interner<ChunkKey> chunks_;
  Interner<Memory> memories_;
  Interner<Hash128> threads_;
  Segments<std::unique_ptr<char[]>> records_;  ///< what save_thread() wrote, by thread number
  std::vector<CollapseTree::Change> cell_changes_;
  std::vector<CollapseTree::Change> thread_changes_;
  std::vector<bool> chunk_dirty_;
  Hash128 base_shared_;
  Hash128 base_threads_;
};

}  // namespace futexmc::checker
