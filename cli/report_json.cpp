// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <variant>

#include "checker/assert.hpp"
#include "cli/report.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

using checker::Limit;
using properties::ScenarioReport;
using properties::Verdict;
using properties::Violation;

template <class Enum, std::size_t N>
Enum parse_enum(const std::string& text, const std::array<Enum, N>& values) {
  for (const Enum value : values) {
    if (text == properties::to_string(value)) return value;
  }
  FUTEXMC_ASSERT(false, "a worker sent an unknown word");
  return values[0];
}

double per(double amount, double of) { return of > 0 ? amount / of : 0; }

Json cost_json(const checker::TraceCost& cost) {
  return {{"threads", cost.threads},
          {"switches", cost.switches},
          {"events", cost.events},
          {"operations", cost.operations}};
}

}  // namespace

Json violation_json(const Violation& violation) {
  const properties::Property* const property = properties::find(violation.property);
  Json json;
  json["property"] = violation.property;
  json["message"] = violation.message;
  json["messages"] = violation.messages;
  json["exit_code"] = property != nullptr ? Json(property->exit_code) : Json();
  json["steps"] = violation.steps;
  json["minimal"] = violation.trace ? Json(checker::to_string(violation.trace->minimal)) : Json();
  json["cost"] = violation.trace ? cost_json(violation.trace->cost) : Json();
  json["trace"] = nullptr;
  if (violation.run != 0) json["run"] = violation.run;
  return json;
}

Json to_json(const CheckReport& report) {
  const ScenarioReport& scenario = report.scenario;
  const checker::Result& result = scenario.result;
  const auto states = static_cast<double>(result.states);
  Json json;
  json["scenario"] = scenario.scenario;
  json["verdict"] = properties::to_string(scenario.verdict);
  json["limit"] = result.limit == Limit::none ? Json() : Json(properties::to_string(result.limit));
  json["bound"] = result.bound.empty() ? Json() : Json(result.bound);
  json["states"] = result.states;
  json["transitions"] = result.transitions;
  json["matched"] = result.matched;
  json["final_states"] = result.finals;
  json["max_depth"] = result.max_depth;
  json["seconds"] = result.seconds;
  json["states_per_second"] = per(states, result.seconds);
  json["bytes"] = result.bytes;
  json["bytes_per_state"] = per(static_cast<double>(result.bytes), states);
  json["collision_odds"] = result.collision_odds;
  json["reduction_off"] = result.reduction_off.empty() ? Json() : Json(result.reduction_off);
  json["audit_failures"] = Json::array();
  for (const auto& failure : result.audit_failures) json["audit_failures"].push_back(failure.what);
  json["vacuous"] = scenario.vacuous;
  json["skipped"] = scenario.skipped;
  json["race_states"] = scenario.race_states ? Json(*scenario.race_states) : Json();
  json["race_seconds"] = scenario.race_states ? Json(scenario.race_seconds) : Json();
  json["shared_with_base"] = scenario.shared_with_base;
  if (scenario.sampled) json["sampled"] = to_json(*scenario.sampled);
  json["violations"] = Json::array();
  for (std::size_t i = 0; i < scenario.violations.size(); ++i) {
    json["violations"].push_back(violation_json(scenario.violations[i]));
    if (i < report.traces.size() && !report.traces[i].empty()) {
      json["violations"].back()["trace"] = report.traces[i];
    }
  }
  return json;
}

std::string to_wire(const CheckReport& report) {
  Json json = to_json(report);
  json["kernel"] = report.scenario.kernel;
  json["patches"] = report.scenario.patches;
  json["knockouts"] = report.scenario.knockouts;
  json["stories"] = report.stories;
  json["flows"] = Json::array();
  for (const Flow& flow : report.flows) json["flows"].push_back(to_json(flow));
  for (std::size_t i = 0; i < report.scenario.violations.size(); ++i) {
    const auto& trace = report.scenario.violations[i].trace;
    json["violations"][i]["trace_text"] = trace ? Json(checker::write_trace(*trace)) : Json();
  }
  return dump(json, -1);
}

CheckReport from_wire(const Json& json) {
  CheckReport report;
  ScenarioReport& scenario = report.scenario;
  scenario.scenario = json.at("scenario");
  scenario.kernel = json.at("kernel");
  scenario.patches = json.at("patches").get<std::vector<std::string>>();
  scenario.knockouts = json.at("knockouts").get<std::vector<std::string>>();
  scenario.verdict = parse_enum(json.at("verdict").get<std::string>(),
                                std::array{Verdict::holds, Verdict::violated,
                                           Verdict::inconclusive});
  checker::Result& result = scenario.result;
  if (!json.at("limit").is_null()) {
    result.limit = parse_enum(json.at("limit").get<std::string>(),
                              std::array{Limit::states, Limit::time, Limit::memory,
                                         Limit::interrupted, Limit::model, Limit::sampled});
  }
  if (!json.at("bound").is_null()) result.bound = json.at("bound");
  result.states = json.at("states");
  result.transitions = json.at("transitions");
  result.matched = json.at("matched");
  result.finals = json.at("final_states");
  result.max_depth = json.at("max_depth");
  result.seconds = json.at("seconds");
  result.bytes = json.at("bytes");
  result.collision_odds = json.at("collision_odds");
  if (!json.at("reduction_off").is_null()) result.reduction_off = json.at("reduction_off");
  scenario.vacuous = json.at("vacuous").get<std::vector<std::string>>();
  scenario.skipped = json.at("skipped").get<std::vector<std::string>>();
  if (!json.at("race_states").is_null()) {
    scenario.race_states = json.at("race_states");
    scenario.race_seconds = json.at("race_seconds");
  }
  if (json.contains("sampled")) scenario.sampled = sampled_from(json.at("sampled"));
  for (const Json& what : json.at("audit_failures")) {
    result.audit_failures.push_back({what.get<std::string>(), {}});
  }
  for (const Json& one : json.at("violations")) {
    Violation violation;
    violation.property = one.at("property");
    violation.message = one.at("message");
    violation.messages = one.at("messages");
    violation.steps = one.at("steps");
    violation.run = one.value("run", std::uint64_t{0});
    if (!one.at("trace_text").is_null()) {
      auto read = checker::read_trace(one.at("trace_text").get<std::string>());
      auto* const trace = std::get_if<checker::Trace>(&read);
      FUTEXMC_ASSERT(trace != nullptr, "a trace just written cannot be read");
      violation.trace = std::move(*trace);
    }
    scenario.violations.push_back(std::move(violation));
  }
  report.stories = json.at("stories").get<std::vector<std::string>>();
  for (const Json& flow : json.at("flows")) report.flows.push_back(flow_from(flow));
  return report;
}

}  // namespace futexmc::cli
