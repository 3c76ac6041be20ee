// SPDX-License-Identifier: GPL-2.0-or-later
//
// Relations between the events of one execution as sparse matrices of reasons, and their algebra.
//
// The orders of a memory model only grow: more communication never takes an ordering away, and the
// axioms only forbid. So reasons add up as relations do. Of several for a pair a short one is kept.
//
// Invariants
//  1. A pair is in a relation if and only if the execution has it.
//  2. Its reason is enough for the pair in every execution.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "properties/proofs/lkmm/reasons.hpp"

namespace futexmc::proofs::lkmm {

/// For each event why it is in the set.
using Set = std::vector<Why>;

class Relation {
 public:
  using Row = std::vector<std::pair<std::size_t, Why>>;  ///< by the second event, sorted

  explicit Relation(std::size_t size = 0) : rows_(size) {}

  std::size_t size() const { return rows_.size(); }
  Why at(std::size_t from, std::size_t to) const;
  const Row& row(std::size_t from) const { return rows_[from]; }
  /// Replaces the pair's reason; kNo removes the pair.
  void set(std::size_t from, std::size_t to, Why why);
  void set_row(std::size_t from, Row row) { rows_[from] = std::move(row); }
  bool empty() const;

  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t from = 0; from < rows_.size(); ++from)
      for (const auto& [to, why] : rows_[from]) visit(from, to, why);
  }

 private:
  std::vector<Row> rows_;
};

class Algebra {
 public:
  Algebra(Reasons& reasons, std::size_t size) : reasons_(reasons), size_(size) {}

  Reasons& reasons() const { return reasons_; }

  Relation unite(const std::vector<const Relation*>& parts) const;
  template <class... Parts>
  Relation unite(const Parts&... parts) const {
    return unite(std::vector<const Relation*>{&parts...});
  }

  /// first ; second
  Relation then(const Relation& first, const Relation& second) const;
  template <class... More>
  Relation then(const Relation& first, const Relation& second, const More&... more) const {
    return then(then(first, second), more...);
  }

  /// [from] ; relation ; [to]
  Relation within(const Set& from, const Relation& relation, const Set& to) const;
  Relation from(const Set& set, const Relation& relation) const;
  Relation to(const Relation& relation, const Set& set) const;
  Relation identity(const Set& set) const;
  Relation inverse(const Relation& relation) const;
  /// The pairs that `keep` keeps; it must not ask about the execution.
  Relation only(const Relation& relation,
                const std::function<bool(std::size_t, std::size_t)>& keep) const;
  Relation meet(const Relation& a, const Relation& b) const;
  /// relation?, over all events.
  Relation maybe(const Relation& relation) const;
  /// One or more steps of `relation`.
  Relation plus(const Relation& relation) const;
  /// Zero or more steps.
  Relation star(const Relation& relation) const { return maybe(plus(relation)); }

 private:
  Reasons& reasons_;
  std::size_t size_;
};

}  // namespace futexmc::proofs::lkmm
