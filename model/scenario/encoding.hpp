// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which bytes a scenario may hold. Its text travels into JSON traces and onto terminals, so it is
// valid UTF-8 without control characters; outside comments and titles the lexer wants ASCII.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace futexmc::scenario {

/// Offset of the first byte that is neither part of well-formed UTF-8 nor harmless: control
/// characters are refused except tab, line feed, and carriage return before a line feed.
std::optional<std::size_t> first_bad_byte(std::string_view text);

/// `line` as it may be shown: unchanged when clean, otherwise with '?' for every byte that is not
/// printable ASCII. The length is kept, so columns still fit.
std::string printable(std::string_view line);

}  // namespace futexmc::scenario
