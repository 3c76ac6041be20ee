// SPDX-License-Identifier: GPL-2.0-or-later
//
// The visited set: 128-bit fingerprints in an open-addressing table, each with the agents that
// slept when the state was expanded (for sleep sets; see dfs.hpp).
//
// Invariants
//  1. A fingerprint of zero marks an empty slot; insert() maps a zero fingerprint to one.
//  2. The table is at most three quarters full and its capacity is a power of two.
//  3. States are dropped never; two states with one fingerprint count as one, whose odds
//     collision_odds() gives.
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
    const std::size_t at = fingerprint.a & (capacity_ - 1);
    __builtin_prefetch(&keys_[at]);
    if (with_sleep_) __builtin_prefetch(&sleep_[at]);
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * bytes_per_slot(); }
  void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }

  /// Upper bound on the odds that any two of `states` states shared a fingerprint.
  static double collision_odds(double states);

 private:
  std::size_t bytes_per_slot() const { return sizeof(Hash128) + (with_sleep_ ? 4 : 0); }
  bool grow();
  static void* allocate(std::size_t bytes);

  Hash128* keys_ = nullptr;
  std::uint32_t* sleep_ = nullptr;
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::size_t max_bytes_ = ~std::size_t{0};
  bool with_sleep_;
};

}  // namespace futexmc::checker
