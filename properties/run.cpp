// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <new>

#include "checker/livelock.hpp"
#include "checker/minimize.hpp"
#include "checker/replay.hpp"
#include "properties/futex_program.hpp"
#include "properties/property.hpp"

namespace futexmc::properties {
namespace {

using checker::Finding;
using checker::Options;
using checker::Trace;
using Clock = std::chrono::steady_clock;

checker::Result search(FutexProgram& program, const RunOptions& options,
                       std::optional<checker::Sampled>& sampled) {
  try {
    if (options.sample) {
      checker::SampleResult found = checker::sample(program, options.search, *options.sample);
      sampled = std::move(found.sampled);
      return std::move(found.result);
    }
    return options.breadth_first ? checker::breadth_first(program, options.search)
                                 : checker::depth_first(program, options.search);
  } catch (const std::bad_alloc&) {  // the machine's memory, not the limit's
    checker::Result result;
    result.limit = checker::Limit::memory;
    return result;
  }
}

/// Adds what a second search finds to a first one that was complete.
void look_for_livelocks(FutexProgram& program, Options options, checker::Result& result) {
  const bool stopped = options.stop_at_first && !result.findings.empty();
  if (!result.complete() || stopped) return;
  const auto start = Clock::now();
  options.max_seconds -= result.seconds;
  checker::Livelocks livelocks = checker::find_livelocks(program, options);
  result.limit = livelocks.limit;
  if (livelocks.limit == checker::Limit::model) result.bound = "a bound of the model";
  for (checker::Livelock& livelock : livelocks.found) {
    result.findings.push_back(
        {checker::kProgress, std::move(livelock.message), std::move(livelock.path)});
  }
  result.seconds += std::chrono::duration<double>(Clock::now() - start).count();
}

/// The property's findings, those with the shortest path first.
std::vector<const Finding*> findings_of(const checker::Result& result, const std::string& id) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : result.findings) {
    if (finding.property == id) findings.push_back(&finding);
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding* a, const Finding* b) {
    return a->path.size() < b->path.size();
  });
  return findings;
}

std::uint64_t first_run(const ScenarioReport& report, const std::string& id) {
  const std::vector<Finding>& findings = report.result.findings;
  const auto at = std::find_if(findings.begin(), findings.end(),
                               [&](const Finding& finding) { return finding.property == id; });
  return report.sampled->found_in[static_cast<std::size_t>(at - findings.begin())];
}

bool cheaper(const Trace& a, const Trace& b) {
  const auto key = [](const checker::TraceCost& cost) {
    return std::array{cost.threads, cost.switches, cost.events, cost.operations};
  };
  return key(a.cost) < key(b.cost);
}

/// A property may be violated in several ways: the way that makes the best story, of those that
/// can be minimised in time.
void tell(Violation& violation, const std::vector<const Finding*>& findings,
          const scenario::Scenario& scenario, const model::Variant& variant,
          const RunOptions& options, bool movers) {
  const auto start = Clock::now();
  Options limits = options.search;
  limits.movers = movers;
  limits.max_states = ~0ULL;
  limits.progress = nullptr;
  for (const Finding* const finding : findings) {
    const std::chrono::duration<double> spent = Clock::now() - start;
    limits.max_seconds = std::max(0.1, options.minimize_seconds - spent.count());
    std::optional<Trace> trace = minimized_trace(scenario, variant, *finding, limits);
    if (trace && (!violation.trace || cheaper(*trace, *violation.trace))) {
      violation.message = finding->message;
      violation.trace = std::move(trace);
    }
    const std::chrono::duration<double> now = Clock::now() - start;
    if (now.count() > options.minimize_seconds) break;
  }
}

}  // namespace

const Violation* ScenarioReport::find(std::string_view property) const {
  const auto it = std::find_if(violations.begin(), violations.end(), [&](const Violation& one) {
    return one.property == property;
  });
  return it == violations.end() ? nullptr : &*it;
}

nlohmann::ordered_json trace_subject(const scenario::Scenario& scenario,
                                     const model::Variant& variant) {
  nlohmann::ordered_json subject = {
      {"scenario", scenario.name},      {"text", scenario.text},
      {"kernel", variant.kernel},       {"patches", variant.patches},
      {"knockouts", variant.knockouts}, {"model", kModelVersion}};
  if (variant.memory != checker::Memory::sc) subject["memory"] = to_string(variant.memory);
  return subject;
}

std::optional<Trace> minimized_trace(const scenario::Scenario& scenario,
                                     const model::Variant& variant, const Finding& finding,
                                     const Options& options) {
  FutexProgram program(scenario, variant);
  program.look_for_shown(finding.property, finding.message);
  const checker::Minimized best = checker::minimize(program, finding, options);
  if (!best.shown) return std::nullopt;
  checker::Path operations =
      best.movers ? checker::to_operations(program, best.path) : best.path;
  Trace trace = checker::make_trace(program, operations, finding.property, finding.message);
  // What follows the violation in its transaction is no part of the story.
  const std::size_t shown = checker::replay(program, trace).at;
  if (shown < operations.size()) {
    operations.resize(shown);
    trace = checker::make_trace(program, operations, finding.property, finding.message);
  }
  trace.subject = trace_subject(scenario, variant);
  trace.minimal = best.minimal ? checker::Minimal::proved : checker::Minimal::reduced;
  return trace;
}

