// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/compare/behaviour.hpp"

#include <algorithm>
#include <new>

#include "properties/futex_program.hpp"
#include "properties/run.hpp"

namespace futexmc::properties {
namespace {

/// The minimiser's share, in states rather than seconds: an answer must not depend on the machine.
constexpr std::uint64_t kMinimizeStates = 3000;
/// Most operations are reached within so many states, breadth first.
constexpr std::uint64_t kFirstStates = 10'000;

checker::Result search(checker::Program& program, const checker::Options& options,
                       checker::Result (*how)(checker::Program&, const checker::Options&)) {
  try {
    return how(program, options);
  } catch (const std::bad_alloc&) {  // the machine's memory, not the limit's
    checker::Result result;
    result.limit = checker::Limit::memory;
    return result;
  }
}

std::string way_of(const checker::Finding& finding) {
  return finding.property + ": " + finding.message;
}

/// Of a violation: the property.
Behaviour property_of(const Behaviour& violation) {
  return {BehaviourKind::property, violation.what.substr(0, violation.what.find(':'))};
}

std::vector<Difference> missing_in(const Behaviours& other, const Behaviours& from) {
  std::vector<Difference> differences;
  for (const Behaviour& behaviour : from) {
    const bool said = behaviour.kind == BehaviourKind::violation &&
                      !other.contains(property_of(behaviour));
    if (!said && !other.contains(behaviour)) differences.push_back({behaviour, std::nullopt});
  }
  return differences;
}

bool shows(const checker::Finding& finding, const Behaviour& behaviour) {
  if (behaviour.kind == BehaviourKind::property) return finding.property == behaviour.what;
  if (behaviour.kind == BehaviourKind::violation) return way_of(finding) == behaviour.what;
  return finding.property == to_string(behaviour.kind) && finding.message == behaviour.what;
}

/// The finding that shows it with the fewest transitions, null if none does.
const checker::Finding* shown_by(const checker::Result& found, const Behaviour& behaviour) {
  const auto finding = std::find_if(
      found.findings.begin(), found.findings.end(),
      [&](const checker::Finding& candidate) { return shows(candidate, behaviour); });
  return finding == found.findings.end() ? nullptr : &*finding;
}

/// Searches for all of `differences`, which the variant shows.
checker::Result search_for(const std::vector<Difference>& differences,
                           const scenario::Scenario& scenario, const model::Variant& variant,
                           const checker::Options& options) {
  std::set<std::string> outcomes;
  std::set<std::string> operations;
  for (const Difference& one : differences) {
    if (one.behaviour.kind == BehaviourKind::outcome) outcomes.insert(one.behaviour.what);
    if (one.behaviour.kind == BehaviourKind::operation) operations.insert(one.behaviour.what);
  }
  FutexProgram program(scenario, variant);
  program.look_for(outcomes, operations);
  checker::Options few = options;
  few.max_states = std::min(options.max_states, kFirstStates);
  checker::Result found = search(program, few, &checker::breadth_first);
  const bool enough = std::all_of(
      differences.begin(), differences.end(),
      [&](const Difference& one) { return shown_by(found, one.behaviour) != nullptr; });
  return enough ? found : search(program, options, &checker::breadth_first);
}

void find_witnesses(std::vector<Difference>& differences, const scenario::Scenario& scenario,
                    const model::Variant& variant, const checker::Options& options) {
  if (differences.empty()) return;
  const checker::Result found = search_for(differences, scenario, variant, options);
  checker::Options limits = options;
  limits.max_states = kMinimizeStates;
  limits.movers = options.movers && found.reduction_off.empty();
  for (Difference& one : differences) {
    const checker::Finding* const finding = shown_by(found, one.behaviour);
    if (finding != nullptr) one.witness = minimized_trace(scenario, variant, *finding, limits);
  }
}

}  // namespace

Comparison compare_sets(Observed before, Observed after) {
  Comparison comparison;
  if (before.complete()) comparison.gained = missing_in(before.behaviours, after.behaviours);
  if (after.complete()) comparison.lost = missing_in(after.behaviours, before.behaviours);
  comparison.before = std::move(before);
  comparison.after = std::move(after);
  return comparison;
}

Observed observe(const scenario::Scenario& scenario, const model::Variant& variant,
                 const checker::Options& options) {
  FutexProgram program(scenario, variant);
  checker::Coverage coverage;
  checker::Options used = options;
  used.outcomes = true;
  used.coverage = &coverage;
  const checker::Result result = search(program, used, &checker::depth_first);
  Observed observed;
  observed.limit = result.limit;
  observed.bound = result.bound;
  observed.states = result.states;
  for (const checker::Finding& finding : result.findings) {
    observed.behaviours.insert({BehaviourKind::property, finding.property});
    observed.behaviours.insert({BehaviourKind::violation, way_of(finding)});
  }
  for (const std::string& outcome : result.outcomes) {
    observed.behaviours.insert({BehaviourKind::outcome, outcome});
  }
  for (const std::string& name : coverage.names()) {
    observed.behaviours.insert({BehaviourKind::operation, name});
  }
  return observed;
}

Comparison compare(const scenario::Scenario& scenario, const model::Variant& before,
                   const model::Variant& after, const checker::Options& options) {
  Comparison comparison =
      compare_sets(observe(scenario, before, options), observe(scenario, after, options));
  find_witnesses(comparison.gained, scenario, after, options);
  find_witnesses(comparison.lost, scenario, before, options);
  return comparison;
}

const char* to_string(BehaviourKind kind) {
  switch (kind) {
    case BehaviourKind::property: return "property";
    case BehaviourKind::violation: return "violation";
    case BehaviourKind::outcome: return kOutcome;
    case BehaviourKind::operation: return kOperation;
  }
  return "";
}

}  // namespace futexmc::properties
