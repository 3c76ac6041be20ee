// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a transition system can be made of: numbers, to run it, or terms of the solver, to reason
// about every run at once. The system is written once, as templates over one of these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <z3++.h>

namespace futexmc::properties::proofs {

struct Numbers {
  using Int = long;
  using Bool = bool;
  template <std::size_t n>
  using Row = std::array<long, n>;
  Int number(long value) const { return value; }
  Bool truth(bool value) const { return value; }
  static Int choose(Bool condition, Int yes, Int no) { return condition ? yes : no; }
  static Bool implies(Bool a, Bool b) { return !a || b; }
  static Bool same(Bool a, Bool b) { return a == b; }
};

/// Terms of one context, which must outlive this and all that it makes.
struct Terms {
  using Int = z3::expr;
  using Bool = z3::expr;
  template <std::size_t n>
  using Row = std::vector<z3::expr>;
  explicit Terms(z3::context& owner) : context(&owner) {}
  Bool truth(bool value) const { return context->bool_val(value); }
  static Int choose(const Bool& condition, const Int& yes, const Int& no) {
    return z3::ite(condition, yes, no);
  }
  static Bool implies(const Bool& a, const Bool& b) { return z3::implies(a, b); }
  static Bool same(const Bool& a, const Bool& b) { return a == b; }
  Int number(long value) const { return context->int_val(static_cast<std::int64_t>(value)); }

  z3::context* context;
};

}  // namespace futexmc::properties::proofs
