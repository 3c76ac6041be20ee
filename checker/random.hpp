// SPDX-License-Identifier: GPL-2.0-or-later
//
// The numbers that sampling draws: splitmix64 (Steele, Lea and Flood, OOPSLA 2014), written out
// here because the standard library's distributions differ between libraries, and a seed must mean
// the same runs everywhere.
#pragma once

#include <cstdint>

#include "checker/hash.hpp"

namespace futexmc::checker {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// One of the many sequences of a seed: run number `stream`.
  Random(std::uint64_t seed, std::uint64_t stream)
      : state_(Random(Random(seed).next() ^ stream).next()) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  /// Uniform in 0 to `count` - 1, every value with exactly the same odds (Lemire, 2019).
  std::uint64_t below(std::uint64_t count) {
    uint128 product = static_cast<uint128>(next()) * count;
    if (static_cast<std::uint64_t>(product) < count) {
      const std::uint64_t uneven = (0 - count) % count;
      while (static_cast<std::uint64_t>(product) < uneven) {
        product = static_cast<uint128>(next()) * count;
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace futexmc::checker