namespace {

/// What one check has to do besides its search of everything but races.
enum class Races : std::uint8_t { no, within, apart };

Races races_of(const RunOptions& options) {
  const bool asked = options.properties.contains("race");
  if (asked && (options.sample || options.properties.size() == 1)) return Races::within;
  return options.properties.empty() || asked ? Races::apart : Races::no;
}

bool has_small_search(const RunOptions& options, const checker::Result& result) {
  if (options.properties.contains("race")) return true;
  return !options.sample && result.complete() &&
         result.states <= options.max_states_for_races;
}

bool uses_movers(const RunOptions& options, const FutexProgram& program,
                 const checker::Result& result) {
  return options.search.movers && result.reduction_off.empty() && program.reduces();
}

void add_violation(ScenarioReport& report, const std::string& id, const checker::Result& result,
                   const scenario::Scenario& scenario, const model::Variant& variant,
                   const RunOptions& options, bool movers) {
  const auto findings = findings_of(result, id);
  if (findings.empty()) return;
  Violation violation;
  violation.property = id;
  violation.message = findings.front()->message;
  violation.steps = findings.front()->path.size();
  violation.messages = findings.size();
  if (report.sampled) violation.run = first_run(report, id);
  if (options.minimize) tell(violation, findings, scenario, variant, options, movers);
  report.violations.push_back(std::move(violation));
}

/// Whether nothing in any state could have violated the property.
bool is_vacuous(const FutexProgram& program, const checker::Result& result,
                const std::string& id) {
  // Of executions that never end a final condition says nothing.
  const bool final_only = id == "lost-wakeup" || id == "deadlock" || id == "condition";
  const bool looked = id == checker::kProgress ||
                      (program.meaningful().contains(id) && (!final_only || result.finals != 0));
  return !looked && !result.violated(id);
}

/// Nobody has looked for races. Whoever asked for it must not read *holds*.
void skip_races(const RunOptions& options, ScenarioReport& report) {
  report.skipped.emplace_back("race");
  if (!options.properties.contains("race") || !report.result.complete()) return;
  report.result.limit = checker::Limit::model;
  report.result.bound = "races where threads share a CPU or migrate, or have store buffers";
}

/// The search for races, where it is one of its own.
void search_for_races(const scenario::Scenario& scenario, const model::Variant& variant,
                      const RunOptions& options, ScenarioReport& report) {
  FutexProgram program(scenario, variant);
  program.select({"race"});
  program.look_for_races();
  std::optional<checker::Sampled> none;
  const checker::Result races = search(program, options, none);
  report.race_states = races.states;
  report.race_seconds = races.seconds;
  if (!races.complete() && report.result.complete()) {
    report.result.limit = races.limit;
    report.result.bound = races.bound;
  }
  if (is_vacuous(program, races, "race")) report.vacuous.emplace_back("race");
  add_violation(report, "race", races, scenario, variant, options,
                uses_movers(options, program, races));
}

}  // namespace

ScenarioReport run_scenario(const scenario::Scenario& scenario, const model::Variant& variant,
                            const RunOptions& options) {
  const Races races = FutexProgram::can_race(scenario, variant) ? races_of(options) : Races::no;
  FutexProgram program(scenario, variant);
  program.select(options.properties);
  if (races == Races::within) program.look_for_races();
  ScenarioReport report;
  report.scenario = scenario.name;
  report.kernel = variant.kernel;
  report.patches = variant.patches;
  report.knockouts = variant.knockouts;
  report.result = search(program, options, report.sampled);
  const bool progress = options.properties.contains(checker::kProgress) && !options.sample;
  if (progress) look_for_livelocks(program, options.search, report.result);

  for (const Property* const one : listed()) {
    const Property& property = *one;
    if (!program.checks(property.id)) continue;
    if (property.id == "race" && races != Races::within) {
      const bool now = races == Races::apart && has_small_search(options, report.result);
      if (now) search_for_races(scenario, variant, options, report);
      else skip_races(options, report);
      continue;
    }
    if (is_vacuous(program, report.result, property.id)) report.vacuous.push_back(property.id);
    add_violation(report, property.id, report.result, scenario, variant, options,
                  uses_movers(options, program, report.result));
  }
  if (!report.violations.empty()) {
    report.verdict = Verdict::violated;
  } else if (report.result.complete()) {
    report.verdict = Verdict::holds;
  }
  return report;
}

const char* to_string(checker::Memory memory) {
  return memory == checker::Memory::sc ? "sc" : "tso";
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::violated: return "violated";
    case Verdict::inconclusive: return "inconclusive";
  }
  return "inconclusive";
}

const char* to_string(checker::Limit limit) {
  switch (limit) {
    case checker::Limit::none: return "none";
    case checker::Limit::states: return "states";
    case checker::Limit::time: return "time";
    case checker::Limit::memory: return "memory";
    case checker::Limit::interrupted: return "interrupted";
    case checker::Limit::model: return "model";
    case checker::Limit::sampled: return "sampled";
  }
  return "none";
}

}  // namespace futexmc::properties
