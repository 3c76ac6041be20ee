// SPDX-License-Identifier: GPL-2.0-or-later
//
// Statements of litmus tests by the spelling of what they do, for generators.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/proofs/lkmm/litmus.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {

using Code = std::vector<Statement>;

inline Expression number(std::int64_t value) {
  Expression e;
  e.number = value;
  return e;
}
inline Expression name(std::string text) {
  Expression e;
  e.kind = Expression::Kind::name;
  e.name = std::move(text);
  return e;
}
inline Expression load(std::string pointer) {
  Expression e;
  e.kind = Expression::Kind::load;
  e.name = std::move(pointer);
  return e;
}
inline Expression apply(Operator op, Expression a, Expression b) {
  Expression e;
  e.kind = Expression::Kind::apply;
  e.op = op;
  e.arguments = {std::move(a), std::move(b)};
  return e;
}
/// The location, if the function has one, comes first.
inline Expression invoke(std::string_view function, std::vector<Expression> arguments = {}) {
  Expression e;
  e.kind = Expression::Kind::call;
  e.call = find_call(function).value();
  e.arguments = std::move(arguments);
  return e;
}

inline Statement perform(Expression call) {
  Statement s;
  s.value = {std::move(call)};
  return s;
}
inline Statement perform(std::string_view function, std::vector<Expression> arguments = {}) {
  return perform(invoke(function, std::move(arguments)));
}
inline Statement assign(std::string reg, Expression value) {
  Statement s;
  s.kind = Statement::Kind::assign;
  s.name = std::move(reg);
  s.value = {std::move(value)};
  return s;
}
inline Statement store(std::string pointer, Expression value) {
  Statement s;
  s.kind = Statement::Kind::store;
  s.name = std::move(pointer);
  s.value = {std::move(value)};
  return s;
}
inline Statement branch(Expression condition, Code then, Code otherwise = {}) {
  Statement s;
  s.kind = Statement::Kind::branch;
  s.value = {std::move(condition)};
  s.then = std::move(then);
  s.otherwise = std::move(otherwise);
  return s;
}
inline Statement declare(std::string type, std::string reg) {
  Statement s;
  s.kind = Statement::Kind::declare;
  s.type = std::move(type);
  s.name = std::move(reg);
  return s;
}

inline Condition equal(int thread, std::string what, Constant value) {
  Condition c;
  c.kind = Condition::Kind::equal;
  c.thread = thread;
  c.name = std::move(what);
  c.value = std::move(value);
  return c;
}
inline Condition all_of(std::vector<Condition> parts) {
  if (parts.size() == 1) return parts[0];
  Condition c;
  c.kind = Condition::Kind::conjunction;
  c.parts = std::move(parts);
  return c;
}

inline void append(Code& to, Code more) {
  for (Statement& s : more) to.push_back(std::move(s));
}

}  // namespace futexmc::proofs::lkmm::litmus::testing
