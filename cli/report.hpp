// SPDX-License-Identifier: GPL-2.0-or-later
//
// The report on one scenario as it travels from worker to parent, and as it is printed.
// docs/json.md describes the printed form.
#pragma once

#include <string>
#include <vector>

#include "cli/flow.hpp"
#include "cli/streams.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {

/// What a check found in one scenario. Beside the report: texts made where the model is at hand.
struct CheckReport {
  properties::ScenarioReport scenario;
  std::vector<std::string> stories;  ///< one for each violation, in that order; may be empty
  std::vector<Flow> flows;           ///< likewise
  std::vector<std::string> traces;   ///< names of files written, likewise
};

/// One line of JSON with everything that printing needs.
std::string to_wire(const CheckReport& report);
CheckReport from_wire(const Json& json);

/// The report's object in the output of `check --format json`.
Json to_json(const CheckReport& report);
/// A violation's object in it, without the trace's file.
Json violation_json(const properties::Violation& violation);

/// The verdict line and a line for each thing to know, with their line feeds.
std::string to_text(const properties::ScenarioReport& report);
/// What a sample covered, a line each.
std::string to_text(const checker::Sampled& sampled, const checker::Result& result);
Json to_json(const checker::Sampled& sampled);
checker::Sampled sampled_from(const Json& json);
/// "--max-time was reached"; empty for none.
std::string limit_reason(checker::Limit limit);
/// The exit code of that limit; 0 for none.
int limit_exit_code(checker::Limit limit);

}  // namespace futexmc::cli
