// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the rules of the counting protocol are made with.
#pragma once

#include "properties/proofs/count/fields.hpp"
#include "properties/proofs/count/parameters.hpp"
#include "properties/proofs/system/facts.hpp"

namespace futexmc::properties::proofs::count {

/// The constants that the claims hold for every value of: see assumptions() in theorems.cpp.
template <class D>
struct Constants {
  typename D::Int threads;  ///< lookups and references at a time, at most
  typename D::Int bias;     ///< LONG_MAX
};

template <class D, class Sink>
class RuleMaker {
 public:
  using Int = typename D::Int;
  using Bool = typename D::Bool;
  using Next = State<D>;
  using K = model::Knockout;

  RuleMaker(const D& domain, const Parameters& parameters, const Constants<D>& constants,
            const State<D>& from, Sink& sink)
      : d_(domain), m_(parameters), k_(constants), s_(from), sink_(sink) {}

 protected:
  bool without(K what) const { return m_.without(what); }
  /// A rule's name: a story must not tell of a step that was removed.
  const char* told(K what, const char* whole, const char* less) const {
    return without(what) ? less : whole;
  }
  template <class Update>
  void rule(const char* name, const Bool& guard, Update update) {
    sink_(name, Kind::normal, guard, update);
  }
  template <class Update>
  void never(const char* name, const Bool& guard, Update update) {
    sink_(name, Kind::excluded, guard, update);
  }
  Bool is(Field field, int value) const { return s_[field] == value; }
  Bool dead() const { return is(state, 1) && is(atomic, 0); }

  // What keeps a grace period waiting: every section, unless it was knocked out.
  bool lookup_guarded() const {
    return !without(K::lookup_rcu);
  }
  bool get_guarded() const { return !without(K::lookup_rcu) || !without(K::get_preempt); }

  const D& d_;
  const Parameters& m_;
  const Constants<D>& k_;
  const State<D>& s_;

 private:
  Sink& sink_;
};

}  // namespace futexmc::properties::proofs::count
