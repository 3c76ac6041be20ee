// SPDX-License-Identifier: GPL-2.0-or-later
//
// What holds for the code of every scenario: the invariants of program.hpp on generated programs,
// and expressions against an evaluator that walks the tree.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/scenario/compile.hpp"
#include "model/scenario/print.hpp"
#include "model/scenario/vocabulary.hpp"
#include "tests/scenario/generate.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;

/// Which registers an instruction reads.
std::vector<int> reads(const Instruction& i) {
  switch (i.op) {
    case Op::move: case Op::logical_not: case Op::negate: case Op::jump_if_zero: case Op::store:
    case Op::exchange: case Op::fetch_add: return {i.a};
    case Op::statement: case Op::constant: case Op::jump: case Op::load: case Op::settle:
    case Op::end: return {};
    default: break;
  }
  if (!is_call(i.op)) return {i.a, i.b};
  std::vector<int> registers;
  for (int at = 0; at < i.operands; ++at) registers.push_back(i.operand(at));
  return registers;
}

bool writes(const Instruction& i) {
  const std::set<Op> none{Op::statement, Op::jump,   Op::jump_if_zero,
                          Op::store,     Op::settle, Op::end};
  return !none.contains(i.op);
}

bool is_jump(const Instruction& i) { return i.op == Op::jump || i.op == Op::jump_if_zero; }

/// Follows every path from `at`, with the temporaries written since the last Op::statement.
void check_paths(const Thread& thread, std::size_t at, std::set<int> written,
                 std::set<std::pair<std::size_t, std::set<int>>>& seen) {
  for (; seen.insert({at, written}).second; ++at) {
    const Instruction& i = thread.code[at];
    if (i.op == Op::end) return;
    if (i.op == Op::statement) written.clear();
    for (const int reg : reads(i))
      RC_ASSERT(reg < thread.counter_end || written.contains(reg));
    if (writes(i)) written.insert(i.dst);
    if (is_jump(i)) check_paths(thread, static_cast<std::size_t>(i.value), written, seen);
    if (i.op == Op::jump) return;
  }
}

void check_jump(const Thread& thread, std::size_t at) {
  const std::int64_t target = thread.code[at].value;
  RC_ASSERT(target >= 0 && target < static_cast<std::int64_t>(thread.code.size()));
  const auto to = thread.code.begin() + target;
  if (to->op == Op::statement || to->op == Op::end) return;
  const auto from = thread.code.begin() + static_cast<std::ptrdiff_t>(at);
  RC_ASSERT(from->op == Op::jump_if_zero && to > from);  // a short circuit
  RC_ASSERT(std::none_of(from, to, [](const auto& i) { return i.op == Op::statement; }));
}

RC_GTEST_PROP(ScenarioCode, KeepsTheInvariants, ()) {
  const ast::File tree = testing::draw_file();
  RC_LOG() << print(tree);
  Problems problems;
  const auto scenario = compile(tree, "n", "", problems);
  RC_ASSERT(scenario.has_value());
  for (const Thread& thread : scenario->threads) {
    RC_ASSERT(thread.counter_begin == static_cast<int>(thread.registers.size()));
    RC_ASSERT(thread.counter_begin <= thread.counter_end);
    RC_ASSERT(thread.counter_end <= thread.register_count);
    RC_ASSERT(thread.register_count <= kMaxRegisters);
    RC_ASSERT(thread.code.back().op == Op::end);
    for (std::size_t i = 0; i < thread.code.size(); ++i)
      if (is_jump(thread.code[i])) check_jump(thread, i);
    std::set<std::pair<std::size_t, std::set<int>>> seen;
    check_paths(thread, 0, {}, seen);
  }
}

struct Machine {
  std::map<std::string, std::int64_t> values;  ///< registers and words
  std::vector<std::string> loads;              ///< in order
};

