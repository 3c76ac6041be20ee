// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/subject.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.hpp"
#include "cli/names.hpp"
#include "cli/places.hpp"
#include "cli/scenarios.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {
namespace {

using Json = nlohmann::ordered_json;

class Reader {
 public:
  Reader(const Json& json, const std::string& place) : json_(json), place_(place) {}

  std::string text(const char* member) const {
    const auto it = json_.find(member);
    if (it == json_.end() || !it->is_string()) fail(member, "is not a string");
    return it->get<std::string>();
  }
  std::string name(const char* member, const char* kind, const Names& known) const {
    return checked(text(member), member, kind, known);
  }
  Names names(const char* member, const char* kind, const Names& known) const {
    const auto it = json_.find(member);
    if (it == json_.end() || !it->is_array()) fail(member, "is not an array");
    Names names;
    for (std::size_t i = 0; i < it->size(); ++i) {
      const std::string where = fmt::format("{}[{}]", member, i);
      if (!(*it)[i].is_string()) fail(where, "is not a string");
      names.push_back(checked((*it)[i].get<std::string>(), where, kind, known));
    }
    return names;
  }
  void only(const Names& members) const {
    for (const auto& [member, value] : json_.items()) {
      if (std::find(members.begin(), members.end(), member) == members.end()) {
        fail(member, "is not a member of a subject");
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& member, const std::string& what) const {
    throw Failure(exit_code::kBadInput,
                  fmt::format("{}: $.subject.{}: {}", place_, member, what));
  }
  std::string checked(std::string name, const std::string& where, const char* kind,
                      const Names& known) const {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail(where, unknown(kind, name, known));
    }
    return name;
  }

  const Json& json_;
  const std::string& place_;
};

}  // namespace

Subject read_subject(const Json& json, const std::string& place) {
  const Reader reader(json, place);
  reader.only({"scenario", "text", "kernel", "patches", "knockouts", "model", "memory"});
  const std::string name = reader.text("scenario");
  const std::string source = reader.text("text");
  const std::string kernel = reader.name("kernel", "kernel", kernel_names());
  const Names patches = reader.names("patches", "patch", patch_names());
  const Names knockouts = reader.names("knockouts", "knock-out", knockout_names());
  const std::string conflict = model::conflict(kernel, patches);
  if (!conflict.empty()) {
    throw Failure(exit_code::kBadInput,
                  fmt::format("{}: $.subject.patches: {}", place, conflict));
  }
  const bool same_model = reader.text("model") == properties::kModelVersion;
  Subject subject{parse_scenario(source, place + ": $.subject.text"),
                  model::make_variant(kernel, patches, knockouts), same_model};
  subject.scenario.name = name;
  if (json.contains("memory")) {
    const std::string memory = reader.name("memory", "memory model", {"sc", "tso"});
    if (memory == "tso") subject.variant.memory = checker::Memory::tso;
  }
  return subject;
}

LoadedTrace load_trace(const std::string& path) {
  const std::string text = read_file(path, checker::kMaxTraceBytes);
  auto read = checker::read_trace(text);
  if (const auto* const error = std::get_if<checker::TraceError>(&read)) {
    throw Failure(exit_code::kBadInput,
                  fmt::format("{}: {}: {}", path, error->place(), error->message));
  }
  LoadedTrace loaded{path, std::get<checker::Trace>(std::move(read)), {}};
  loaded.subject = read_subject(loaded.trace.subject, path);
  return loaded;
}

}  // namespace futexmc::cli
