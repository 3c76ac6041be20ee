// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random choices that are the same on every machine, as the standard's distributions are not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace futexmc::proofs::lkmm::litmus::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  /// Less than `bound`, which is not zero.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <std::size_t N>
  std::string_view pick(const std::array<std::string_view, N>& of) {
    return of[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace futexmc::proofs::lkmm::litmus::testing
