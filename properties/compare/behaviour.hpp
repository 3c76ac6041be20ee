// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a scenario does on a variant, as a set: the outcomes of its final states, the operations
// that it reaches, the properties that it violates. And how two such sets differ, with a trace for
// each difference.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/search.hpp"
#include "checker/trace.hpp"
#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"

namespace futexmc::properties {

/// `violation`: a way in which a property is violated.
enum class BehaviourKind : std::uint8_t { property, violation, outcome, operation };
inline constexpr BehaviourKind kBehaviourKinds[] = {
    BehaviourKind::property, BehaviourKind::violation, BehaviourKind::outcome,
    BehaviourKind::operation};

struct Behaviour {
  BehaviourKind kind = BehaviourKind::outcome;
  /// A property's id, "id: message", an outcome, an operation's name.
  std::string what;
  auto operator<=>(const Behaviour&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
};
using Behaviours = std::set<Behaviour>;

struct Observed {
  Behaviours behaviours;
  checker::Limit limit = checker::Limit::none;  ///< what cut the search; then some may be missing
  std::string bound;                            ///< with Limit::model
  std::uint64_t states = 0;
  bool complete() const { return limit == checker::Limit::none; }
};

struct Difference {
  Behaviour behaviour;
  std::optional<checker::Trace> witness;  ///< an execution that shows it, if one was found
};

/// How a scenario's behaviours differ between two variants.
struct Comparison {
  Observed before;
  Observed after;
  std::vector<Difference> gained;  ///< after shows them, before does not; in order of Behaviour
  std::vector<Difference> lost;
  bool conclusive() const { return before.complete() && after.complete(); }
  bool same() const { return conclusive() && gained.empty() && lost.empty(); }
};

/// The differences that are certain: that a variant lacks a behaviour only a complete search says.
/// Ways of a violation count where both variants violate the property; else the property says it.
Comparison compare_sets(Observed before, Observed after);

Observed observe(const scenario::Scenario& scenario, const model::Variant& variant,
                 const checker::Options& options);

/// Observes both and finds the witnesses. Deterministic as far as no limit of time or memory cuts
/// a search.
Comparison compare(const scenario::Scenario& scenario, const model::Variant& before,
                   const model::Variant& after, const checker::Options& options);

/// "property", "violation", "outcome", "operation".
const char* to_string(BehaviourKind kind);

}  // namespace futexmc::properties
