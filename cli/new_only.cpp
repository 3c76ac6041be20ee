// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/new_only.hpp"

#include <cstdint>
#include <optional>

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

bool has_race(const CheckOutcome& outcome) {
  return outcome.report->scenario.find("race") != nullptr;
}

}  // namespace

Names drop_shared(const std::vector<CheckTask>& tasks, CheckRun run, ProgressDisplay& progress,
                  std::vector<CheckOutcome>& outcomes) {
  model::Variant kernel = named_variant(tasks.front().variant->kernel, {}, {});
  kernel.memory = tasks.front().variant->memory;
  run.stories = false;
  run.options.minimize = false;
  std::vector<std::optional<CheckReport>> base(tasks.size());
  // Where the patch has a race, the kernel may have more states than are searched by default.
  for (const bool races : {false, true}) {
    std::vector<CheckTask> again;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (!outcomes[i].report || outcomes[i].report->scenario.violations.empty()) continue;
      if (has_race(outcomes[i]) != races) continue;
      again.push_back({tasks[i].scenario, &kernel});
      places.push_back(i);
    }
    run.options.max_states_for_races = races ? ~std::uint64_t{0} : 0;
    const auto found = run_checks(again, run, progress, [](std::size_t, const CheckOutcome&) {});
    for (std::size_t k = 0; k < found.size(); ++k) base[places[k]] = found[k].report;
  }
  Names dropped;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (base[i]) drop(*outcomes[i].report, base[i]->scenario, dropped);
  }
  return dropped;
}

}  // namespace futexmc::cli
