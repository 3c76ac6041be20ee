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

/// A number that keeps sums and differences: itself, one of 32 bits with its sign, or so far from
/// LONG_MAX. None for others, which are pointers.
inline std::optional<std::int64_t> small_number(std::uint64_t word) {
  constexpr std::int64_t kNear = 1000;
  const auto number = static_cast<std::int64_t>(word);
  if (number >= -kNear && number <= kNear) return number;
  if (number >= INT_MAX - kNear && number <= std::int64_t{UINT32_MAX}) {
    return number > INT_MAX ? number - (std::int64_t{1} << 32) : number;
  }
  const auto from_most = static_cast<std::int64_t>(word - static_cast<std::uint64_t>(LONG_MAX));
  if (from_most >= -kNear && from_most <= kNear) return kLongMax + from_most;
  return std::nullopt;
}

/// What an operation reads, and what it then stores.
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

template <class Shown>
Pairs pairs_of(const Group& group, const Shown& shown) {
  Pairs pairs;
  for (const auto& [before, after] : group.values) pairs.emplace_back(shown(before), shown(after));
  return pairs;
}
template <class Shown>
Pairs pairs_of(const std::vector<Group>& groups, const Shown& shown) {
  Pairs pairs;
  for (const Group& group : groups) {
    const Pairs more = pairs_of(group, shown);
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  return pairs;
}

/// What is added, if it is the same in all.
inline std::optional<std::int64_t> difference(const Pairs& pairs) {
  const auto by = [](const auto& pair) { return pair.second - pair.first; };
  const bool same = !pairs.empty() && std::all_of(pairs.begin(), pairs.end(), [&](const auto& one) {
    return by(one) == by(pairs.front());
  });
  return same ? std::optional(by(pairs.front())) : std::nullopt;
}

/// What is stored, if it is the same in all.
inline std::optional<std::int64_t> constant(const Pairs& pairs) {
  const bool same = !pairs.empty() && std::all_of(pairs.begin(), pairs.end(), [&](const auto& one) {
    return one.second == pairs.front().second;
  });
  return same ? std::optional(pairs.front().second) : std::nullopt;
}

}  // namespace futexmc::properties::proofs::memory
