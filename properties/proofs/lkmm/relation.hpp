// SPDX-License-Identifier: GPL-2.0-or-later
//
// Relations between events as sparse matrices of formulas, and their algebra.
//
// The orders of a memory model only grow: more communication never takes an ordering away, and the
// axioms only forbid. So a derived relation need not be described exactly. Each pair that has more
// than one reason gets a variable that each reason implies, and a solver is free to keep it at the
// least solution. This makes closures cheap: their variables are closed under the rules.
//
// Invariants
//  1. A pair absent from a relation is in no execution; a pair whose formula is `true` is in every.
//  2. What an operation returns contains the relation it is named after in every assignment that
//     satisfies the solver's assertions, and some assignment makes the two equal.
//  3. So results may be used where more pairs only forbid more: on the left of a difference, in a
//     union, composed, forbidden, or negated in what is asked for; never asked for as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <z3++.h>

#include "properties/proofs/lkmm/logic.hpp"

namespace futexmc::proofs::lkmm {

/// For each event the condition under which it is in the set.
using Set = std::vector<z3::expr>;

class Relation {
 public:
  explicit Relation(std::size_t size) : rows_(size) {}

  std::size_t size() const { return rows_.size(); }
  /// Null if the pair is in no execution.
  const z3::expr* at(std::size_t from, std::size_t to) const;
  const std::map<std::size_t, z3::expr>& row(std::size_t from) const { return rows_[from]; }
  /// Replaces the pair's condition; one that is `false` removes it.
  void set(std::size_t from, std::size_t to, const z3::expr& when);
  bool empty() const;
  std::size_t pairs() const;

  void each(const std::function<void(std::size_t, std::size_t, const z3::expr&)>& visit) const;

 private:
  std::vector<std::map<std::size_t, z3::expr>> rows_;
};

/// Derives relations and tells the solver their rules.
class Algebra {
 public:
  /// Says what must hold; called with clauses.
  using Sink = std::function<void(const z3::expr&)>;

  Algebra(const Logic& logic, std::size_t size, Sink sink)
      : logic_(logic), size_(size), sink_(std::move(sink)) {}

  std::size_t variables() const { return variables_; }

  Relation none() const { return Relation(size_); }
  Relation unite(const std::vector<const Relation*>& parts);
  template <class... Parts>
  Relation unite(const Parts&... parts) {
    return unite(std::vector<const Relation*>{&parts...});
  }

  /// first ; second
  Relation then(const Relation& first, const Relation& second);
  template <class... More>
  Relation then(const Relation& first, const Relation& second, const More&... more) {
    return then(then(first, second), more...);
  }

  /// [from] ; relation ; [to]
  Relation within(const Set& from, const Relation& relation, const Set& to) const;
  Relation from(const Set& set, const Relation& relation) const;
  Relation to(const Relation& relation, const Set& set) const;
  Relation identity(const Set& set) const;
  Relation inverse(const Relation& relation) const;
  /// The pairs that `keep` keeps, whatever the execution.
  Relation only(const Relation& relation,
                const std::function<bool(std::size_t, std::size_t)>& keep) const;
  Relation meet(const Relation& a, const Relation& b) const;
  /// a \ b. Exact as far as `b` is.
  Relation minus(const Relation& a, const Relation& b) const;
  /// relation?, over all events.
  Relation maybe(const Relation& relation) const;
  /// One or more steps of `relation`.
  Relation plus(const Relation& relation);
  /// Zero or more steps.
  Relation star(const Relation& relation) { return maybe(plus(relation)); }

  /// A formula that each of `ways` implies, and that can be false if none holds.
  z3::expr merge(const std::vector<z3::expr>& ways);

 private:
  z3::expr variable();

  const Logic& logic_;
  std::size_t size_;
  Sink sink_;
  std::size_t variables_ = 0;
};

}  // namespace futexmc::proofs::lkmm
