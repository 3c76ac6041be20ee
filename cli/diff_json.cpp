// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <variant>

#include "checker/assert.hpp"
#include "cli/diff_report.hpp"
#include "cli/exit_codes.hpp"
#include "cli/report.hpp"
#include "properties/compare/sentences.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {
namespace {

using checker::Limit;
using properties::BehaviourKind;
using properties::Comparison;
using properties::Difference;
using properties::Observed;

Json limit_json(Limit limit) {
  return limit == Limit::none ? Json() : Json(properties::to_string(limit));
}

Json observed_json(const Observed& observed) {
  return {{"states", observed.states},
          {"limit", limit_json(observed.limit)},
          {"bound", observed.bound.empty() ? Json() : Json(observed.bound)}};
}

Limit limit_from(const Json& json) {
  if (json.is_null()) return Limit::none;
  for (const Limit limit :
       {Limit::states, Limit::time, Limit::memory, Limit::interrupted, Limit::model}) {
    if (json == properties::to_string(limit)) return limit;
  }
  FUTEXMC_ASSERT(false, "a worker sent an unknown limit");
  return Limit::none;
}

Observed observed_from(const Json& json) {
  Observed observed;
  observed.states = json.at("states");
  observed.limit = limit_from(json.at("limit"));
  if (!json.at("bound").is_null()) observed.bound = json.at("bound");
  return observed;
}

std::vector<Difference> differences_from(const Json& json) {
  std::vector<Difference> differences;
  for (const Json& one : json) {
    Difference difference;
    for (const BehaviourKind kind : properties::kBehaviourKinds) {
      if (one.at("kind") == properties::to_string(kind)) difference.behaviour.kind = kind;
    }
    difference.behaviour.what = one.at("what");
    if (!one.at("trace_text").is_null()) {
      auto read = checker::read_trace(one.at("trace_text").get<std::string>());
      auto* const trace = std::get_if<checker::Trace>(&read);
      FUTEXMC_ASSERT(trace != nullptr, "a trace just written cannot be read");
      difference.witness = std::move(*trace);
    }
    differences.push_back(std::move(difference));
  }
  return differences;
}

/// What the wire and the output share.
Json difference_json(const Difference& difference) {
  Json json;
  json["kind"] = properties::to_string(difference.behaviour.kind);
  json["what"] = difference.behaviour.what;
  return json;
}

Json differences_wire(const std::vector<Difference>& differences) {
  Json json = Json::array();
  for (const Difference& one : differences) {
    json.push_back(difference_json(one));
    json.back()["trace_text"] = one.witness ? Json(checker::write_trace(*one.witness)) : Json();
  }
  return json;
}

Json differences_json(const std::vector<Difference>& differences,
                      const std::vector<std::string>& files) {
  Json json = Json::array();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const auto& witness = differences[i].witness;
    Json one = difference_json(differences[i]);
    one["message"] = witness ? Json(witness->message) : Json();
    one["minimal"] = witness ? Json(checker::to_string(witness->minimal)) : Json();
    one["cost"] = witness ? Json{{"threads", witness->cost.threads},
                                 {"switches", witness->cost.switches},
                                 {"events", witness->cost.events},
                                 {"operations", witness->cost.operations}}
                          : Json();
    one["trace"] = i < files.size() && !files[i].empty() ? Json(files[i]) : Json();
    json.push_back(std::move(one));
  }
  return json;
}

Json scenario_json(const DiffOutcome& outcome) {
  if (!outcome.comparison) {
    return {{"scenario", outcome.scenario}, {"internal_error", outcome.crash}};
  }
  const Comparison& comparison = *outcome.comparison;
  Json json;
  json["scenario"] = outcome.scenario;
  json["result"] = !comparison.conclusive() ? "inconclusive"
                   : comparison.same()      ? "same"
                                            : "differs";
  json["before"] = observed_json(comparison.before);
  json["after"] = observed_json(comparison.after);
  json["gained"] = differences_json(comparison.gained, outcome.gained);
  json["lost"] = differences_json(comparison.lost, outcome.lost);
  return json;
}

Json uses_json(const properties::Uses& uses) {
  return {{"count", uses.count}, {"phases", uses.phases}};
}

Json account_json(const properties::Account& account) {
  Json cells = Json::array();
  for (const properties::Entry& entry : account.entries) {
    cells.push_back({{"cell", entry.role.name},
                     {"reads", uses_json(entry.reads)},
                     {"writes", uses_json(entry.writes)},
                     {"contended", entry.contended}});
  }
  return {{"operation", account.operation}, {"function", account.function}, {"cells", cells}};
}

Json lines_json(const properties::LinesReport& report) {
  Json lines = Json::array();
  for (const properties::LineReport& line : report.lines) {
    Json touches = Json::array();
    for (const properties::Touch& touch : line.touches) {
      touches.push_back({{"cell", touch.member},
                         {"function", touch.function},
                         {"operation", touch.operation},
                         {"accesses", touch.count},
                         {"hitm", touch.hitm},
                         {"ownership", touch.ownership}});
    }
    lines.push_back({{"line", line.line}, {"transfers", line.transfers}, {"accesses", touches}});
  }
  return {{"threads", report.threads}, {"operations", report.operations}, {"lines", lines}};
}

Json side_json(const DiffSide& side) {
  Json json;
  json["kernel"] = side.variant.kernel;
  json["patches"] = side.variant.patches;
  json["knockouts"] = side.variant.knockouts;
  json["memory"] = properties::to_string(side.variant.memory);
  json["accounts"] = Json::array();
  for (const properties::Account& account : side.accounts) {
    json["accounts"].push_back(account_json(account));
  }
  json["cache_lines"] = lines_json(side.lines);
  return json;
}

}  // namespace

std::string to_wire(const Comparison& comparison) {
  return dump({{"before", observed_json(comparison.before)},
               {"after", observed_json(comparison.after)},
               {"gained", differences_wire(comparison.gained)},
               {"lost", differences_wire(comparison.lost)}},
              -1);
}

Comparison comparison_from_wire(const Json& json) {
  Comparison comparison;
  comparison.before = observed_from(json.at("before"));
  comparison.after = observed_from(json.at("after"));
  comparison.gained = differences_from(json.at("gained"));
  comparison.lost = differences_from(json.at("lost"));
  return comparison;
}

int diff_exit_code(const DiffReport& report) {
  std::vector<int> limits;
  for (const DiffOutcome& outcome : report.outcomes) {
    if (!outcome.comparison) return exit_code::kInternal;
    for (const Observed* observed : {&outcome.comparison->before, &outcome.comparison->after}) {
      const int code = limit_exit_code(observed->limit);
      if (code != 0) limits.push_back(code);
    }
  }
  return limits.empty() ? 0 : *std::min_element(limits.begin(), limits.end());
}

Json diff_json(const DiffReport& report) {
  Json json;
  json["exit_code"] = diff_exit_code(report);
  json["scenarios"] = Json::array();
  for (const DiffOutcome& outcome : report.outcomes) {
    json["scenarios"].push_back(scenario_json(outcome));
  }
  json["not_compared"] = report.not_compared;
  json["sentences"] = Json::array();
  for (const properties::Sentence& sentence :
       properties::all_sentences(report.before.accounts, report.after.accounts)) {
    json["sentences"].push_back({{"text", sentence.text}, {"operations", sentence.subjects}});
  }
  json["line_sentences"] = properties::line_sentences(report.before.lines, report.after.lines);
  json["before"] = side_json(report.before);
  json["after"] = side_json(report.after);
  return json;
}

}  // namespace futexmc::cli
