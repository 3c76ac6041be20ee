// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scenario text to tokens. Columns count bytes from 1, a tab is one.
//
// Invariant: the result is never empty and its last token, and only that, is TokenKind::end.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/scenario/problems.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::scenario {

enum class TokenKind : std::uint8_t { identifier, number, string, punctuator, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;   ///< into the source; of a string: without its quotes
  Place at;
  std::int64_t value = 0;  ///< of a number, in [0, kMaxLiteral]

  /// True for the identifier or punctuator spelled `word`.
  bool is(std::string_view word) const {
    return (kind == TokenKind::identifier || kind == TokenKind::punctuator) && text == word;
  }
};

/// All tokens of `text`, which must outlive them. What cannot be read is reported and left out.
std::vector<Token> tokenize(std::string_view text, Problems& problems);

}  // namespace futexmc::scenario