std::int64_t apply(Op op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  switch (op) {
    case Op::add: return static_cast<std::int64_t>(a + b);
    case Op::subtract: return static_cast<std::int64_t>(a - b);
    case Op::multiply: return static_cast<std::int64_t>(a * b);
    case Op::bit_and: return left & right;
    case Op::bit_or: return left | right;
    case Op::bit_xor: return left ^ right;
    case Op::equal: return left == right;
    case Op::not_equal: return left != right;
    case Op::less: return left < right;
    case Op::less_equal: return left <= right;
    case Op::greater: return left > right;
    case Op::greater_equal: return left >= right;
    default: ADD_FAILURE() << "not a binary operator"; return 0;
  }
}

std::int64_t negate(std::int64_t value) { return apply(Op::subtract, 0, value); }

/// The meaning of an expression, straight from the tree.
std::int64_t walk(const Expr& e, Machine& machine) {
  if (e.kind == Expr::Kind::constant) return e.value;
  if (e.kind == Expr::Kind::name) return machine.values[e.name.text];
  if (e.kind == Expr::Kind::call) {
    machine.loads.push_back(e.operands[0].name.text);
    return machine.values[e.operands[0].name.text];
  }
  const std::int64_t left = walk(e.operands[0], machine);
  if (e.kind == Expr::Kind::unary) return e.unary == ast::Unary::negate ? negate(left) : !left;
  if (e.binary == ast::Binary::logical_and) return left && walk(e.operands[1], machine);
  if (e.binary == ast::Binary::logical_or) return left || walk(e.operands[1], machine);
  return apply(operator_of(e.binary).op, left, walk(e.operands[1], machine));
}

/// Runs straight-line code with short circuits.
std::vector<std::int64_t> run(const Scenario& scenario, const Thread& thread, Machine& machine) {
  std::vector<std::int64_t> r(static_cast<std::size_t>(thread.register_count));
  for (std::size_t at = 0; thread.code[at].op != Op::end; ++at) {
    const Instruction& i = thread.code[at];
    const std::string word = i.op == Op::load ? scenario.words[i.object].name : "";
    switch (i.op) {
      case Op::statement: break;
      case Op::constant: r[i.dst] = i.value; break;
      case Op::move: r[i.dst] = r[i.a]; break;
      case Op::logical_not: r[i.dst] = !r[i.a]; break;
      case Op::negate: r[i.dst] = negate(r[i.a]); break;
      case Op::jump_if_zero: if (!r[i.a]) at = static_cast<std::size_t>(i.value) - 1; break;
      case Op::load: machine.loads.push_back(word); r[i.dst] = machine.values[word]; break;
      default: r[i.dst] = apply(i.op, r[i.a], r[i.b]);
    }
  }
  return r;
}

RC_GTEST_PROP(ScenarioCode, ExpressionsMeanWhatTheTreeSays, ()) {
  const Expr e = testing::draw_pure_expression(4, true);
  const std::string text =
      "word f = 3; word g = 0; hash global;"
      "thread w { int a = 2; int b = 0; a = " + print(e) + "; }";
  RC_LOG() << text;
  ast::File file;
  file.words = {{{"f", {}}, {3, {}}, true}, {{"g", {}}, {0, {}}, true}};
  using Kind = ast::Statement::Kind;
  file.threads.push_back({.name = {"w", {}}});
  file.threads[0].body = {
      {.kind = Kind::declare, .name = {"a", {}}, .expr = testing::make_constant(2)},
      {.kind = Kind::declare, .name = {"b", {}}, .expr = testing::make_constant(0)},
      {.kind = Kind::assign, .name = {"a", {}}, .expr = e}};
  Problems problems;
  const auto scenario = compile(file, "n", "", problems);
  RC_ASSERT(scenario.has_value());
  Machine expected{{{"a", 2}, {"b", 0}, {"f", 3}, {"g", 0}}, {}}, got = expected;
  const std::int64_t value = walk(e, expected);
  RC_ASSERT(run(*scenario, scenario->threads[0], got)[0] == value);
  RC_ASSERT(got.loads == expected.loads);
}

}  // namespace
}  // namespace futexmc::scenario
