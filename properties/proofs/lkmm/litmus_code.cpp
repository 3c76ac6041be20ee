// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the code of a thread.
#include <array>

#include <fmt/format.h>

#include "properties/proofs/lkmm/litmus_cursor.hpp"

namespace futexmc::proofs::lkmm::litmus {
namespace {

struct Infix {
  std::string_view sign;
  Operator op;
  int level;  ///< higher binds tighter
};
constexpr std::array<Infix, 11> kInfix = {{
    {"|", Operator::bit_or, 1},
    {"^", Operator::bit_xor, 2},
    {"&", Operator::bit_and, 3},
    {"==", Operator::equal, 4},
    {"!=", Operator::not_equal, 4},
    {"<", Operator::less, 5},
    {">", Operator::greater, 5},
    {"<=", Operator::less_equal, 5},
    {">=", Operator::greater_equal, 5},
    {"+", Operator::add, 6},
    {"-", Operator::subtract, 6},
}};
constexpr std::array<std::string_view, 8> kLoops = {"while", "for",      "do",    "goto",
                                                    "break", "continue", "switch", "return"};

class Code {
 public:
  Code(Cursor& cursor, Names& names, std::size_t& statements)
      : at_(cursor), names_(names), statements_(statements) {}

  std::vector<Statement> block() {
    at_.expect("{", "before the code");
    std::vector<Statement> result;
    while (!at_.accept("}")) {
      if (at_.peek().kind == TokenKind::end) at_.fail("expected '}' after the code, found the end");
      if (!at_.accept(";")) result.push_back(statement());
    }
    return result;
  }

 private:
  Statement statement() {
    const Cursor::Level level(at_);
    if (++statements_ > kMaxStatements) at_.fail("too many statements");
    for (const std::string_view word : kLoops) {
      if (at_.sees(word)) {
        at_.fail(fmt::format("'{}' is not read: only straight code and if", word));
      }
    }
    if (at_.sees("if")) return branch();
    if (begins_type(at_.peek().text)) return declaration();
    if (at_.sees("*")) return store();
    if (at_.peek(1).text == "(") return perform();
    return assignment();
  }

  Statement branch() {
    Statement s;
    s.kind = Statement::Kind::branch;
    at_.expect("if", "");
    at_.expect("(", "after 'if'");
    s.value.push_back(expression());
    at_.expect(")", "after the condition");
    s.then = arm();
    if (at_.accept("else")) s.otherwise = arm();
    return s;
  }

  std::vector<Statement> arm() {
    if (at_.sees("{")) return block();
    if (at_.accept(";")) return {};
    std::vector<Statement> result;
    result.push_back(statement());
    return result;
  }

  Statement declaration() {
    Statement s;
    s.kind = Statement::Kind::declare;
    s.type = read_type(at_);
    const Token& name = at_.word("the name of a register");
    s.name = name.text;
    // A register declared in two branches is one, as in herd7.
    const auto known = names_.find(s.name);
    if (known != names_.end() && known->second == Name::location) {
      Cursor::fail(name, fmt::format("'{}' is a location already", s.name));
    }
    if (at_.accept("=")) s.value.push_back(value());
    names_.emplace(s.name, Name::reg);
    at_.expect(";", "after a declaration");
    return s;
  }

  Statement store() {
    Statement s;
    s.kind = Statement::Kind::store;
    s.name = pointer();
    at_.expect("=", "in a store");
    s.value.push_back(value());
    at_.expect(";", "after a store");
    return s;
  }

  Statement perform() {
    Statement s;
    const Token& start = at_.peek();
    s.value.push_back(function_call());
    if (has_value(s.value[0].call)) {
      Cursor::fail(start, fmt::format("the value of '{}' must go to a register, as herd7 wants it",
                                      start.text));
    }
    at_.expect(";", "after a call");
    return s;
  }

  Statement assignment() {
    Statement s;
    s.kind = Statement::Kind::assign;
    const Token& name = at_.word("a statement");
    s.name = name.text;
    const auto known = names_.find(s.name);
    if (known == names_.end()) Cursor::fail(name, fmt::format("'{}' is not declared", s.name));
    if (known->second == Name::location) {
      Cursor::fail(name, fmt::format("'{}' is a location; write '*{}'", s.name, s.name));
    }
    at_.expect("=", "in an assignment");
    s.value.push_back(value());
    at_.expect(";", "after an assignment");
    return s;
  }

