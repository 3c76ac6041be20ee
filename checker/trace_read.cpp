// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reading a trace: text, then structure, then sense, then digest, so that the first complaint is
// the one that helps. Whatever the text, the answer is a trace or an error with its place.
#include <algorithm>

#include "checker/trace_fields.hpp"

namespace futexmc::checker {
namespace {

/// The parser needs no stack for nesting, but what comes after it does.
void check_depth(std::string_view text, Complaints& complaints) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxTraceDepth) return complaints.add_at(text, i, "nested too deeply");
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
}

/// What the parser says, without the part that repeats the place and the part that quotes the text.
std::string parser_message(std::string what) {
  const std::size_t column = what.find("column ");
  const std::size_t start = column == std::string::npos ? column : what.find(": ", column);
  if (start != std::string::npos) what.erase(0, start + 2);
  const std::size_t quote = what.find("; last read");
  if (quote != std::string::npos) {
    const std::size_t expected = what.find("; expected", quote);
    what.erase(quote, expected == std::string::npos ? expected : expected - quote);
  }
  return what.substr(0, 200);
}

/// Whether printing the text could do something to a terminal. Scenarios have lines and tabs.
bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x7F || (c < 0x20 && c != '\n' && c != '\t')) return true;
    const bool c1 = c == 0xC2 && i + 1 < text.size() &&  // U+0080 to U+009F
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) return true;
  }
  return false;
}

Json parse(std::string_view text, Complaints& complaints) {
  std::vector<std::set<std::string>> open;
  const Json::parser_callback_t notice = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    const bool text_event =
        event == Json::parse_event_t::key || event == Json::parse_event_t::value;
    if (text_event && parsed.is_string() && has_controls(parsed.get_ref<const std::string&>())) {
      complaints.add("$", "a string has a control character");
    }
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open.back().insert(key).second) {
        complaints.add("$", fmt::format("\"{}\" occurs twice in one object", key.substr(0, 80)));
      }
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), notice);
  } catch (const Json::parse_error& error) {
    complaints.add_at(text, error.byte == 0 ? 0 : error.byte - 1, parser_message(error.what()));
  } catch (const Json::exception& error) {
    complaints.add("$", parser_message(error.what()));
  }
  return {};
}

std::vector<std::string> read_enabled(Fields& fields, Complaints& complaints) {
  const Json* const json = fields.required("enabled", Json::value_t::array, "an array");
  if (json == nullptr) return {};
  std::vector<std::string> names;
  if (json->size() > kMaxAgents) complaints.add(fields.at("enabled"), "has too many agents");
  for (const Json& name : *json) {
    if (!name.is_string()) {
      complaints.add(fmt::format("{}[{}]", fields.at("enabled"), names.size()),
                     Fields::expected("a string", name));
      break;
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

TraceStep read_step(const Json& json, const std::string& path, Complaints& complaints) {
  Fields fields(json, path, complaints);
  TraceStep step;
  step.agent = fields.text("agent");
  step.operation = fields.text("operation");
  step.object = fields.text("object", true);
  step.function = fields.text("function", true);
  if (fields.get("alternative") != nullptr) {
    step.alternative = static_cast<unsigned>(fields.number("alternative", 255));
  }
  step.enabled = read_enabled(fields, complaints);
  step.state = fields.hash("state");
  fields.nothing_else();
  const auto& enabled = step.enabled;
  if (std::find(enabled.begin(), enabled.end(), step.agent) == enabled.end()) {
    complaints.add(fields.at("enabled"), "does not name the agent of the step");
  }
  return step;
}

TraceCost read_cost(const Json& json, Complaints& complaints) {
  Fields fields(json, "$.cost", complaints);
  TraceCost cost;
  cost.threads = fields.number("threads", kMaxThreads);
  cost.switches = fields.number("switches", kMaxTraceSteps);
  cost.events = fields.number("events", kMaxTraceSteps);
  cost.operations = fields.number("operations", kMaxTraceSteps);
  fields.nothing_else();
  return cost;
}

Minimal read_minimal(Fields& fields, Complaints& complaints) {
  const std::string text = fields.text("minimal");
  for (const Minimal minimal : {Minimal::no, Minimal::reduced, Minimal::proved}) {
    if (text == to_string(minimal)) return minimal;
  }
  complaints.add(fields.at("minimal"), "must be \"proved\", \"reduced\" or \"no\"");
  return Minimal::no;
}

std::vector<TraceStep> read_steps(const Json& json, Complaints& complaints) {
  std::vector<TraceStep> steps;
  if (json.size() > kMaxTraceSteps) complaints.add("$.steps", "has too many steps");
  for (std::size_t i = 0; i < json.size() && !complaints.any(); ++i) {
    steps.push_back(read_step(json[i], fmt::format("$.steps[{}]", i), complaints));
  }
  return steps;
}

/// Another kind of file, or one from a later version, gets no further complaints.
void read_format(Fields& fields, Complaints& complaints) {
  if (fields.text("format") != kTraceFormat) complaints.add("$.format", "is not a futexmc trace");
  const std::uint64_t version = fields.number("version", ~0ULL);
  if (version != kTraceVersion) {
    complaints.add("$.version", fmt::format("version {} is not supported, only {}", version,
                                            kTraceVersion));
  }
}

Trace read_document(const Json& json, Complaints& complaints) {
  Fields fields(json, "$", complaints);
  Trace trace;
  read_format(fields, complaints);
  if (complaints.any()) return trace;
  trace.tool = fields.text("tool");
  const Json* const subject = fields.required("subject", Json::value_t::object, "an object");
  if (subject != nullptr) trace.subject = *subject;
  trace.property = fields.text("property");
  trace.message = fields.text("message", true);
  trace.minimal = read_minimal(fields, complaints);
  const Json* const cost = fields.required("cost", Json::value_t::object, "an object");
  if (cost != nullptr) trace.cost = read_cost(*cost, complaints);
  const Json* const steps = fields.required("steps", Json::value_t::array, "an array");
  if (steps != nullptr) trace.steps = read_steps(*steps, complaints);
  const std::string digest = fields.hash("digest");
  fields.nothing_else();
  if (trace.cost.events + trace.cost.operations != trace.steps.size()) {
    complaints.add("$.cost", "events and operations do not add up to the number of steps");
  }
  if (!complaints.any() && digest != trace_digest(json)) {
    complaints.add("$.digest", "does not match the content: the file was edited or damaged");
  }
  return trace;
}

}  // namespace

std::variant<Trace, TraceError> read_trace(std::string_view text) {
  Complaints complaints;
  if (text.size() > kMaxTraceBytes) complaints.add("$", "the file is too large");
  if (!complaints.any()) check_depth(text, complaints);
  if (complaints.any()) return complaints.first();
  const Json json = parse(text, complaints);
  if (complaints.any()) return complaints.first();
  Trace trace = read_document(json, complaints);
  if (complaints.any()) return complaints.first();
  return trace;
}

}  // namespace futexmc::checker
