// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces of a litmus test's syntax, made in one call.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/proofs/lkmm/litmus.hpp"

namespace futexmc::proofs::lkmm::litmus {

inline Expression number_of(std::int64_t value) {
  Expression made;
  made.number = value;
  return made;
}

inline Expression name_of(std::string name) {
  Expression made;
  made.kind = Expression::Kind::name;
  made.name = std::move(name);
  return made;
}

inline Expression apply(Operator op, Expression a, Expression b) {
  Expression made;
  made.kind = Expression::Kind::apply;
  made.op = op;
  made.arguments = {std::move(a), std::move(b)};
  return made;
}

/// A call on a location, or on none.
inline Expression call(std::string_view function, Order order, const std::string& place,
                       const std::vector<std::int64_t>& values = {}) {
  Expression made;
  made.kind = Expression::Kind::call;
  made.call = call(function, order);
  if (!place.empty()) made.arguments.push_back(name_of(place));
  for (const std::int64_t value : values) made.arguments.push_back(number_of(value));
  return made;
}

inline Statement perform(Expression value) {
  Statement made;
  made.value = {std::move(value)};
  return made;
}

inline Statement assign(std::string name, Expression value) {
  Statement made = perform(std::move(value));
  made.kind = Statement::Kind::assign;
  made.name = std::move(name);
  return made;
}

inline std::string_view name_of(Fence fence) {
  for (const Function& function : functions()) {
    if (function.action == Action::fence && function.fence == fence) return function.name;
  }
  throw std::runtime_error("a fence without a name");
}

inline Condition equality(int thread, const std::string& name, std::int64_t value) {
  Condition made;
  made.kind = Condition::Kind::equal;
  made.thread = thread;
  made.name = name;
  made.value = value;
  return made;
}

inline Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Condition made;
  made.kind = kind;
  made.parts = std::move(parts);
  return made;
}

}  // namespace futexmc::proofs::lkmm::litmus
