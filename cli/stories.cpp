// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/stories.hpp"

#include <tuple>

#include <fmt/format.h>

#include "cli/variants.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

struct Told {
  const properties::Violation* violation = nullptr;
  std::string story;
  std::string file;      ///< that the trace was written to, if it was
  std::string argument;  ///< that names the scenario
  std::string scenario;
};

auto cost_of(const Told& told) {
  const checker::TraceCost& cost = told.violation->trace->cost;
  return std::tuple(cost.threads, cost.switches, cost.events, cost.operations);
}

/// The best story of the property, over all scenarios.
Told best(const std::string& property, const std::vector<CheckOutcome>& outcomes,
          const Names& arguments) {
  Told best;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].report) continue;
    const CheckReport& report = *outcomes[i].report;
    for (std::size_t v = 0; v < report.scenario.violations.size(); ++v) {
      const properties::Violation& violation = report.scenario.violations[v];
      if (violation.property != property || !violation.trace) continue;
      const std::string& name = report.scenario.scenario;
      Told told{&violation, v < report.stories.size() ? report.stories[v] : "",
                v < report.traces.size() ? report.traces[v] : "",
                i < arguments.size() ? arguments[i] : name, name};
      if (best.violation == nullptr || cost_of(told) < cost_of(best)) best = std::move(told);
    }
  }
  return best;
}

std::string heading(const Told& told) {
  std::string text = fmt::format("\n== {} in {}\n", told.violation->property, told.scenario);
  if (!told.file.empty()) text += fmt::format("trace: {}\n", told.file);
  return text;
}

}  // namespace

std::string stories(const std::vector<CheckOutcome>& outcomes, const Names& arguments,
                    const model::Variant& variant, const std::string& command) {
  std::vector<Told> all;
  for (const properties::Property* const property : properties::listed()) {
    Told told = best(property->id, outcomes, arguments);
    if (told.violation != nullptr) all.push_back(std::move(told));
  }
  std::string text;
  if (all.size() <= kMaxStories) {
    for (const Told& told : all) text += heading(told) + told.story;
    return text;
  }
  text = "\nFor the stories:\n";
  const std::string options = variant_options(variant);
  for (const Told& told : all) {
    text += fmt::format("  futexmc {} {}{}{} --property {}\n", command, told.argument,
                        options.empty() ? "" : " ", options, told.violation->property);
  }
  return text;
}

}  // namespace futexmc::cli
