// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checking several scenarios on one variant, a few at a time, and what comes of it all together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {

struct CheckTask {
  const scenario::Scenario* scenario;
  const model::Variant* variant;
};

/// One scenario's report, or why there is none.
struct CheckOutcome {
  std::optional<CheckReport> report;
  std::string crash;  ///< of the process that checked it
  bool skipped = false;  ///< the variant has not what the scenario uses
};

struct CheckRun {
  properties::RunOptions options;
  bool stories = true;      ///< explain each trace
  bool flows = false;       ///< list each trace's steps
  bool in_process = false;  ///< crashes are the caller's
  std::size_t jobs = 1;
};

/// Runs the tasks; `finished` is called with each outcome in the order of the tasks, as soon as
/// that order allows. When interrupted, those not begun are inconclusive reports without a state.
std::vector<CheckOutcome> run_checks(
    const std::vector<CheckTask>& tasks, const CheckRun& run, ProgressDisplay& progress,
    const std::function<void(std::size_t, const CheckOutcome&)>& finished);

/// What all outcomes come to.
struct Summary {
  properties::Verdict verdict = properties::Verdict::holds;
  int exit_code = 0;
  std::vector<std::string> violated;  ///< properties, each once
};
Summary summarize(const std::vector<CheckOutcome>& outcomes);

}  // namespace futexmc::cli
