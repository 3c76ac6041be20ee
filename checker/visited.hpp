// SPDX-License-Identifier: GPL-2.0-or-later
//
// The visited set: fingerprints in an open-addressing table. With sleep sets each state also has
// the agents that slept when it was expanded (see dfs.cpp), for which the fingerprint gives up 32
// of its 128 bits: key and mask then share a slot, and with it a cache line.
//
// Invariants
//  1. A fingerprint of zero marks an empty slot; insert() maps a zero fingerprint to one.
//  2. The table is at most three quarters full and its capacity is a power of two.
//  3. States are dropped never; two states with one fingerprint count as one, whose odds
//     collision_odds() gives.
//  4. The table grows where it stands, in address space reserved for it: old and new never stand
//     side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "checker/hash.hpp"

namespace futexmc::checker {

class Visited {
 public:
  /// `with_sleep`: keep a sleep mask for each state.
  explicit Visited(bool with_sleep);
  ~Visited();
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;

  enum class Insert : std::uint8_t { fresh, seen, full };
  struct Slot {
    Insert result;
    std::uint32_t* sleep;  ///< null without sleep masks; valid until the next insert
  };
  /// `full`: the table had to grow, and memory did not allow it (or max_bytes would be exceeded).
  Slot insert(Hash128 fingerprint);
  void prefetch(Hash128 fingerprint) const {
    __builtin_prefetch(&entries_[fingerprint.a & (capacity_ - 1)]);
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(Entry); }
  void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }

  /// Upper bound on the odds that any two of `states` states shared a fingerprint.
  double collision_odds(double states) const;

 private:
  struct Entry {
    std::uint64_t a;
    std::uint32_t b;
    std::uint32_t rest;  ///< of the fingerprint, or the sleep mask
    bool empty() const { return a == 0 && b == 0 && rest == 0; }
  };
  bool grow();
  void place(const Entry& entry);

  Entry* entries_ = nullptr;
  std::size_t reserved_;  ///< bytes of address space
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::size_t max_bytes_ = ~std::size_t{0};
  bool with_sleep_;
};

}  // namespace futexmc::checker
