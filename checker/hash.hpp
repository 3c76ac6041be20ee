// SPDX-License-Identifier: GPL-2.0-or-later
//
// 128-bit hashes: what a state's identity is made of.
//
// Invariants
//  1. Hashes depend on values only, never on host addresses that vary between runs: fingerprints
//     are stable across runs of one build, so traces may quote them.
//  2. cell_hash(index, 0) is zero. An arena that is all zero hashes to zero, and a cell that goes
//     back to zero leaves no mark.
#pragma once

#include <cstddef>
#include <cstdint>

namespace futexmc::checker {

__extension__ using uint128 = unsigned __int128;

struct Hash128 {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  constexpr bool operator==(const Hash128&) const = default;
  constexpr Hash128& operator^=(const Hash128& other) {
    a ^= other.a;
    b ^= other.b;
    return *this;
  }
};

/// Multiplies to 128 bits and folds the halves together.
constexpr std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
  const uint128 product = static_cast<uint128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Appends `value` to the sequence that `hash` stands for; the order of appends matters.
constexpr Hash128 append(Hash128 hash, std::uint64_t value) {
  const std::uint64_t x = value + 0x9E3779B97F4A7C15U;
  return {fold(hash.a ^ x, hash.b ^ 0xD1B54A32D192ED03U) + hash.b,
          fold(hash.b ^ (x * 0xA24BAED4963EE407U), hash.a ^ 0x9FB21C651E98DF25U) + hash.a};
}

/// The part that a cell adds (by exclusive or) to the hash of shared memory.
constexpr Hash128 cell_hash(std::uint32_t index, std::uint64_t value) {
  if (value == 0) return {};
  const std::uint64_t place = (index + 1) * 0xA24BAED4963EE407U;
  const std::uint64_t x = fold(value ^ 0x8EBC6AF09C88C6E3U, place);
  return {fold(x ^ value, place ^ 0xE7037ED1A0B428DBU),
          fold(x ^ 0x589965CC75374CC3U, value + (place ^ 0xD6E8FEB86659FD93U))};
}

/// A name with its hash computed by the compiler: labels scopes without cost at run time.
struct Label {
  const char* name;
  std::uint64_t hash = 14695981039346656037U;
  template <std::size_t N>
  consteval Label(const char (&text)[N]) : name(text) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < N; ++i) {
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 1099511628211U;
    }
  }
};

}  // namespace futexmc::checker
