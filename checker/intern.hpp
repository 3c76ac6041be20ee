// SPDX-License-Identifier: GPL-2.0-or-later
//
// Append-only tables whose memory is counted before it is taken: what the state store is made of.
//
// Invariants
//  1. Every byte a table owns was taken from its Budget first. Over budget, and where the system
//     has no memory, the answer is the same: std::bad_alloc, with the tables as they were.
//  2. Elements never move. A table of n keys costs n keys, up to one segment more, and 6-11 bytes
//     a key for the index.
//  3. Ids are dense and in order of first arrival.
//
// Not to be used on a fiber's stack: an exception must not cross a switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace futexmc::checker {

/// Bytes that a search may take, and has taken.
class Budget {
 public:
  explicit Budget(std::size_t max) : max_(max) {}
  void take(std::size_t bytes) {
    if (bytes > max_ || used_ > max_ - bytes) throw std::bad_alloc();
    used_ += bytes;
    if (used_ > peak_) peak_ = used_;
  }
  void give(std::size_t bytes) { used_ -= bytes; }
  void set_max(std::size_t max) { max_ = max; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }

 private:
  std::size_t max_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
};

/// A vector in segments of 2048 elements: growing neither copies nor needs twice the memory.
template <class T>
class Segments {
 public:
  explicit Segments(Budget& budget) : budget_(&budget) {}
  ~Segments() { clear(); }
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  void push_back(T value) {
    if (size_ == segments_.size() * kSegment) grow();
    (*this)[size_] = std::move(value);
    ++size_;
  }
  T& operator[](std::size_t i) { return segments_[i / kSegment][i % kSegment]; }
  const T& operator[](std::size_t i) const { return segments_[i / kSegment][i % kSegment]; }
  std::size_t size() const { return size_; }
  void clear() {
    budget_->give(segments_.size() * kSegment * sizeof(T));
    segments_.clear();
    size_ = 0;
  }
  void swap(Segments& other) {
    std::swap(budget_, other.budget_);
    segments_.swap(other.segments_);
    std::swap(size_, other.size_);
  }

 private:
  static constexpr std::size_t kSegment = 2048;

  void grow() {
    budget_->take(kSegment * sizeof(T));
    try {
      segments_.push_back(std::make_unique<T[]>(kSegment));
    } catch (...) {
      budget_->give(kSegment * sizeof(T));
      throw;
    }
  }

  Budget* budget_;
  std::vector<std::unique_ptr<T[]>> segments_;
  std::size_t size_ = 0;
};

/// Gives each distinct key a small number. Needs `std::uint64_t table_hash(const Key&)` and ==.
template <class Key>
class Interner {
 public:
  explicit Interner(Budget& budget) : budget_(&budget), keys_(budget) { rebuild(kInitialSlots); }
  ~Interner() { budget_->give(slots_.size() * sizeof(std::uint32_t)); }
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;

  struct Interned {
    std::uint32_t id;
    bool fresh;
  };
  Interned intern(const Key& key) {
    if (keys_.size() * 4 >= slots_.size() * 3) rebuild(slots_.size() * 2);
    std::size_t at = table_hash(key) & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (keys_[slots_[at] - 1] == key) return {slots_[at] - 1, false};
    }
    if (keys_.size() >= kMaxKeys) throw std::bad_alloc();  // ids have 32 bits
    keys_.push_back(key);
    slots_[at] = static_cast<std::uint32_t>(keys_.size());
    return {slots_[at] - 1, true};
  }
  const Key& operator[](std::uint32_t id) const { return keys_[id]; }
  std::size_t size() const { return keys_.size(); }

 private:
  static constexpr std::size_t kInitialSlots = 1024;
  static constexpr std::size_t kMaxKeys = 0xFFFF'FFFE;

  /// Indexes the keys anew, in `count` slots (a power of two).
  void rebuild(std::size_t count) {
    budget_->take(count * sizeof(std::uint32_t));  // while it is filled, both stand
    try {
      std::vector<std::uint32_t> slots(count, 0);
      for (std::size_t i = 0; i < keys_.size(); ++i) {
        std::size_t at = table_hash(keys_[i]) & (count - 1);
        while (slots[at] != 0) at = (at + 1) & (count - 1);
        slots[at] = static_cast<std::uint32_t>(i + 1);
      }
      slots.swap(slots_);
      budget_->give(slots.size() * sizeof(std::uint32_t));
    } catch (...) {
      budget_->give(count * sizeof(std::uint32_t));
      throw;
    }
  }

  Budget* budget_;
  Segments<Key> keys_;
  std::vector<std::uint32_t> slots_;  ///< id plus one; 0 is empty
};

}  // namespace futexmc::checker
