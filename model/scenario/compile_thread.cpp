// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "model/scenario/limits.hpp"
#include "model/scenario/thread_compiler.hpp"

namespace futexmc::scenario {
namespace {

using Kind = ast::Statement::Kind;

/// How many repeat counters live at once.
int repeat_depth(const std::vector<ast::Statement>& statements) {
  int deepest = 0;
  for (const ast::Statement& s : statements) {
    const int inside = std::max(repeat_depth(s.body), repeat_depth(s.otherwise));
    deepest = std::max(deepest, inside + (s.kind == Kind::repeat ? 1 : 0));
  }
  return deepest;
}

}  // namespace

void compile_thread(const Context& context, const ast::Thread& source, Thread& out) {
  const auto declared = std::ranges::count(source.body, Kind::declare, &ast::Statement::kind);
  const auto fixed = declared + repeat_depth(source.body);
  if (fixed > kMaxRegisters) {
    context.report(source.name.at,
                   "thread " + quoted(source.name.text) + " needs " + std::to_string(fixed) +
                       " registers for declarations and repeats, and has " +
                       std::to_string(kMaxRegisters));
    return;
  }
  out.counter_begin = static_cast<int>(declared);
  out.counter_end = out.register_count = static_cast<int>(fixed);
  ThreadCompiler(context, source, out).run();
}

void ThreadCompiler::run() {
  for (const ast::Statement& s : source_.body) statement(s);
  code_.emit({.op = Op::end});
}

void ThreadCompiler::block(const std::vector<ast::Statement>& statements, Place around) {
  ++nesting_;
  for (const ast::Statement& s : statements) statement(s);
  --nesting_;
  code_.resume_statement(around);
}

void ThreadCompiler::statement(const ast::Statement& s) {
  code_.begin_statement(s.at);
  switch (s.kind) {
    case Kind::declare: return declare(s);
    case Kind::assign: return assign(s);
    case Kind::branch: return branch(s);
    case Kind::loop: return loop(s);
    case Kind::repeat: return repeat(s);
    case Kind::settle: code_.emit({.op = Op::settle}); return;
    case Kind::evaluate: break;
  }
  if (s.expr.kind == ast::Expr::Kind::call)
    call(s.expr, {}, false);
  else
    context_.report(s.at, "statement has no effect: expected an assignment or a call");
}

void ThreadCompiler::declare(const ast::Statement& s) {
  const std::string& name = s.name.text;
  if (nesting_ > 0)
    return context_.report(s.at, "registers are declared at the top level of a thread");
  const bool twice = std::ranges::find(out_.registers, name) != out_.registers.end();
  if (twice || word_index(context_.out, name))
    context_.report(s.name.at, quoted(name) + " is already declared");
  evaluate(s.expr, static_cast<Register>(out_.registers.size()));
  out_.registers.push_back(name);
}

void ThreadCompiler::assign(const ast::Statement& s) {
  if (word_index(context_.out, s.name.text))
    return context_.report(s.name.at, quoted(s.name.text) + " is shared: write it with store(" +
                                          s.name.text + ", ...)");
  if (const auto reg = find_register(s.name)) evaluate(s.expr, *reg);
}

std::size_t ThreadCompiler::jump_unless(const ast::Expr& condition) {
  return code_.emit({.op = Op::jump_if_zero, .a = evaluate(condition)});
}

void ThreadCompiler::branch(const ast::Statement& s) {
  const std::size_t to_else = jump_unless(s.expr);
  block(s.body, s.at);
  if (s.otherwise.empty()) return code_.bind(to_else);
  const std::size_t to_end = code_.emit({.op = Op::jump});
  code_.bind(to_else);
  block(s.otherwise, s.at);
  code_.bind(to_end);
}

void ThreadCompiler::loop(const ast::Statement& s) {
  const std::size_t head = code_.here() - 1;  // the Op::statement just emitted
  const std::size_t out = jump_unless(s.expr);
  block(s.body, s.at);
  code_.emit_jump(head);
  code_.bind(out);
}

void ThreadCompiler::repeat(const ast::Statement& s) {
  if (!check_range(context_, s.count, 1, kMaxRepeat, "the number of times")) return;
  const auto counter = static_cast<Register>(out_.counter_begin + repeats_++);
  code_.emit({.op = Op::constant, .dst = counter, .value = s.count.value});
  const std::size_t head = code_.here();
  code_.begin_statement(s.at);
  const std::size_t out = code_.emit({.op = Op::jump_if_zero, .a = counter});
  block(s.body, s.at);
  code_.begin_statement(s.at);
  const Register one = constant(1, {});
  code_.emit({.op = Op::subtract, .dst = counter, .a = counter, .b = one});
  code_.emit_jump(head);
  code_.bind(out);
  --repeats_;
}

}  // namespace futexmc::scenario
