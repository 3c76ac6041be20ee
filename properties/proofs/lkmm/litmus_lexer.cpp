// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/litmus_lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace futexmc::proofs::lkmm::litmus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Longest first.
constexpr std::array<std::string_view, 9> kLongSigns = {"/\\", "\\/", "==", "!=", "<=",
                                                        ">=",  "&&",  "||", "=>"};
constexpr std::string_view kSigns = "{}()[]*&=;,:~+-|^<>!?.";

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Lexed run() {
    Lexed result;
    result.name = header();
    for (skip(); at_ < text_.size(); skip()) {
      result.tokens.push_back(token());
      if (result.tokens.back().text == "{") ++depth_;
      if (result.tokens.back().text == "}" && depth_ > 0) --depth_;
    }
    result.tokens.push_back({TokenKind::end, text_.substr(at_), line_, column(), 0});
    return result;
  }

 private:
  std::size_t column() const { return at_ - line_start_ + 1; }

  [[noreturn]] void fail(std::string message) const {
    throw Failure{{line_, column(), std::move(message)}};
  }

  bool here(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void advance(std::size_t bytes) {
    for (; bytes > 0 && at_ < text_.size(); --bytes, ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  std::string header() {
    if (!here("C ")) fail("a litmus test starts with 'C' and its name");
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view name = text_.substr(2, end - 2);
    while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
    while (!name.empty() && is_blank(name.front())) name.remove_prefix(1);
    const bool printable =
        std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (name.empty() || !printable) fail("the name of a test is one printable word");
    advance(end);
    return std::string(name);
  }

  void comment(std::string_view opens, std::string_view closes) {
    const std::size_t end = text_.find(closes, at_ + opens.size());
    if (end == std::string_view::npos) fail("comment is never closed");
    advance(end + closes.size() - at_);
  }

  void skip() {
    for (;;) {
      while (at_ < text_.size() && is_blank(text_[at_])) advance(1);
      if (here("//")) {
        advance(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else if (here("/*")) {
        comment("/*", "*/");
      } else if (depth_ == 0 && here("(*")) {
        comment("(*", "*)");
      } else {
        return;
      }
    }
  }

  Token token() {
    Token token{TokenKind::sign, {}, line_, column(), 0};
    std::size_t length = 1;
    const std::string_view rest = text_.substr(at_);
    if (is_letter(rest[0])) {
      token.kind = TokenKind::word;
      while (length < rest.size() && (is_letter(rest[length]) || is_digit(rest[length]))) ++length;
    } else if (is_digit(rest[0])) {
      token.kind = TokenKind::number;
      while (length < rest.size() && is_digit(rest[length])) ++length;
      number(rest.substr(0, length), token.value);
    } else {
      length = sign(rest);
    }
    token.text = rest.substr(0, length);
    advance(length);
    return token;
  }

  void number(std::string_view digits, std::int64_t& value) const {
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || value > 0x7fffffff) fail("number is larger than 2147483647");
  }

  std::size_t sign(std::string_view rest) const {
    for (const std::string_view sign : kLongSigns)
      if (rest.starts_with(sign)) return sign.size();
    if (kSigns.find(rest[0]) != std::string_view::npos) return 1;
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte > ' ' && byte < 0x7f) fail(fmt::format("unexpected character '{}'", rest[0]));
    fail(fmt::format("unexpected byte {:#04x}", byte));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Lexed tokenize(std::string_view text) {
  if (text.size() > kMaxSource) throw Failure{{1, 1, "a test has at most 65536 bytes"}};
  return Lexer(text).run();
}

}  // namespace futexmc::proofs::lkmm::litmus
