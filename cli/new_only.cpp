// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/new_only.hpp"

#include "cli/variants.hpp"

namespace futexmc::cli {
namespace {

using properties::Verdict;

void drop(CheckReport& report, const properties::ScenarioReport& base, Names& dropped) {
  properties::ScenarioReport& scenario = report.scenario;
  for (std::size_t i = 0; i < scenario.violations.size();) {
    const std::string property = scenario.violations[i].property;
    if (base.find(property) == nullptr) {
      ++i;
      continue;
    }
    const auto at = static_cast<std::ptrdiff_t>(i);
    scenario.violations.erase(scenario.violations.begin() + at);
    if (i < report.stories.size()) report.stories.erase(report.stories.begin() + at);
    scenario.shared_with_base.push_back(property);
    dropped.push_back(property + " in " + scenario.scenario);
  }
  if (!scenario.violations.empty()) return;
  scenario.verdict = scenario.result.complete() ? Verdict::holds : Verdict::inconclusive;
}

}  // namespace

Names drop_shared(const std::vector<CheckTask>& tasks, CheckRun run, ProgressDisplay& progress,
                  std::vector<CheckOutcome>& outcomes) {
  model::Variant kernel = named_variant(tasks.front().variant->kernel, {}, {});
  kernel.memory = tasks.front().variant->memory;
  std::vector<CheckTask> again;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!outcomes[i].report || outcomes[i].report->scenario.violations.empty()) continue;
    again.push_back({tasks[i].scenario, &kernel});
    places.push_back(i);
  }
  run.stories = false;
  run.options.minimize = false;
  const auto base = run_checks(again, run, progress, [](std::size_t, const CheckOutcome&) {});
  Names dropped;
  for (std::size_t k = 0; k < base.size(); ++k) {
    if (base[k].report) drop(*outcomes[places[k]].report, base[k].report->scenario, dropped);
  }
  return dropped;
}

}  // namespace futexmc::cli
