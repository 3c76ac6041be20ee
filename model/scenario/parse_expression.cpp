// SPDX-License-Identifier: GPL-2.0-or-later
//
// Expressions, by precedence climbing over the operator table of vocabulary.hpp.
#include <utility>

#include "model/scenario/parser.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;

Expr parse_binary(Cursor& cursor, int lowest);

/// An option word of a call, or nothing when an ordinary argument comes next.
std::optional<ast::Option> parse_option(Cursor& cursor) {
  using Kind = ast::Option::Kind;
  const Token& next = cursor.peek();
  ast::Option option{.at = next.at};
  if (next.kind != TokenKind::identifier) return std::nullopt;
  if (const auto order = find_order(next.text)) {
    option.kind = Kind::order;
    option.order = *order;
  } else if (next.is("shared")) {
    option.kind = Kind::shared;
  } else if (next.is("bitset")) {
    option.kind = Kind::bitset;
  } else if (next.is("flags")) {
    option.kind = Kind::flags;
  } else if (!next.is("timeout")) {
    return std::nullopt;
  }
  cursor.take();
  if (option.kind == Kind::bitset)
    option.number = cursor.expect_constant("a number after 'bitset'");
  if (option.kind == Kind::flags)
    option.number = cursor.expect_constant("a number after 'flags'");
  const bool invalid = option.kind == Kind::timeout && cursor.accept("invalid");
  if (invalid) option.number.value = 1;
  return option;
}

/// Whether options may stand between arguments: each pair has its own.
bool has_pairs(const Expr& call) {
  const Function* const function = find_function(call.name.text);
  return function && function->pairs;
}

void parse_argument(Cursor& cursor, Expr& call) {
  if (auto option = parse_option(cursor)) {
    if (has_pairs(call)) option->after = static_cast<std::uint8_t>(call.operands.size());
    call.options.push_back(*option);
  } else if (!call.options.empty() && !has_pairs(call)) {
    cursor.fail(cursor.peek().at, "arguments come before options");
  } else {
    call.operands.push_back(parse_binary(cursor, 1));
  }
}

Expr parse_call(Cursor& cursor) {
  const Token name = cursor.take();
  Expr call{.kind = Expr::Kind::call, .at = name.at};
  call.name = {std::string(name.text), name.at};
  cursor.expect("(", "after '" + call.name.text + "'");
  if (cursor.accept(")")) return call;
  do parse_argument(cursor, call);
  while (cursor.accept(","));
  cursor.expect(")", "after the arguments");
  return call;
}

Expr parse_name(Cursor& cursor) {
  const Token& token = cursor.peek();
  Expr expr{.kind = Expr::Kind::name, .at = token.at};
  if (const auto value = find_constant(token.text)) {
    expr.kind = Expr::Kind::constant;
    expr.value = *value;
    expr.name = {std::string(token.text), token.at};
    cursor.take();
    return expr;
  }
  if (cursor.peek(1).is("(") || find_function(token.text) || find_predicate(token.text))
    return parse_call(cursor);
  expr.name = cursor.expect_name("an expression");
  if (cursor.accept(".")) {
    expr.kind = Expr::Kind::member;
    expr.member = cursor.expect_name("a register after '.'");
  }
  return expr;
}

Expr parse_primary(Cursor& cursor) {
  cursor.count_term(cursor.peek().at);
  if (cursor.accept("(")) {
    Expr inner = parse_binary(cursor, 1);
    cursor.expect(")", "to close the parenthesis");
    return inner;
  }
  if (cursor.peek().kind == TokenKind::identifier) return parse_name(cursor);
  if (cursor.peek().kind != TokenKind::number) cursor.fail_expected("an expression");
  const Token number = cursor.take();
  return {.kind = Expr::Kind::constant, .at = number.at, .value = number.value};
}

Expr parse_unary(Cursor& cursor) {
  const Cursor::Nest nest(cursor);
  const Place at = cursor.peek().at;
  const bool negate = cursor.accept("-");
  if (!negate && !cursor.accept("!")) return parse_primary(cursor);
  Expr expr{.kind = Expr::Kind::unary, .at = at};
  expr.unary = negate ? ast::Unary::negate : ast::Unary::logical_not;
  expr.operands.push_back(parse_unary(cursor));
  return expr;
}

/// An expression of operators that bind at least as tightly as `lowest`.
Expr parse_binary(Cursor& cursor, int lowest) {
  Expr left = parse_unary(cursor);
  for (;;) {
    const Token& token = cursor.peek();
    const Operator* found =
        token.kind == TokenKind::punctuator ? find_operator(token.text) : nullptr;
    if (!found || found->precedence < lowest) return left;
    Expr expr{.kind = Expr::Kind::binary, .at = cursor.take().at};
    expr.binary = found->binary;
    Expr right = parse_binary(cursor, found->precedence + 1);
    expr.operands.push_back(std::move(left));
    expr.operands.push_back(std::move(right));
    left = std::move(expr);
  }
}

}  // namespace

ast::Expr parse_expression(Cursor& cursor) {
  cursor.start_expression();
  return parse_binary(cursor, 1);
}

}  // namespace futexmc::scenario
