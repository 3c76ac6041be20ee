// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check_run.hpp"

#include <algorithm>

#include "checker/explain.hpp"
#include "cli/exit_codes.hpp"
#include "cli/pool.hpp"
#include "properties/futex_program.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

using properties::Verdict;

/// In the worker: checks one scenario and sends the report as its last line.
void check_one(const CheckTask& task, const CheckRun& run, const Send& send) {
  properties::RunOptions options = run.options;
  options.search.progress = [&send](const checker::Progress& at) {
    send(dump({{"progress", {at.states, at.transitions, at.bytes, at.depth, at.seconds}}}, -1));
  };
  CheckReport report;
  report.scenario = properties::run_scenario(*task.scenario, *task.variant, options);
  for (const properties::Violation& violation : report.scenario.violations) {
    const auto& trace = violation.trace;
    if (run.stories) {
      properties::FutexProgram program(*task.scenario, *task.variant);
      program.look_for_shown(violation.property, violation.message);
      report.stories.push_back(trace ? checker::explain(program, *trace) : "");
    }
    if (run.flows) {
      properties::FutexProgram program(*task.scenario, *task.variant);
      program.look_for_shown(violation.property, violation.message);
      report.flows.push_back(trace ? flow_of(program, *trace) : Flow());
    }
  }
  send(to_wire(report));
}

CheckReport not_begun(const CheckTask& task) {
  CheckReport report;
  report.scenario.scenario = task.scenario->name;
  report.scenario.kernel = task.variant->kernel;
  report.scenario.patches = task.variant->patches;
  report.scenario.knockouts = task.variant->knockouts;
  report.scenario.result.limit = checker::Limit::interrupted;
  return report;
}

checker::Progress progress_of(const Json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

}  // namespace

std::vector<CheckOutcome> run_checks(
    const std::vector<CheckTask>& tasks, const CheckRun& run, ProgressDisplay& progress,
    const std::function<void(std::size_t, const CheckOutcome&)>& finished) {
  std::vector<CheckOutcome> outcomes(tasks.size());
  std::vector<bool> known(tasks.size(), false);
  std::size_t next = 0;  // the first one not passed on yet
  const auto pass_on = [&] {
    for (; next < tasks.size() && known[next]; ++next) {
      progress.clear();
      finished(next, outcomes[next]);
    }
  };

  Pool pool;
  pool.jobs = run.jobs;
  pool.in_process = run.in_process;
  pool.interrupt = run.options.search.interrupt;
  pool.idle = [&] { progress.tick(); };
  pool.line = [&](std::size_t task, const std::string& line) {
    const Json json = Json::parse(line);
    if (json.contains("progress")) {
      progress.update(task, tasks[task].scenario->name, progress_of(json.at("progress")));
    } else {
      outcomes[task].report = from_wire(json);
    }
  };
  pool.ended = [&](std::size_t task, const std::string& crash) {
    if (!crash.empty()) outcomes[task] = {std::nullopt, crash};
    if (crash.empty() && !outcomes[task].report) outcomes[task].crash = "ended without a report";
    known[task] = true;
    progress.done(task);
    pass_on();
  };
  run_pool(
      tasks.size(),
      [&](std::size_t task, const Send& send) { check_one(tasks[task], run, send); }, pool);

  for (std::size_t task = 0; task < tasks.size(); ++task) {
    if (!known[task]) outcomes[task] = {not_begun(tasks[task]), ""};
    known[task] = true;
  }
  pass_on();
  return outcomes;
}

Summary summarize(const std::vector<CheckOutcome>& outcomes) {
  Summary summary;
  bool broken = false;
  std::vector<int> limits;
  for (const CheckOutcome& outcome : outcomes) {
    broken |= !outcome.report || !outcome.report->scenario.result.audit_failures.empty();
    if (!outcome.report) continue;
    for (const properties::Violation& violation : outcome.report->scenario.violations) {
      summary.violated.push_back(violation.property);
    }
    const int code = limit_exit_code(outcome.report->scenario.result.limit);
    if (code != 0) limits.push_back(code);
  }
  std::sort(summary.violated.begin(), summary.violated.end());
  summary.violated.erase(std::unique(summary.violated.begin(), summary.violated.end()),
                         summary.violated.end());
  if (!summary.violated.empty()) {
    summary.verdict = Verdict::violated;
    summary.exit_code = properties::exit_code(summary.violated);
  } else if (broken || !limits.empty()) {
    summary.verdict = Verdict::inconclusive;
    if (!limits.empty()) summary.exit_code = *std::min_element(limits.begin(), limits.end());
  }
  if (broken) summary.exit_code = exit_code::kInternal;
  return summary;
}

}  // namespace futexmc::cli
