// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/scenario/generate.hpp"

#include <rapidcheck.h>

#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario::testing {
namespace {

using ast::Expr;
using ast::Option;
using ast::Statement;

/// A number in [0, count), smaller when shrunk.
int pick(int count) { return *rc::gen::inRange(0, count); }
bool flip() { return pick(2) == 1; }

template <class T>
T pick_of(std::initializer_list<T> list) {
  return list.begin()[pick(static_cast<int>(list.size()))];
}

Expr draw_expression(int depth);

Expr draw_leaf() {
  switch (pick(5)) {
    case 0: return make_constant(pick(10));
    case 1: return make_constant(*rc::gen::inRange<std::int64_t>(0, 0x100000000));
    case 2: {
      Expr named = make_constant(11);
      named.name.text = pick_of<const char*>({"EAGAIN", "EWOULDBLOCK"});
      return named;
    }
    default: return make_name(pick_of<const char*>({"a", "b"}));
  }
}

ast::Unary draw_unary() { return pick_of({ast::Unary::negate, ast::Unary::logical_not}); }
ast::Binary draw_binary() { return static_cast<ast::Binary>(pick(14)); }

std::vector<Option> draw_options(bool timeout) {
  std::vector<Option> options;
  if (timeout && flip())
    options.push_back({.kind = Option::Kind::timeout, .number = {pick(2), {}}});
  if (flip())
    options.push_back({.kind = Option::Kind::bitset,
                       .number = {*rc::gen::inRange<std::int64_t>(0, 0x100000000), {}}});
  if (flip()) options.push_back({.kind = Option::Kind::shared});
  return options;
}

std::vector<Option> draw_order(std::initializer_list<UserOrder> allowed) {
  if (flip()) return {};
  return {{.kind = Option::Kind::order, .order = pick_of(allowed)}};
}

std::vector<Option> draw_shared() {
  if (flip()) return {};
  return {{.kind = Option::Kind::shared}};
}

/// Of two pairs.
std::vector<Option> draw_pair_options() {
  std::vector<Option> options;
  for (const std::uint8_t after : {std::uint8_t{2}, std::uint8_t{4}}) {
    if (flip()) options.push_back({.kind = Option::Kind::shared, .after = after});
    if (flip())
      options.push_back({.kind = Option::Kind::flags, .number = {pick(0x10000) & ~0xc, {}},
                         .after = after});
  }
  if (flip()) options.push_back({.kind = Option::Kind::timeout, .after = 4});
  return options;
}

Expr draw_operator() {
  const Expr name = make_name(pick_of<const char*>({"set", "add", "or", "andn", "xor"}));
  if (flip()) return name;
  return make_binary(ast::Binary::bit_or, name, make_name("shift"));
}

Expr draw_call(int depth) {
  using enum UserOrder;
  const Expr shared = make_name(pick_of<const char*>({"f", "g", "done"}));
  const Expr futex = make_name(pick_of<const char*>({"f", "g"}));
  const Expr other = make_name(pick_of<const char*>({"f", "g"}));
  const auto value = [&] { return draw_expression(depth - 1); };
  const auto any = [] { return draw_order({relaxed, acquire, release, full}); };
  const auto zero = [] { return make_constant(pick(2)); };
  switch (pick(12)) {
    case 0: return make_call("load", {shared}, draw_order({relaxed, acquire, full}));
    case 1: return make_call("xchg", {shared, value()}, any());
    case 2: return make_call("cmpxchg", {shared, value(), value()}, any());
    case 3: return make_call("fetch_add", {shared, value()}, any());
    case 4: return make_call("futex_wait", {futex, value()}, draw_options(true));
    case 5: return make_call("futex_wake", {futex, value()}, draw_options(false));
    case 6: return make_call("SET_SLOTS", {value()});
    case 7: return make_call("futex_requeue", {futex, value(), zero(), other}, draw_shared());
    case 8:
      return make_call("futex_cmp_requeue", {futex, value(), zero(), other, value()},
                       draw_shared());
    case 9:
      return make_call("futex_wake_op", {futex, zero(), value(), other, draw_operator(),
                                         make_constant(pick(4096)),
                                         make_name(pick_of<const char*>({"eq", "lt", "ge"})),
                                         make_unary(ast::Unary::negate, make_constant(pick(2049)))},
                       draw_shared());
    case 10: return make_call("futex_waitv", {futex, value(), other, zero()}, draw_pair_options());
    default: return make_call("GET_SLOTS", {});
  }
}

Expr draw_expression(int depth) {
  if (depth <= 0) return draw_leaf();
  switch (pick(4)) {
    case 0: return draw_leaf();
    case 1: return make_unary(draw_unary(), draw_expression(depth - 1));
    case 2: return draw_call(depth);
    default:
      return make_binary(draw_binary(), draw_expression(depth - 1), draw_expression(depth - 1));
  }
}

std::vector<Statement> draw_block(int depth);

Statement draw_statement(int depth) {
  using Kind = Statement::Kind;
  Statement s{.kind = static_cast<Kind>(pick(depth > 0 ? 6 : 3) + 1)};
  if (depth <= 0 && s.kind == Kind::branch) s.kind = Kind::settle;
  switch (s.kind) {
    case Kind::assign:
      s.name.text = pick_of<const char*>({"a", "b"});
      s.expr = draw_expression(2);
      break;
    case Kind::evaluate:
      s.expr = flip() ? draw_call(2)
                      : make_call("store", {make_name("done"), draw_expression(1)},
                                  draw_order({UserOrder::relaxed, UserOrder::release}));
      break;
    case Kind::branch:
      s.expr = draw_expression(2);
      s.otherwise = draw_block(depth - 1);
      s.body = draw_block(depth - 1);
      break;
    case Kind::loop:
      s.expr = draw_expression(2);
      s.body = draw_block(depth - 1);
      break;
    case Kind::repeat:
      s.count.value = pick(1000) + 1;
      s.body = draw_block(depth - 1);
      break;
    default: break;
  }
  return s;
}

std::vector<Statement> draw_block(int depth) {
  std::vector<Statement> block;
  for (int n = pick(4); n > 0; --n) block.push_back(draw_statement(depth));
  return block;
}

ast::Thread draw_thread(std::string name) {
  ast::Thread thread;
  thread.name.text = std::move(name);
  thread.may_sleep = flip();
  if (flip()) thread.cpu = ast::Constant{0, {}};
  for (const char* reg : {"a", "b"})
    thread.body.push_back({.kind = Statement::Kind::declare,
                           .name = {reg, {}},
                           .expr = make_constant(pick(3))});
  for (Statement& s : draw_block(3)) thread.body.push_back(std::move(s));
  return thread;
}

Expr draw_condition(int depth) {
  if (depth > 0 && flip()) {
    if (pick(3) == 0) return make_unary(draw_unary(), draw_condition(depth - 1));
    return make_binary(draw_binary(), draw_condition(depth - 1), draw_condition(depth - 1));
  }
  const Expr thread = make_name(pick_of<const char*>({"first", "second"}));
  switch (pick(6)) {
    case 0: return make_call("asleep", {thread});
    case 1: return make_call("finished", {thread});
    case 2: return make_call("slots", {});
    case 3: return make_name(pick_of<const char*>({"f", "g", "done"}));
    case 4: return make_constant(pick(100));
    default: break;
  }
  Expr member = thread;
  member.kind = Expr::Kind::member;
  member.member.text = pick_of<const char*>({"a", "b"});
  return member;
}

}  // namespace

