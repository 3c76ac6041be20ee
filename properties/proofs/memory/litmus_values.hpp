// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers of the model as numbers of a litmus test, and functions of them.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// What stands for LONG_MAX: far from whatever is counted, and small enough for an int.
inline constexpr std::int64_t kLongMax = 1'000'000;
/// Pointers are numbered from here.
inline constexpr std::int64_t kFirstPointer = 2'000'001;

inline constexpr std::int64_t kNear = 1000;

/// How far a word is from another, as a number with a sign; none if it is far.
inline std::optional<std::int64_t> near(std::uint64_t word, std::uint64_t other) {
  const auto by = static_cast<std::int64_t>(word - other);
  return by >= -kNear && by <= kNear ? std::optional(by) : std::nullopt;
}

/// Numbers that keep sums and differences: itself, one of 32 bits with its sign, or as far from
/// what stands for LONG_MAX, or for its negative: a sum that is beyond LONG_MAX is near that.
/// The first is the usual one. None for others, which are pointers.
inline std::vector<std::int64_t> small_numbers(std::uint64_t word) {
  constexpr auto kMost = static_cast<std::uint64_t>(LONG_MAX);
  if (const auto by = near(word, 0)) return {*by};
  if (word <= UINT32_MAX) {
    if (const auto by = near(word, INT_MAX)) return {INT_MAX + *by};
    if (word > INT_MAX) return {static_cast<std::int32_t>(word)};
  }
  if (const auto by = near(word, kMost)) {
    return {kLongMax + *by, -kLongMax + near(word, 0 - kMost).value_or(*by - 2)};
  }
  return {};
}

/// What an operation adds, in a word of 64 or of 32 bits, if it is the same for all its values.
inline std::optional<std::int64_t> difference(const Group& group) {
  const auto all = [&group](const auto& same) {
    return std::all_of(group.values.begin(), group.values.end(), same);
  };
  if (group.values.empty()) return std::nullopt;
  const std::uint64_t by = group.values.front().second - group.values.front().first;
  if (all([by](const auto& pair) { return pair.second - pair.first == by; })) {
    if (const auto small = near(by, 0)) return small;
    if (const auto small = near(by, static_cast<std::uint64_t>(LONG_MAX))) {
      // Above LONG_MAX it is negative.
      return *small <= 0 ? kLongMax + *small : -kLongMax + *small - 2;
    }
  }
  const auto low = static_cast<std::uint32_t>(by);
  const auto narrow = static_cast<std::int32_t>(low);
  const bool is_narrow = all([low](const auto& pair) {
    return pair.first <= UINT32_MAX && pair.second <= UINT32_MAX &&
           static_cast<std::uint32_t>(pair.second - pair.first) == low;
  });
  return is_narrow && near(static_cast<std::uint64_t>(std::int64_t{narrow}), 0)
             ? std::optional(std::int64_t{narrow})
             : std::nullopt;
}

/// What it stores, if it is the same for all its values.
inline std::optional<std::uint64_t> constant(const Group& group) {
  const bool same = !group.values.empty() &&
                    std::all_of(group.values.begin(), group.values.end(), [&](const auto& one) {
                      return one.second == group.values.front().second;
                    });
  return same ? std::optional(group.values.front().second) : std::nullopt;
}

}  // namespace futexmc::properties::proofs::memory
