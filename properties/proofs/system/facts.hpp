// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engines here (induction.hpp, search.hpp) ask of a transition system over integers.
//
// A system S is a class with
//   kFields, kGuarantees, field_names()
//   template <class D> using State              its `values`: one D::Int for each field
//   template <class D> initial(d)               the initial state
//   template <class D, class Sink> rules(d, from, sink)
//                                               sink(name, Kind, guard, update) for each rule
//   template <class D> facts(d, of)             guarantees and what makes them inductive
//   assumptions(terms)                          on the constants, as a term
//   within_bounds(from, next)                   which steps of numbers a search takes
//   shown_fields(), show(value)                 for the lines of an execution
#pragma once

#include <cstdint>
#include <vector>

#include "properties/proofs/system/domain.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs {

/// `excluded`: what the guarantees say never happens; every other rule must be applied somewhere,
/// or the proof is about too little.
enum class Kind : std::uint8_t { normal, excluded };

/// Something that is true in every state.
template <class D>
struct Fact {
  const char* name;
  typename D::Bool term;
  /// The guarantee whose part it is; the system's kGuarantees for an auxiliary one.
  std::size_t guarantee;
  /// Beside that: a guarantee that means nothing without this fact; kGuarantees for none.
  std::size_t needed_by;
};

}  // namespace futexmc::properties::proofs
