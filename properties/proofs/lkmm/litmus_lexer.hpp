// SPDX-License-Identifier: GPL-2.0-or-later
//
// A litmus test's text to tokens. Comments are dropped: (* *) outside braces, where it cannot be
// the start of an argument, // and /* */ everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/lkmm/litmus.hpp"

namespace futexmc::proofs::lkmm::litmus {

enum class TokenKind : std::uint8_t { word, number, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< into the source
  std::size_t line = 1;
  std::size_t column = 1;
  std::int64_t value = 0;  ///< of a number
};

/// Thrown inside the reader only; parse() makes it a Problem.
struct Failure {
  Problem problem;
};

/// The test's name, which is all of its first line after "C ", and the tokens after that line. The
/// last token, and only that, is the end. Throws Failure.
struct Lexed {
  std::string name;
  std::vector<Token> tokens;
};
Lexed tokenize(std::string_view text);

}  // namespace futexmc::proofs::lkmm::litmus
