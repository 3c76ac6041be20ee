// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/trace.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include "checker/recording.hpp"

namespace futexmc::checker {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

TraceStep trace_step(const Recording& run, const RecordedStep& recorded) {
  TraceStep step;
  step.agent = run.machine.agent_name(recorded.agent);
  step.operation = recorded.step.operation;
  step.object = recorded.step.object;
  step.function = recorded.step.function;
  if (recorded.step.alternatives > 1) step.alternative = recorded.step.alternative;
  step.enabled = run.names(recorded.enabled);
  step.state = fmt::format("{:016x}{:016x}", recorded.state.a, recorded.state.b);
  return step;
}

TraceCost cost_of(const Recording& run) {
  TraceCost cost;
  AgentMask seen = 0;
  std::optional<std::size_t> last;
  for (const RecordedStep& step : run.steps) {
    if (!run.machine.is_thread(step.agent)) {
      ++cost.events;
      continue;
    }
    ++cost.operations;
    if ((seen & (1U << step.agent)) == 0) ++cost.threads;
    seen |= 1U << step.agent;
    if (last.has_value() && *last != step.agent) ++cost.switches;
    last = step.agent;
  }
  return cost;
}

Json to_json(const TraceStep& step) {
  Json json;
  json["agent"] = step.agent;
  json["operation"] = step.operation;
  json["object"] = step.object;
  json["function"] = step.function;
  if (step.alternative.has_value()) json["alternative"] = *step.alternative;
  json["enabled"] = step.enabled;
  json["state"] = step.state;
  return json;
}

Json to_json(const Trace& trace) {
  Json json;
  json["format"] = kTraceFormat;
  json["version"] = kTraceVersion;
  json["tool"] = trace.tool;
  json["subject"] = trace.subject;
  json["property"] = trace.property;
  json["message"] = trace.message;
  json["minimal"] = to_string(trace.minimal);
  json["cost"] = Json{{"threads", trace.cost.threads},
                      {"switches", trace.cost.switches},
                      {"events", trace.cost.events},
                      {"operations", trace.cost.operations}};
  json["steps"] = Json::array();
  for (const TraceStep& step : trace.steps) json["steps"].push_back(to_json(step));
  return json;
}

/// Steps take a line each, so that two traces can be compared with diff.
std::string write_steps(const Json& steps) {
  if (steps.empty()) return "[]";
  std::string text = "[\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += "    " + dump(steps[i], -1) + (i + 1 < steps.size() ? ",\n" : "\n");
  }
  return text + "  ]";
}

/// Strings hold no raw line breaks, so every one in a dump is layout.
std::string indented(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3)) {
    text.insert(at + 1, "  ");
  }
  return text;
}

}  // namespace

const char* to_string(Minimal minimal) {
  switch (minimal) {
    case Minimal::no: return "no";
    case Minimal::reduced: return "reduced";
    case Minimal::proved: return "proved";
  }
  return "no";
}

std::string TraceError::place() const {
  return line != 0 ? fmt::format("line {}, column {}", line, column) : path;
}

Trace make_trace(Program& program, const Path& operations, std::string property,
                 std::string message) {
  Recording run(program);
  for (const Choice& choice : operations) run.go(choice.agent, choice.alternative);
  Trace trace;
  trace.property = std::move(property);
  trace.message = std::move(message);
  trace.cost = cost_of(run);
  for (const RecordedStep& recorded : run.steps) trace.steps.push_back(trace_step(run, recorded));
  return trace;
}

std::string trace_digest(const Json& document) {
  nlohmann::json sorted = document;  // members sorted by name
  sorted.erase("digest");
  const std::string text = sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string write_trace(const Trace& trace) {
  Json json = to_json(trace);
  json["digest"] = trace_digest(json);
  std::string text = "{\n";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("  \"{}\": ", key);
    if (key == "steps") {
      text += write_steps(value);
    } else {
      text += key == "cost" ? dump(value, -1) : indented(dump(value, 2));
    }
    text += key == "digest" ? "\n" : ",\n";
  }
  return text + "}\n";
}

}  // namespace futexmc::checker
