// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace futexmc::checker {

CollapseTree::CollapseTree(Budget& budget, std::size_t leaves)
    : pairs_(budget), width_(std::bit_ceil(std::max<std::size_t>(leaves, 1))) {
  // No number is that large, so the first load() finds every node changed but the padding.
  at_.assign(2 * width_, ~0U);
}

void CollapseTree::write(std::size_t node, std::uint32_t id) {
  old_.emplace_back(node, at_[node]);
  at_[node] = id;
}

std::uint32_t CollapseTree::save(const std::vector<Change>& changes) {
  old_.clear();
  dirty_.clear();
  for (const auto& [leaf, id] : changes) {
    write(width_ + leaf, id);
    dirty_.push_back(width_ + leaf);
  }
  std::sort(dirty_.begin(), dirty_.end());
  while (!dirty_.empty() && dirty_.front() > 1) {
    for (std::size_t& node : dirty_) node /= 2;
    dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
    for (const std::size_t node : dirty_) {
      write(node, pairs_.intern({at_[2 * node], at_[2 * node + 1]}).id);
    }
  }
  const std::uint32_t root = at_[1];
  for (; !old_.empty(); old_.pop_back()) at_[old_.back().first] = old_.back().second;
  return root;
}

const std::vector<CollapseTree::Change>& CollapseTree::load(std::uint32_t root) {
  changed_.clear();
  descend(1, root);
  return changed_;
}

void CollapseTree::descend(std::size_t node, std::uint32_t id) {
  if (at_[node] == id) return;
  at_[node] = id;
  if (node >= width_) {
    changed_.emplace_back(node - width_, id);
    return;
  }
  const NodePair pair = pairs_[id];
  descend(2 * node, pair.left);
  descend(2 * node + 1, pair.right);
}

StateStore::StateStore(Machine& machine, Budget& budget)
    : machine_(machine),
      budget_(budget),
      cell_tree_(budget, (arena.layout.used() + kChunkCells - 1) / kChunkCells),
      thread_tree_(budget, machine.thread_count()),
      chunks_(budget),
      memories_(budget),
      threads_(budget),
      records_(budget),
      chunk_dirty_((arena.layout.used() + kChunkCells - 1) / kChunkCells, false) {
  arena.undo.clear();
  for (std::size_t i = 0; i < chunk_dirty_.size(); ++i) {
    cell_changes_.emplace_back(i, intern_chunk(i));
  }
  for (std::size_t id = 0; id < machine_.thread_count(); ++id) {
    thread_changes_.emplace_back(id, intern_thread(id, Machine::thread_hash(id)));
  }
  restore(save_changed());
}

StateStore::Snapshot StateStore::save() {
  cell_changes_.clear();
  thread_changes_.clear();
  for (const UndoEntry& entry : arena.undo) {
    const std::size_t chunk = entry.index / kChunkCells;
    if (chunk_dirty_[chunk]) continue;
    chunk_dirty_[chunk] = true;
    cell_changes_.emplace_back(chunk, 0);
  }
  for (auto& [chunk, id] : cell_changes_) {
    chunk_dirty_[chunk] = false;
    id = intern_chunk(chunk);
  }
  for (std::size_t id = 0; id < machine_.thread_count(); ++id) {
    const Hash128 hash = Machine::thread_hash(id);
    if (hash == threads_[thread_tree_.leaf(id)]) continue;
    thread_changes_.emplace_back(id, intern_thread(id, hash));
  }
  return save_changed();
}

StateStore::Snapshot StateStore::save_changed() {
  const std::uint32_t root = cell_tree_.save(cell_changes_);
  return {memories_.intern({arena.shared_hash, root}).id, thread_tree_.save(thread_changes_)};
}

void StateStore::restore(Snapshot snapshot) {
  arena.undo_to(0);
  const Memory& memory = memories_[snapshot.memory];
  for (const auto& [chunk, id] : cell_tree_.load(static_cast<std::uint32_t>(memory.root))) {
    std::memcpy(cells() + chunk * kChunkCells, chunks_[id].words.data(), sizeof(Chunk));
  }
  thread_tree_.load(snapshot.threads);
  arena.shared_hash = base_shared_ = memory.shared_hash;
  base_threads_ = {};
  for (std::size_t id = 0; id < machine_.thread_count(); ++id) {
    const Hash128 hash = threads_[thread_tree_.leaf(id)];
    base_threads_ ^= hash;
    // A record at hand with the identity wanted is as good as ours, and needs no copy.
    if (!(Machine::thread_hash(id) == hash)) load_thread(id);
  }
  machine_.set_threads_hash(base_threads_);
}

void StateStore::rewind(std::size_t agent) {
  arena.undo_to(0);
  arena.shared_hash = base_shared_;
  if (machine_.is_thread(agent)) load_thread(agent);
  machine_.set_threads_hash(base_threads_);
}

std::uint32_t StateStore::intern_chunk(std::size_t chunk) {
  ChunkKey key;
  std::memcpy(key.words.data(), cells() + chunk * kChunkCells, sizeof(Chunk));
  return chunks_.intern(key).id;
}

std::uint32_t StateStore::intern_thread(std::size_t id, Hash128 hash) {
  const auto [number, fresh] = threads_.intern(hash);
  if (fresh) {
    const std::size_t size = Machine::saved_size(id);
    budget_.take(size);  // never given back: it goes with the store, and the budget with both
    records_.push_back(std::make_unique<char[]>(size));
    Machine::save_thread(id, records_[number].get());
  }
  return number;
}

void StateStore::load_thread(std::size_t id) {
  Machine::load_thread(id, records_[thread_tree_.leaf(id)].get());
}

}  // namespace futexmc::checker
