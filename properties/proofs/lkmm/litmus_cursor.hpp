// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader of a litmus test, in two parts that share a position in the tokens: cursor, names and
// conditions here and in litmus_parser.cpp, code in litmus_code.cpp.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/lkmm/litmus_lexer.hpp"

namespace futexmc::proofs::lkmm::litmus {

class Cursor {
 public:
  explicit Cursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool sees(std::string_view text) const {
    return peek().kind != TokenKind::end && peek().text == text;
  }
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view why);
  const Token& word(std::string_view what);
  const Token& take();

  [[noreturn]] void fail(std::string message) const { fail(peek(), std::move(message)); }
  [[noreturn]] static void fail(const Token& token, std::string message);
  /// "found 'x'" or "found the end".
  std::string found() const;

  /// Counts nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Cursor& cursor);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --cursor_.depth_; }

   private:
    Cursor& cursor_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

/// Whether `text` begins a type: int, atomic_t, spinlock_t, struct NAME, and so on.
bool begins_type(std::string_view text);
/// A type with its stars, as "int *".
std::string read_type(Cursor& cursor);

/// What a name stands for in a thread.
enum class Name : std::uint8_t { location, reg };
using Names = std::map<std::string, Name, std::less<>>;

/// { statements }, adding the registers declared to `names`; `statements` counts those read.
std::vector<Statement> read_block(Cursor& cursor, Names& names, std::size_t& statements);

}  // namespace futexmc::proofs::lkmm::litmus
