// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/lexer.hpp"

#include <array>
#include <cstdio>
#include <string>

#include "model/scenario/encoding.hpp"
#include "model/scenario/limits.hpp"

namespace futexmc::scenario {
namespace {

// Not <cctype>: those functions follow the locale.
bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string hex_byte(char c) {
  std::array<char, 8> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%02x", static_cast<unsigned char>(c));
  return buffer.data();
}

class Lexer {
 public:
  Lexer(std::string_view text, Problems& problems) : text_(text), problems_(problems) {}

  std::vector<Token> run() {
    while (skip_blanks(), offset_ < text_.size() && !problems_.full()) token();
    tokens_.push_back({TokenKind::end, text_.substr(text_.size()), here_, 0});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
  }

  void advance() {
    if (text_[offset_++] == '\n') {
      ++here_.line;
      here_.column = 1;
    } else {
      ++here_.column;
    }
  }

  /// Moves past bytes while `wanted` holds and gives them.
  template <class Predicate>
  std::string_view take_while(Predicate wanted) {
    const std::size_t begin = offset_;
    while (offset_ < text_.size() && wanted(text_[offset_])) advance();
    return text_.substr(begin, offset_ - begin);
  }

  void skip_blanks() {
    for (;;) {
      take_while(is_space);
      if (peek() != '/') return;
      if (peek(1) == '/')
        take_while([](char c) { return c != '\n'; });
      else if (peek(1) == '*')
        skip_long_comment();
      else
        return;
    }
  }

  void skip_long_comment() {
    const Place start = here_;
    advance(), advance();
    while (offset_ < text_.size() && !(peek() == '*' && peek(1) == '/')) advance();
    if (offset_ == text_.size()) return problems_.add(start, "comment is never closed");
    advance(), advance();
  }

  void token() {
    if (is_letter(peek())) return identifier();
    if (is_digit(peek())) return number();
    if (peek() == '"') return string();
    punctuator();
  }

  void identifier() {
    const Place start = here_;
    const auto text = take_while([](char c) { return is_letter(c) || is_digit(c); });
    if (text.size() > kMaxNameLength)
      problems_.add(start, "name is longer than " + std::to_string(kMaxNameLength) + " characters");
    tokens_.push_back({TokenKind::identifier, text, start, 0});
  }

  void number() {
    const Place start = here_;
    const auto text = take_while([](char c) { return is_letter(c) || is_digit(c); });
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X') && text[0] == '0';
    const auto digits = hex ? text.substr(2) : text;
    const auto allowed = hex ? "0123456789abcdefABCDEF" : "0123456789";
    std::int64_t value = 0;
    if (digits.empty() || digits.find_first_not_of(allowed) != std::string_view::npos)
      problems_.add(start, "malformed number");
    else if (!hex && digits.size() > 1 && digits[0] == '0')
      problems_.add(start, "octal numbers are not supported; drop the leading 0");
    else if (value = to_number(digits, hex ? 16 : 10); value > kMaxLiteral)
      problems_.add(start, "number is larger than " + std::to_string(kMaxLiteral));
    tokens_.push_back({TokenKind::number, text, start, value});
  }

  /// Saturates above kMaxLiteral, however many digits there are.
  static std::int64_t to_number(std::string_view digits, int base) {
    std::int64_t value = 0;
    for (const char c : digits) {
      value = value * base + (is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
      if (value > kMaxLiteral) return kMaxLiteral + 1;
    }
    return value;
  }

  void string() {
    const Place start = here_;
    advance();
    const auto text = take_while([](char c) { return c != '"' && c != '\n'; });
    tokens_.push_back({TokenKind::string, text, start, 0});
    if (peek() != '"') return problems_.add(start, "string is not closed on its line");
    advance();
  }

  void punctuator() {
    static constexpr std::string_view kDouble[] = {"==", "!=", "<=", ">=", "&&", "||"};
    static constexpr std::string_view kSingle = "+-*&|^<>!=(){},;.";
    const Place start = here_;
    std::size_t length = kSingle.find(peek()) != std::string_view::npos ? 1 : 0;
    for (const auto two : kDouble)
      if (text_.substr(offset_, 2) == two) length = 2;
    if (length == 0) return unexpected();
    tokens_.push_back({TokenKind::punctuator, text_.substr(offset_, length), start, 0});
    while (length-- > 0) advance();
  }

  void unexpected() {
    const Place start = here_;
    const char c = peek();
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    problems_.add(start, ascii ? std::string("unexpected character '") + c + "'"
                               : "only comments and titles may hold characters beyond ASCII");
    advance();
    // One report for a run of foreign characters, not one for each byte.
    if (!ascii) take_while([](char next) { return static_cast<unsigned char>(next) >= 0x80; });
  }

  std::string_view text_;
  Problems& problems_;
  std::vector<Token> tokens_;
  std::size_t offset_ = 0;
  Place here_{1, 1};
};

/// Line and column of an offset.
Place place_of(std::string_view text, std::size_t offset) {
  Place place{1, 1};
  for (const char c : text.substr(0, offset))
    place = c == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
  return place;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text, Problems& problems) {
  const auto bad = text.size() > kMaxSourceBytes ? std::nullopt : first_bad_byte(text);
  if (text.size() > kMaxSourceBytes)
    problems.add({1, 1}, "file is larger than " + std::to_string(kMaxSourceBytes) + " bytes");
  else if (bad)
    problems.add(place_of(text, *bad),
                 "byte " + hex_byte(text[*bad]) + " is a control character or not UTF-8");
  else
    return Lexer(text, problems).run();
  return {Token{TokenKind::end, {}, {1, 1}, 0}};
}

}  // namespace futexmc::scenario
