// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/cursor.hpp"

#include <algorithm>

#include "model/scenario/limits.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end: return "the end of the file";
    case TokenKind::string: return "a string";
    default: return "'" + std::string(token.text) + "'";
  }
}

}  // namespace

const Token& Cursor::peek(std::size_t ahead) const {
  return failed_ ? tokens_.back() : tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

Token Cursor::take() {
  const Token token = peek();
  if (!failed_ && token.kind != TokenKind::end) ++next_;
  return token;
}

bool Cursor::accept(std::string_view word) {
  if (!peek().is(word)) return false;
  take();
  return true;
}

void Cursor::expect(std::string_view word, std::string_view where) {
  if (!accept(word)) fail_expected("'" + std::string(word) + "' " + std::string(where));
}

ast::Name Cursor::expect_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind == TokenKind::identifier && is_reserved(token.text))
    fail(token.at, "'" + std::string(token.text) + "' is a reserved word");
  else if (token.kind != TokenKind::identifier)
    fail_expected(what);
  const Token name = take();
  return {std::string(name.text), name.at};
}

ast::Constant Cursor::expect_constant(std::string_view what) {
  const Place at = peek().at;
  const std::int64_t sign = accept("-") ? -1 : 1;
  const auto named = peek().kind == TokenKind::identifier ? find_constant(peek().text)
                                                          : std::nullopt;
  if (!named && peek().kind != TokenKind::number) fail_expected(what);
  const Token token = take();
  return {sign * named.value_or(token.value), at};
}

void Cursor::fail(Place at, std::string message) {
  if (!failed_) problems_.add(at, std::move(message));
  failed_ = true;
}

void Cursor::fail_expected(std::string_view what) {
  fail(peek().at, "expected " + std::string(what) + ", found " + describe(peek()));
}

void Cursor::recover(Place failed_item) {
  failed_ = false;
  if (peek().at == failed_item) take();
  while (!at_end() && !(peek().kind == TokenKind::identifier && starts_item(peek().text))) take();
}

void Cursor::count_term(Place at) {
  if (++terms_ > kMaxTerms)
    fail(at, "expression has more than " + std::to_string(kMaxTerms) + " operands");
}

Cursor::Nest::Nest(Cursor& cursor) : cursor_(cursor) {
  if (++cursor_.depth_ > kMaxDepth)
    cursor_.fail(cursor_.peek().at, "nested more than " + std::to_string(kMaxDepth) + " deep");
}

}  // namespace futexmc::scenario
