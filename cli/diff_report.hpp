// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `futexmc diff` found, as it travels from worker to parent, and as it is printed.
// docs/compare.md explains the answer, docs/json.md the printed form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/streams.hpp"
#include "properties/compare/account.hpp"
#include "properties/compare/behaviour.hpp"
#include "properties/compare/lines.hpp"

namespace futexmc::cli {

/// One scenario's comparison, or why there is none. What came through a worker lacks the sets of
/// behaviours: only the differences count.
struct DiffOutcome {
  std::string scenario;
  std::optional<properties::Comparison> comparison;
  std::string crash;                ///< of the process that made it
  std::vector<std::string> gained;  ///< trace files written, in the order of the differences
  std::vector<std::string> lost;
};

/// A variant's side of what is compared beside behaviours.
struct DiffSide {
  model::Variant variant;
  std::vector<properties::Account> accounts;
  properties::LinesReport lines;
};

struct DiffReport {
  DiffSide before;
  DiffSide after;
  std::vector<DiffOutcome> outcomes;
  std::vector<std::string> not_compared;  ///< scenarios that use what one of the kernels has not
};

/// One line of JSON.
std::string to_wire(const properties::Comparison& comparison);
properties::Comparison comparison_from_wire(const Json& json);

/// 0 if every scenario was compared to the end, whatever differs.
int diff_exit_code(const DiffReport& report);
std::string diff_text(const DiffReport& report);
Json diff_json(const DiffReport& report);

}  // namespace futexmc::cli
