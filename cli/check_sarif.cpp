// SPDX-License-Identifier: GPL-2.0-or-later
//
// A check as SARIF 2.1.0: a rule for each property, a result for each violation, its execution as a
// code flow with a thread flow for each thread.
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include "cli/check_document.hpp"
#include "cli/places.hpp"
#include "cli/variants.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What viewers take the repository's root for.
constexpr const char* kRoot = "%SRCROOT%";
/// No thread has such a name.
constexpr const char* kEnvironment = "(environment)";

Json message(const std::string& text) { return {{"text", text}}; }

/// A path as the path of a URI.
std::string percent_encoded(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// Relative to the source tree or else to the working directory, if it is in one of them.
Json artifact(const std::string& file) {
  std::error_code ignored;
  const fs::path path = fs::absolute(file, ignored).lexically_normal();
  for (const fs::path& root : {source_directory(), fs::current_path(ignored)}) {
    const fs::path near = path.lexically_relative(root);
    if (near.empty() || *near.begin() == "..") continue;
    return {{"uri", percent_encoded(near.string())}, {"uriBaseId", kRoot}};
  }
  return {{"uri", "file://" + percent_encoded(path.string())}};
}

Json physical(const std::string& file, int line) {
  return {{"artifactLocation", artifact(file)}, {"region", {{"startLine", line}}}};
}

Json rules() {
  Json rules = Json::array();
  for (const properties::Property* const property : properties::listed()) {
    rules.push_back({{"id", property->id},
                     {"shortDescription", message(property->title)},
                     {"fullDescription", message(property->title + ".")},
                     {"help", message("Stated in " + property->source + ".")},
                     {"defaultConfiguration", {{"level", "error"}}}});
  }
  return rules;
}

std::size_t rule_index(const std::string& id) {
  const Names ids = all_property_names();
  const auto at = std::find(ids.begin(), ids.end(), id);
  const auto index = static_cast<std::size_t>(at - ids.begin());
  return index;
}

/// Of the property and the message, which name functions and objects and no numbers of a run.
std::string fingerprint(const properties::Violation& violation) {
  const std::string text = violation.property + "\n" + violation.message;
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Where a step is: in the model, or in the scenario where that has no place for it.
Json location(const FlowStep& step, const std::string& scenario) {
  Json json;
  json["physicalLocation"] =
      step.file.empty() ? physical(scenario, 1) : physical(step.file, step.line);
  if (step.calls.empty()) return json;
  std::string path;
  for (const std::string& call : step.calls) path += (path.empty() ? "" : "/") + call;
  json["logicalLocations"] = Json::array(
      {{{"name", step.calls.back()}, {"fullyQualifiedName", path}, {"kind", "function"}}});
  return json;
}

Json thread_flow_location(const FlowStep& step, std::size_t order, const std::string& property,
                          const std::string& scenario) {
  Json json;
  json["location"] = location(step, scenario);
  json["location"]["message"] =
      message(step.violating ? step.text + "  <<< " + property : step.text);
  json["nestingLevel"] = step.calls.size();
  json["executionOrder"] = order;
  json["importance"] = step.violating ? "essential" : step.told ? "important" : "unimportant";
  return json;
}

/// One flow a thread, and one for the events; executionOrder goes through all of them.
Json code_flow(const Flow& flow, const std::string& property, const std::string& scenario) {
  std::vector<std::string> ids;  // by first appearance
  std::map<std::string, Json> locations;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const std::string id = flow[i].event ? kEnvironment : flow[i].agent;
    if (!locations.contains(id)) ids.push_back(id);
    locations[id].push_back(thread_flow_location(flow[i], i + 1, property, scenario));
  }
  Json flows = Json::array();
  for (const std::string& id : ids) {
    flows.push_back({{"id", id}, {"locations", locations[id]}});
  }
  return {{"threadFlows", flows}};
}

Json property_bag(const CheckReport& report, std::size_t index) {
  const Json bag = violation_json(report.scenario.violations[index]);
  Json json;
  json["scenario"] = report.scenario.scenario;
  json["kernel"] = report.scenario.kernel;
  json["patches"] = report.scenario.patches;
  json["knockouts"] = report.scenario.knockouts;
  for (const char* const member : {"messages", "minimal", "cost"}) json[member] = bag.at(member);
  if (index < report.traces.size() && !report.traces[index].empty()) {
    json["trace"] = report.traces[index];
  }
  return json;
}

Json result(const CheckReport& report, std::size_t index, const std::string& variant,
            const std::string& path) {
  const properties::Violation& violation = report.scenario.violations[index];
  const Flow flow = index < report.flows.size() ? report.flows[index] : Flow();
  Json json;
  json["ruleId"] = violation.property;
  json["ruleIndex"] = rule_index(violation.property);
  json["level"] = "error";
  json["message"] = message(fmt::format("{}: {}. Scenario {} on {}.", violation.property,
                                        violation.message, report.scenario.scenario, variant));
  FlowStep place;  // the scenario, where no step of the model's is to blame
  for (const FlowStep& step : flow) {
    if (step.violating && !step.file.empty()) place = step;
  }
  json["locations"] = Json::array({location(place, path)});
  if (!place.file.empty()) {
    json["relatedLocations"] = Json::array(
        {{{"physicalLocation", physical(path, 1)}, {"message", message("the scenario")}}});
  }
  json["partialFingerprints"] = {{"propertyAndMessage/v1", fingerprint(violation)}};
  if (!flow.empty()) {
    json["codeFlows"] = Json::array({code_flow(flow, violation.property, path)});
  }
  json["properties"] = property_bag(report, index);
  return json;
}

Json notification(const char* level, const std::string& text, const std::string& path) {
  return {{"level", level},
          {"message", message(text)},
          {"locations", Json::array({{{"physicalLocation", physical(path, 1)}}})}};
}

/// What a reader of the results must know: which scenarios were not searched to the end.
Json invocation(const FinishedCheck& check) {
  Json notifications = Json::array();
  bool complete = true;
  for (std::size_t i = 0; i < check.outcomes.size(); ++i) {
    const CheckOutcome& outcome = check.outcomes[i];
    const std::string& name = check.tasks[i].scenario->name;
    const Undecided why = undecided(outcome, check.stop_at_first);
    if (!why.reason.empty()) {
      complete = false;
      notifications.push_back(notification(why.internal_error ? "error" : "warning",
                                           fmt::format("{}: {}", name, why.reason),
                                           check.paths[i]));
      continue;
    }
    const properties::ScenarioReport& report = outcome.report->scenario;
    const auto note = [&](const char* what, const Names& properties) {
      if (properties.empty()) return;
      notifications.push_back(notification(
          "note", fmt::format("{}: {}: {}", name, what, fmt::join(properties, ", ")),
          check.paths[i]));
    };
    note("nothing to look at for", report.vacuous);
    note("not looked at, as it needs a search of its own", report.skipped);
  }
  return {{"executionSuccessful", complete},
          {"exitCode", check.exit_code},
          {"toolExecutionNotifications", notifications}};
}

}  // namespace

Json check_sarif(const FinishedCheck& check) {
  const std::string variant = variant_name(*check.tasks.front().variant);
  Json run;
  run["tool"]["driver"] = {{"name", "futexmc"}, {"version", version()}, {"rules", rules()}};
  run["automationDetails"]["id"] = "futexmc/" + variant + "/";
  run["invocations"] = Json::array({invocation(check)});
  run["results"] = Json::array();
  for (std::size_t i = 0; i < check.outcomes.size(); ++i) {
    if (!check.outcomes[i].report) continue;
    const CheckReport& report = *check.outcomes[i].report;
    for (std::size_t v = 0; v < report.scenario.violations.size(); ++v) {
      run["results"].push_back(result(report, v, variant, check.paths[i]));
    }
  }
  return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
}

}  // namespace futexmc::cli
