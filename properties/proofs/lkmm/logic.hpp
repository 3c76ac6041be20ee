// SPDX-License-Identifier: GPL-2.0-or-later
//
// Boolean connectives over z3 that fold what is known at once.
//
// Most of a memory model's relations are known before any solver runs: events of constant,
// different locations never communicate, events of exclusive branches never meet. Folding keeps
// those out of the formula.
//
// Invariants
//  1. A result is equivalent to the plain connective; folding is only ever a matter of speed.
//  2. Nothing here outlives the context given.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include <z3++.h>

namespace futexmc::proofs::lkmm {

class Logic {
 public:
  explicit Logic(z3::context& context) : context_(context) {}

  z3::context& context() const { return context_; }
  z3::expr yes() const { return context_.bool_val(true); }
  z3::expr no() const { return context_.bool_val(false); }

  static bool is_true(const z3::expr& e) { return e.is_true(); }
  static bool is_false(const z3::expr& e) { return e.is_false(); }
  static bool same(const z3::expr& a, const z3::expr& b) { return z3::eq(a, b); }

  /// a and b. Sees contradictions only between constants and between a and its own negation.
  z3::expr both(const z3::expr& a, const z3::expr& b) const;
  z3::expr either(const z3::expr& a, const z3::expr& b) const;
  z3::expr any(const std::vector<z3::expr>& of) const;
  z3::expr negation(const z3::expr& a) const;
  /// a = b; constants are compared here.
  z3::expr equal(const z3::expr& a, const z3::expr& b) const;

  /// a and b for guards, which are conjunctions: repeated conjuncts are dropped, and the result is
  /// false if one conjunct denies another (p and not p, x = 1 and x = 2). Cached.
  z3::expr guards(const z3::expr& a, const z3::expr& b);

 private:
  using Key = std::pair<unsigned, unsigned>;

  bool contradict(const z3::expr& a, const z3::expr& b) const;
  z3::expr conjunction(const z3::expr& a, const z3::expr& b) const;

  z3::context& context_;
  std::map<Key, z3::expr> cache_;
  z3::expr_vector kept_{context_};  ///< keeps the numbers of cached guards from being reused
};

}  // namespace futexmc::proofs::lkmm
