// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parser's position in the tokens, and its one error path.
//
// Invariants
//  1. After fail(), peek() shows only the end of the file until recover(): every loop of the parser
//     ends at it, so a failed item unwinds by itself, without exceptions and without cascades.
//  2. Nesting is at most kMaxDepth deep and an expression has at most kMaxTerms operands; the
//     recursion of all later stages is bounded by these two.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/scenario/ast.hpp"
#include "model/scenario/lexer.hpp"
#include "model/scenario/problems.hpp"

namespace futexmc::scenario {

class Cursor {
 public:
  Cursor(std::vector<Token> tokens, Problems& problems)
      : tokens_(std::move(tokens)), problems_(problems) {}

  const Token& peek(std::size_t ahead = 0) const;
  bool at_end() const { return peek().kind == TokenKind::end; }
  Token take();
  /// Takes the next token if it is `word`.
  bool accept(std::string_view word);
  /// Takes `word` or fails with "expected 'word' WHERE, found ...".
  void expect(std::string_view word, std::string_view where);
  /// Takes a name that may be declared or used; `what` is what it would name.
  ast::Name expect_name(std::string_view what);
  /// Takes a number or named constant, with an optional minus sign.
  ast::Constant expect_constant(std::string_view what);

  /// Reports at `at`, unless an earlier failure has not been recovered from.
  void fail(Place at, std::string message);
  /// Fails with "expected WHAT, found ..." at the next token.
  void fail_expected(std::string_view what);
  bool failed() const { return failed_; }
  /// Skips to the next word that starts an item, past the one that failed.
  void recover(Place failed_item);

  void start_expression() { terms_ = 0; }
  void count_term(Place at);

  /// Counts one level of nesting for as long as it lives.
  class Nest {
   public:
    explicit Nest(Cursor& cursor);
    ~Nest() { --cursor_.depth_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

   private:
    Cursor& cursor_;
  };

 private:
  std::vector<Token> tokens_;
  Problems& problems_;
  std::size_t next_ = 0;
  bool failed_ = false;
  int depth_ = 0;
  int terms_ = 0;
};

}  // namespace futexmc::scenario
