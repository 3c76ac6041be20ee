// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/matrix_cells.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "cli/places.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

using properties::ScenarioReport;
using properties::Verdict;
using properties::Violation;

std::string committed_trace(const std::string& row, const std::string& property) {
  const fs::path path = trace_directory() / fmt::format("{}-{}.json", row, property);
  std::error_code ignored;
  return fs::exists(path, ignored) ? shown(path) : "";
}

void decide_violated(Cell& cell, const ScenarioReport& report, const Violation& violation,
                     std::size_t& steps) {
  // What no single execution shows has no path, and comes last.
  const std::size_t path = violation.steps == 0 ? ~std::size_t{0} : violation.steps;
  const bool better = cell.verdict != Verdict::violated ||
                      std::tuple(path, report.result.states) < std::tuple(steps, cell.size);
  if (!better) return;
  cell.verdict = Verdict::violated;
  cell.scenario = report.scenario;
  cell.message = violation.message;
  cell.size = report.result.states;
  const bool apart = violation.property == "race" && report.race_states;
  cell.states = apart ? *report.race_states : report.result.states;
  cell.seconds = apart ? report.race_seconds : report.result.seconds;
  steps = path;
}

bool among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The violation that decides, of those in the scenarios `names`; of all if it is empty.
void decide_violated(Cell& cell, const std::vector<CheckOutcome>& outcomes, const Names& names) {
  std::size_t steps = 0;
  cell.verdict = Verdict::inconclusive;
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.report) continue;
    const ScenarioReport& report = outcome.report->scenario;
    const Violation* const violation = report.find(cell.property);
    const bool counts = names.empty() || among(names, report.scenario);
    if (violation != nullptr && counts) decide_violated(cell, report, *violation, steps);
  }
}

/// Scenarios in which somebody looked for the property and found it to hold.
Names holding_scenarios(const std::vector<CheckOutcome>& outcomes, const std::string& property) {
  Names names;
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.report) continue;
    const ScenarioReport& report = outcome.report->scenario;
    if (!report.result.complete() || among(report.skipped, property)) continue;
    if (report.find(property) == nullptr) names.push_back(report.scenario);
  }
  return names;
}

Cell make_cell(const MatrixRow& row, const std::string& property,
               const std::vector<CheckOutcome>& outcomes) {
  Cell cell;
  cell.property = property;
  cell.skipped = static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [&](const CheckOutcome& outcome) {
        return outcome.report && among(outcome.report->scenario.skipped, property);
      }));
  decide_violated(cell, outcomes, {});
  if (cell.verdict == Verdict::violated) {
    cell.trace = committed_trace(row.row.name, property);
    return cell;
  }
  cell.states = row.states;
  cell.seconds = row.seconds;
  cell.verdict = Verdict::holds;
  cell.vacuous = std::all_of(outcomes.begin(), outcomes.end(), [&](const CheckOutcome& outcome) {
    if (outcome.skipped) return true;
    if (!outcome.report) return false;
    return among(outcome.report->scenario.vacuous, property) ||
           among(outcome.report->scenario.skipped, property);
  });
  for (const CheckOutcome& outcome : outcomes) {
    if (outcome.skipped) continue;
    if (outcome.report && outcome.report->scenario.result.complete()) continue;
    cell.vacuous = false;
    cell.verdict = Verdict::inconclusive;
    cell.scenario = outcome.report ? outcome.report->scenario.scenario : "";
    cell.message = outcome.report ? limit_reason(outcome.report->scenario.result.limit)
                                  : "a worker " + outcome.crash;
    break;
  }
  return cell;
}

}  // namespace

MatrixRow make_row(const Row& row, const std::vector<CheckOutcome>& outcomes) {
  MatrixRow made;
  made.row = row;
  for (const CheckOutcome& outcome : outcomes) {
    made.skipped += outcome.skipped;
    made.checked += !outcome.skipped;
    if (!outcome.report) continue;
    made.states += outcome.report->scenario.result.states;
    made.seconds += outcome.report->scenario.result.seconds;
    made.seconds += outcome.report->scenario.race_seconds;
  }
  for (const properties::Property& property : properties::all()) {
    made.cells.push_back(make_cell(made, property.id, outcomes));
  }
  return made;
}

Names violating_scenarios(const std::vector<CheckOutcome>& outcomes, const std::string& property) {
  Names names;
  for (const CheckOutcome& outcome : outcomes) {
    if (outcome.report && outcome.report->scenario.find(property) != nullptr) {
      names.push_back(outcome.report->scenario.scenario);
    }
  }
  return names;
}

void mark_shared(MatrixRow& row, const std::vector<CheckOutcome>& outcomes,
                 const std::string& base_name, const std::vector<CheckOutcome>& base) {
  row.base = base_name;
  for (Cell& cell : row.cells) {
    if (cell.verdict != Verdict::violated) continue;
    const Names here = violating_scenarios(outcomes, cell.property);
    const Names there = violating_scenarios(base, cell.property);
    cell.shared_with_base = std::any_of(here.begin(), here.end(), [&](const std::string& name) {
      return among(there, name);
    });
    if (cell.shared_with_base && cell.trace.empty()) {
      cell.trace = committed_trace(base_name, cell.property);
    }
  }
}

void mark_own(MatrixRow& row, const std::vector<CheckOutcome>& outcomes,
              const std::vector<CheckOutcome>& on_base_kernel,
              const std::vector<CheckOutcome>& base_kernel) {
  for (Cell& cell : row.cells) {
    if (cell.verdict != Verdict::violated || !cell.shared_with_base) continue;
    const Names clean = holding_scenarios(base_kernel, cell.property);
    Names own = violating_scenarios(on_base_kernel, cell.property);
    std::erase_if(own, [&](const std::string& name) { return !among(clean, name); });
    cell.own = !own.empty();
    if (!cell.own) continue;
    const Names here = violating_scenarios(outcomes, cell.property);
    const bool told = std::any_of(own.begin(), own.end(),
                                  [&](const std::string& name) { return among(here, name); });
    if (told) decide_violated(cell, outcomes, own);
    cell.trace = committed_trace(row.row.name, cell.property);
  }
}

Json matrix_json(const std::vector<MatrixRow>& rows, checker::Memory memory) {
  Json json;
  json["memory"] = properties::to_string(memory);
  json["rows"] = Json::array();
  for (const MatrixRow& row : rows) {
    Json cells = Json::array();
    for (const Cell& cell : row.cells) {
      cells.push_back({{"property", cell.property},
                       {"verdict", properties::to_string(cell.verdict)},
                       {"scenario", cell.scenario.empty() ? Json() : Json(cell.scenario)},
                       {"states", cell.states},
                       {"seconds", cell.seconds},
                       {"trace", cell.trace.empty() ? Json() : Json(cell.trace)},
                       {"shared_with_base", cell.shared_with_base},
                       {"own", cell.own},
                       {"vacuous", cell.vacuous},
                       {"skipped", cell.skipped}});
    }
    json["rows"].push_back({{"row", row.row.name},
                            {"kernel", row.row.kernel},
                            {"patches", row.row.patches},
                            {"base", row.base.empty() ? Json() : Json(row.base)},
                            {"skipped", row.skipped},
                            {"cells", cells}});
    if (row.claims.empty()) continue;
    Json claims = Json::array();
    for (const auto& claim : row.claims) {
      claims.push_back({{"theorem", claim.theorem},
                        {"bound", claim.bound},
                        {"verdict", to_string(claim.answer)}});
    }
    json["rows"].back()["proofs"] = claims;
  }
  return json;
}

}  // namespace futexmc::cli