Expr make_constant(std::int64_t value) { return {.kind = Expr::Kind::constant, .value = value}; }

Expr make_name(std::string name) {
  return {.kind = Expr::Kind::name, .name = {std::move(name), {}}};
}

Expr make_unary(ast::Unary unary, Expr operand) {
  return {.kind = Expr::Kind::unary, .unary = unary, .operands = {std::move(operand)}};
}

Expr make_binary(ast::Binary binary, Expr left, Expr right) {
  return {.kind = Expr::Kind::binary,
          .binary = binary,
          .operands = {std::move(left), std::move(right)}};
}

Expr make_call(std::string name, std::vector<Expr> operands, std::vector<Option> options) {
  return {.kind = Expr::Kind::call,
          .name = {std::move(name), {}},
          .operands = std::move(operands),
          .options = std::move(options)};
}

Expr draw_pure_expression(int depth, bool loads) {
  if (depth > 0 && pick(5) > 0) {
    if (pick(4) == 0) return make_unary(draw_unary(), draw_pure_expression(depth - 1, loads));
    return make_binary(draw_binary(), draw_pure_expression(depth - 1, loads),
                       draw_pure_expression(depth - 1, loads));
  }
  if (!loads || flip()) return draw_leaf();
  return make_call("load", {make_name(pick_of<const char*>({"f", "g"}))});
}

ast::File draw_file() {
  ast::File file;
  if (flip()) file.title = "A title, with // no comment";
  file.words = {{{"f", {}}, {pick(3), {}}, true},
                {{"g", {}}, {*rc::gen::inRange<std::int64_t>(0, 0x100000000), {}}, true},
                {{"done", {}}, {0, {}}, false},
                {{"odd", {}}, {0, {}}, true, static_cast<Mapping>(pick(3))}};
  const bool global = flip();
  file.hash = ast::Hash{global ? Hash::Kind::global : Hash::Kind::private_,
                        {global ? 0 : 2 << pick(3), {}}};
  if (flip()) file.cpus = ast::Constant{pick(kMaxCpus) + 1, {}};
  if (flip()) file.scheduling = ast::Scheduling{flip()};
  if (flip()) file.signals = ast::Signals{static_cast<Signals>(pick(3))};
  if (flip()) file.sizing = {{{"maximum", {}}, {8, {}}}, {{"per_thread", {}}, {3, {}}}};
  if (flip()) file.collisions = {{{"f", {}}, {"g", {}}}};
  for (const char* budget : {"spurious", "signal", "fault", "migrate", "alloc_fail", "reuse"})
    if (flip()) file.budgets.push_back({{budget, {}}, {pick(5), {}}});
  file.threads = {draw_thread("first"), draw_thread("second")};
  for (int n = pick(4); n > 0; --n)
    file.conditions.push_back({static_cast<Condition::Kind>(pick(3)), draw_condition(3), {}});
  return file;
}

}  // namespace futexmc::scenario::testing
