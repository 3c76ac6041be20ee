// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/litmus_cursor.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace futexmc::proofs::lkmm::litmus {
namespace {

constexpr std::array<std::string_view, 10> kTypes = {
    "int",  "long",     "unsigned", "char",       "atomic_t",
    "void", "volatile", "struct",   "spinlock_t", "intptr_t"};

}  // namespace

bool Cursor::accept(std::string_view text) {
  if (!sees(text)) return false;
  ++at_;
  return true;
}

void Cursor::expect(std::string_view text, std::string_view why) {
  if (!accept(text)) fail(fmt::format("expected '{}' {}, {}", text, why, found()));
}

const Token& Cursor::word(std::string_view what) {
  if (peek().kind != TokenKind::word) fail(fmt::format("expected {}, {}", what, found()));
  return take();
}

const Token& Cursor::take() {
  const Token& token = peek();
  if (token.kind != TokenKind::end) ++at_;
  return token;
}

void Cursor::fail(const Token& token, std::string message) {
  throw Failure{{token.line, token.column, std::move(message)}};
}

std::string Cursor::found() const {
  return peek().kind == TokenKind::end ? "found the end" : fmt::format("found '{}'", peek().text);
}

Cursor::Level::Level(Cursor& cursor) : cursor_(cursor) {
  if (cursor_.depth_ == kMaxDepth) cursor_.fail("nested too deeply");
  ++cursor_.depth_;
}

bool begins_type(std::string_view text) {
  return std::find(kTypes.begin(), kTypes.end(), text) != kTypes.end();
}

std::string read_type(Cursor& cursor) {
  std::string type;
  while (begins_type(cursor.peek().text)) {
    const bool tagged = cursor.sees("struct");
    if (!type.empty()) type += ' ';
    type += cursor.take().text;
    if (tagged) type += ' ' + std::string(cursor.word("the name of a struct").text);
  }
  if (type.empty()) cursor.fail("expected a type, " + cursor.found());
  if (cursor.sees("*")) type += ' ';
  while (cursor.accept("*")) type += '*';
  return type;
}

}  // namespace futexmc::proofs::lkmm::litmus
