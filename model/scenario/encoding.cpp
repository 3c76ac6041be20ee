// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/encoding.hpp"

#include <algorithm>

namespace futexmc::scenario {
namespace {

using Byte = unsigned char;

bool between(Byte value, Byte low, Byte high) { return low <= value && value <= high; }

/// Bytes of the well-formed sequence at the start of `text` (Unicode table 3-7), or 0. The first
/// continuation byte has a narrower range after some leads: no overlong forms, no surrogates, and
/// after 0xc2 none of the C1 controls, which terminals obey.
std::size_t sequence_length(std::string_view text) {
  const Byte lead = static_cast<Byte>(text[0]);
  const std::size_t length = between(lead, 0xc2, 0xdf)   ? 2
                             : between(lead, 0xe0, 0xef) ? 3
                             : between(lead, 0xf0, 0xf4) ? 4
                                                         : 0;
  if (length == 0 || text.size() < length) return 0;
  const Byte low = lead == 0xc2 || lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const Byte high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (!between(static_cast<Byte>(text[1]), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (!between(static_cast<Byte>(text[i]), 0x80, 0xbf)) return 0;
  return length;
}

}  // namespace

std::optional<std::size_t> first_bad_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Byte byte = static_cast<Byte>(text[i]);
    if (between(byte, 0x20, 0x7e) || byte == '\t' || byte == '\n') {
      ++i;
    } else if (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      i += 2;
    } else if (const std::size_t length = byte < 0x80 ? 0 : sequence_length(text.substr(i))) {
      i += length;
    } else {
      return i;
    }
  }
  return std::nullopt;
}

std::string printable(std::string_view line) {
  std::string shown(line);
  if (first_bad_byte(line))
    std::ranges::replace_if(
        shown, [](char c) { return c != '\t' && !between(static_cast<Byte>(c), 0x20, 0x7e); },
        '?');
  return shown;
}

}  // namespace futexmc::scenario
