// SPDX-License-Identifier: GPL-2.0-or-later
//
// The layout of a race diagram as kernel changelogs have it: time downwards, events across, two
// threads side by side; more, one below the other. Knows nothing about what the rows say.
//
// Invariants
//  1. No line is longer than the width; spaces only; no trailing blanks.
//  2. Nothing is cut away: what does not fit its column goes on in the next line, and no name is
//     broken that fits a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace futexmc::checker {

inline constexpr std::size_t kDiagramWidth = 75;
/// More would be too narrow to read: threads then share one, each turn beginning with its thread.
inline constexpr std::size_t kMaxColumns = 2;
inline constexpr std::size_t kAcross = ~std::size_t{0};

struct DiagramRow {
  std::size_t column = kAcross;  ///< kAcross for what belongs to no thread
  std::size_t depth = 0;         ///< of calls
  std::string text;              ///< two spaces in a row are the best place to break it
  std::string mark;              ///< follows the text, "<<< lifetime"
};

std::string draw(const std::vector<std::string>& columns, const std::vector<DiagramRow>& rows,
                 std::size_t width = kDiagramWidth);

/// Breaks text into lines of at most `width`; lines after the first are indented by `hanging`.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging);

}  // namespace futexmc::checker
