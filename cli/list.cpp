// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc list`: what there is, one name a line.
#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/scenarios.hpp"
#include "cli/variants.hpp"
#include "properties/proofs/theorem.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

/// One object for each entry; "name" and "title" come first.
Json entries(const std::string& kind) {
  Json json = Json::array();
  const auto add = [&json](const std::string& name, const std::string& title) -> Json& {
    json.push_back({{"name", name}, {"title", title}});
    return json.back();
  };
  if (kind == "kernels") {
    for (const auto& kernel : model::kernels()) add(kernel.name, kernel.title);
  } else if (kind == "patches") {
    for (const auto& patch : model::patches()) add(patch.name, patch.title);
  } else if (kind == "rows") {
    for (const Row& row : rows()) {
      Json& entry = add(row.name, row.title);
      entry["kernel"] = row.kernel;
      entry["patches"] = row.patches;
    }
  } else if (kind == "scenarios") {
    for (const auto& name : scenario_names()) add(name, load_scenario(name).title);
  } else if (kind == "properties") {
    for (const properties::Property* const property : properties::listed()) {
      Json& entry = add(property->id, property->title);
      entry["source"] = property->source;
      entry["exit_code"] = property->exit_code;
    }
  } else if (kind == "theorems") {
    for (const auto& theorem : properties::proofs::theorems()) {
      Json& entry = add(theorem.id, theorem.title);
      entry["statement"] = theorem.statement;
      entry["exit_code"] = theorem.exit_code;
      entry["deep"] = theorem.deep;
    }
  } else {
    for (const auto& knockout : model::knockouts()) {
      Json& entry = add(knockout.name, knockout.title);
      entry["function"] = knockout.function;
      entry["property"] = knockout.property;
      entry["scenario"] = knockout.scenario;
      entry["engine"] = model::name_of(knockout.engine);
      entry["redundant"] = !knockout.why.empty();
      entry["story"] = knockout.story;
      entry["why"] = knockout.why;
      entry["together"] = knockout.together;
    }
  }
  return json;
}

}  // namespace

const Names& list_kinds() {
  static const Names kinds = {"kernels",    "patches",   "rows",    "scenarios",
                              "properties", "knockouts", "theorems"};
  return kinds;
}

int list(const ListOptions& options, Streams& streams) {
  require("list", options.kind, list_kinds());
  const Json found = entries(options.kind);
  if (options.format == Format::json) {
    streams.out << dump({{"kind", options.kind}, {"entries", found}}) << "\n";
    return 0;
  }
  std::size_t width = 0;
  for (const Json& entry : found) {
    width = std::max(width, entry.at("name").get_ref<const std::string&>().size());
  }
  for (const Json& entry : found) {
    const auto& name = entry.at("name").get_ref<const std::string&>();
    const auto& title = entry.at("title").get_ref<const std::string&>();
    streams.out << (title.empty() ? name : fmt::format("{:<{}}  {}", name, width, title)) << "\n";
  }
  return 0;
}

}  // namespace futexmc::cli
