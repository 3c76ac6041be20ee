// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "model/scenario/limits.hpp"
#include "model/scenario/thread_compiler.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;

bool is_logical(const Expr& e) {
  return e.kind == Expr::Kind::binary &&
         (e.binary == ast::Binary::logical_and || e.binary == ast::Binary::logical_or);
}

/// True if the value can only be 0 or 1.
bool is_boolean(const Expr& e) {
  if (e.kind == Expr::Kind::unary) return e.unary == ast::Unary::logical_not;
  if (e.kind != Expr::Kind::binary) return false;
  return is_logical(e) ||
         (e.binary >= ast::Binary::equal && e.binary <= ast::Binary::greater_equal);
}

}  // namespace

ThreadCompiler::Register ThreadCompiler::evaluate(const Expr& e, Target target) {
  if (const auto value = literal(e)) return constant(*value, target);
  switch (e.kind) {
    case Expr::Kind::unary: return unary(e, target);
    case Expr::Kind::binary: return is_logical(e) ? logical(e, target) : binary(e, target);
    case Expr::Kind::call: return call(e, target);
    case Expr::Kind::member:
      context_.report(e.at, "a thread sees only its own registers, by their names alone");
      return 0;
    case Expr::Kind::constant:  // was a literal
    case Expr::Kind::name: break;
  }
  const Register reg = find_register(e.name).value_or(Register{0});
  if (!target) return reg;
  code_.emit({.op = Op::move, .dst = *target, .a = reg});
  return *target;
}

ThreadCompiler::Register ThreadCompiler::constant(std::int64_t value, Target target) {
  const Register dst = destination(target);
  code_.emit({.op = Op::constant, .dst = dst, .value = value});
  return dst;
}

ThreadCompiler::Register ThreadCompiler::unary(const Expr& e, Target target) {
  const int mark = code_.mark();
  const Register a = evaluate(e.operands[0]);
  code_.release(mark);
  const Register dst = destination(target);
  const Op op = e.unary == ast::Unary::negate ? Op::negate : Op::logical_not;
  code_.emit({.op = op, .dst = dst, .a = a});
  return dst;
}

ThreadCompiler::Register ThreadCompiler::binary(const Expr& e, Target target) {
  const int mark = code_.mark();
  const Register a = evaluate(e.operands[0]);
  const Register b = evaluate(e.operands[1]);
  code_.release(mark);
  const Register dst = destination(target);
  code_.emit({.op = operator_of(e.binary).op, .dst = dst, .a = a, .b = b});
  return dst;
}

/// `a && b` is  d = a; if d == 0 skip { d = b; }  and then d != 0;
/// `a || b` is  d = !a; if d == 0 skip { d = !b; }  and then !d.
ThreadCompiler::Register ThreadCompiler::logical(const Expr& e, Target target) {
  const bool reuse = target && code_.is_temporary(*target);
  const Register d = reuse ? *target : code_.temporary();
  const bool is_or = e.binary == ast::Binary::logical_or;
  const auto operand = [&](const Expr& operand_expr) {
    const int mark = code_.mark();
    const Register value = evaluate(operand_expr, is_or ? Target{} : Target{d});
    code_.release(mark);
    if (is_or) code_.emit({.op = Op::logical_not, .dst = d, .a = value});
  };
  operand(e.operands[0]);
  const std::size_t skip = code_.emit({.op = Op::jump_if_zero, .a = d});
  operand(e.operands[1]);
  code_.bind_inside(skip);
  const bool is_normal = is_boolean(e.operands[0]) && is_boolean(e.operands[1]);
  for (int inversions = is_or ? 1 : is_normal ? 0 : 2; inversions > 0; --inversions)
    code_.emit({.op = Op::logical_not, .dst = d, .a = d});
  if (target && !reuse) code_.emit({.op = Op::move, .dst = *target, .a = d});
  return target ? *target : d;
}

std::optional<ThreadCompiler::Register> ThreadCompiler::find_register(const ast::Name& name) {
  const auto found = std::ranges::find(out_.registers, name.text);
  if (found != out_.registers.end())
    return static_cast<Register>(found - out_.registers.begin());
  const bool later = std::ranges::any_of(source_.body, [&](const ast::Statement& s) {
    return s.kind == ast::Statement::Kind::declare && s.name.text == name.text;
  });
  if (later) {
    context_.report(name.at, "register " + quoted(name.text) + " is used before its declaration");
  } else if (word_index(context_.out, name.text)) {
    context_.report(name.at,
                    quoted(name.text) + " is shared: read it with load(" + name.text + ")");
  } else {
    auto candidates = out_.registers;
    std::ranges::copy(word_names(context_.out), std::back_inserter(candidates));
    report_undeclared(context_, name, candidates);
  }
  return std::nullopt;
}

}  // namespace futexmc::scenario
