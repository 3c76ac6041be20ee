// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/parser.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

using ast::Statement;

constexpr std::string_view kAfter = "after the statement";

ast::Expr parse_head(Cursor& cursor, std::string_view keyword) {
  cursor.expect("(", "after '" + std::string(keyword) + "'");
  ast::Expr condition = parse_expression(cursor);
  cursor.expect(")", "after the condition");
  return condition;
}

void parse_if(Cursor& cursor, Statement& statement) {
  const Cursor::Nest nest(cursor);  // an `else if` chain nests
  statement.kind = Statement::Kind::branch;
  statement.at = cursor.peek().at;
  cursor.expect("if", "");
  statement.expr = parse_head(cursor, "if");
  statement.body = parse_block(cursor, "after the condition");
  if (!cursor.accept("else")) return;
  if (cursor.peek().is("if"))
    parse_if(cursor, statement.otherwise.emplace_back());
  else
    statement.otherwise = parse_block(cursor, "after 'else'");
}

void parse_while(Cursor& cursor, Statement& statement) {
  statement.kind = Statement::Kind::loop;
  cursor.take();
  statement.expr = parse_head(cursor, "while");
  statement.body = parse_block(cursor, "after the condition");
}

void parse_repeat(Cursor& cursor, Statement& statement) {
  statement.kind = Statement::Kind::repeat;
  cursor.take();
  cursor.expect("(", "after 'repeat'");
  statement.count = cursor.expect_constant("a number of times");
  cursor.expect(")", "after the number of times");
  statement.body = parse_block(cursor, "after 'repeat(...)'");
}

void parse_declaration(Cursor& cursor, Statement& statement) {
  statement.kind = Statement::Kind::declare;
  cursor.take();
  statement.name = cursor.expect_name("the name of a register");
  cursor.expect("=", "(a register needs a first value)");
  statement.expr = parse_expression(cursor);
  cursor.expect(";", kAfter);
}

/// An assignment or a call.
void parse_simple(Cursor& cursor, Statement& statement) {
  const Token& next = cursor.peek();
  if (next.kind != TokenKind::identifier || starts_item(next.text))
    return cursor.fail_expected("a statement or '}'");
  const bool assigns = cursor.peek(1).is("=");
  statement.kind = assigns ? Statement::Kind::assign : Statement::Kind::evaluate;
  if (assigns) {
    statement.name = cursor.expect_name("a register");
    cursor.take();
  }
  statement.expr = parse_expression(cursor);
  cursor.expect(";", kAfter);
}

void parse_statement(Cursor& cursor, Statement& statement) {
  const Token& next = cursor.peek();
  statement.at = next.at;
  if (next.is("if")) return parse_if(cursor, statement);
  if (next.is("while")) return parse_while(cursor, statement);
  if (next.is("repeat")) return parse_repeat(cursor, statement);
  if (next.is("int")) return parse_declaration(cursor, statement);
  if (!next.is("settle")) return parse_simple(cursor, statement);
  cursor.take();
  cursor.expect(";", "after 'settle'");
}

}  // namespace

std::vector<ast::Statement> parse_block(Cursor& cursor, std::string_view where) {
  const Cursor::Nest nest(cursor);
  std::vector<Statement> block;
  const Place open = cursor.peek().at;
  cursor.expect("{", where);
  while (!cursor.at_end() && !cursor.peek().is("}"))
    parse_statement(cursor, block.emplace_back());
  if (cursor.at_end()) cursor.fail(open, "'{' is never closed");
  cursor.accept("}");
  return block;
}

}  // namespace futexmc::scenario