  /// * name
  std::string pointer() {
    at_.expect("*", "before the name of a location or pointer");
    return known_name().name;
  }

  Expression known_name() {
    const Token& token = at_.word("a name");
    if (names_.find(token.text) == names_.end()) {
      Cursor::fail(token, fmt::format("'{}' is not declared", token.text));
    }
    Expression e;
    e.kind = Expression::Kind::name;
    e.name = token.text;
    return e;
  }

  /// An expression that has a value.
  Expression value() {
    const Token& start = at_.peek();
    Expression e = expression();
    if (e.kind == Expression::Kind::call && !has_value(e.call)) {
      Cursor::fail(start, fmt::format("'{}' gives no value", spell(e.call)));
    }
    return e;
  }

  Expression expression(int level = 1) {
    const Cursor::Level nested(at_);
    const Token& start = at_.peek();
    Expression left = operand();
    // Each operator adds a level to the tree, so their number is bounded as nesting is.
    for (std::size_t count = 0;;) {
      const Infix* infix = next_operator(level);
      if (!infix) return left;
      if (++count > kMaxDepth) at_.fail("nested too deeply");
      valued(left, start);
      at_.take();
      const Token& second = at_.peek();
      Expression e;
      e.kind = Expression::Kind::apply;
      e.op = infix->op;
      e.arguments.push_back(std::move(left));
      e.arguments.push_back(expression(infix->level + 1));
      valued(e.arguments.back(), second);
      left = std::move(e);
    }
  }

  static void valued(const Expression& e, const Token& at) {
    if (e.kind == Expression::Kind::call && !has_value(e.call)) {
      Cursor::fail(at, fmt::format("'{}' gives no value", spell(e.call)));
    }
  }

  const Infix* next_operator(int level) const {
    if (at_.sees("&&") || at_.sees("||")) {
      at_.fail("'&&' and '||' are not read, as herd7 does not: use nested if");
    }
    for (const Infix& infix : kInfix)
      if (infix.level >= level && at_.sees(infix.sign)) return &infix;
    return nullptr;
  }

  Expression operand() {
    if (at_.accept("(")) {
      Expression e = value();
      at_.expect(")", "after an expression");
      return e;
    }
    if (at_.sees("*")) {
      Expression e;
      e.kind = Expression::Kind::load;
      e.name = pointer();
      return e;
    }
    const bool minus = at_.accept("-");
    if (at_.peek().kind == TokenKind::number) {
      Expression e;
      e.number = minus ? -at_.take().value : at_.take().value;
      return e;
    }
    if (minus) at_.fail("expected a number after '-', " + at_.found());
    if (at_.peek().kind != TokenKind::word) at_.fail("expected an expression, " + at_.found());
    return at_.peek(1).text == "(" ? function_call() : known_name();
  }

  Expression function_call() {
    const Token& name = at_.word("a function");
    const auto call = find_call(name.text);
    if (!call) Cursor::fail(name, fmt::format("function '{}' is not known", name.text));
    Expression e;
    e.kind = Expression::Kind::call;
    e.call = *call;
    at_.expect("(", "after a function");
    arguments(*call->function, e.arguments);
    at_.expect(")", "after the arguments");
    return e;
  }

  /// The location first, then the values, whichever way they are written.
  void arguments(const Function& function, std::vector<Expression>& out) {
    if (function.shape == Shape::nothing) return;
    std::vector<Expression> values;
    const auto read_values = [&](bool leading) {
      for (unsigned i = 0; i < function.values; ++i) {
        if (!leading) at_.expect(",", "between arguments");
        values.push_back(value());
        if (leading) at_.expect(",", "between arguments");
      }
    };
    if (function.shape == Shape::last) read_values(true);
    if (function.shape == Shape::lvalue) at_.expect("*", "before the location");
    out.push_back(known_name());
    if (function.shape != Shape::last) read_values(false);
    for (Expression& e : values) out.push_back(std::move(e));
  }

  Cursor& at_;
  Names& names_;
  std::size_t& statements_;
};

}  // namespace

std::vector<Statement> read_block(Cursor& cursor, Names& names, std::size_t& statements) {
  return Code(cursor, names, statements).block();
}

}  // namespace futexmc::proofs::lkmm::litmus
