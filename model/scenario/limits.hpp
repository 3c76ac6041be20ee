// SPDX-License-Identifier: GPL-2.0-or-later
//
// Bounds of the scenario language that only its compiler needs. Those that the interpreter relies
// on too (registers, threads, words, ...) are in program.hpp. Each has its own diagnostic.
#pragma once

#include <cstddef>
#include <cstdint>

namespace futexmc::scenario {

inline constexpr std::size_t kMaxSourceBytes = 256 * 1024;
inline constexpr std::size_t kMaxNameLength = 31;  ///< keeps the columns of a race diagram narrow
inline constexpr std::int64_t kMaxLiteral = 0xffffffff;  ///< words are 32 bits
inline constexpr int kMaxDepth = 32;   ///< nested blocks, parentheses, calls and unary operators
inline constexpr int kMaxTerms = 128;  ///< operands of one expression, which bounds its tree
inline constexpr int kMaxRepeat = 1000;
inline constexpr int kMaxBudget = 4;   ///< more multiplies the states and shows nothing new
inline constexpr int kMaxPerThread = 16;

}  // namespace futexmc::scenario
