// SPDX-License-Identifier: GPL-2.0-or-later
//
// A check as JUnit: a suite for the variant, a case for each scenario and property.
#include <algorithm>

#include <fmt/format.h>

#include "cli/check_document.hpp"
#include "cli/junit.hpp"
#include "cli/places.hpp"
#include "cli/variants.hpp"

namespace futexmc::cli {
namespace {

using Outcome = JunitCase::Outcome;

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

void fail(JunitCase& one, const CheckReport& report, std::size_t index) {
  const properties::Violation& violation = report.scenario.violations[index];
  one.outcome = Outcome::failed;
  one.type = violation.property;
  one.message = violation.message;
  if (index < report.stories.size()) one.text = report.stories[index];
  if (one.text.empty()) one.text = violation.message + "\n";  // no one execution shows it
  if (index < report.traces.size() && !report.traces[index].empty()) {
    one.text += fmt::format("\ntrace: {}\n", report.traces[index]);
  }
}

JunitCase make_case(const FinishedCheck& check, std::size_t task, const std::string& property) {
  const CheckOutcome& outcome = check.outcomes[task];
  JunitCase one;
  one.name = property;
  one.classname = fmt::format("{}.{}", variant_name(*check.tasks[task].variant),
                              check.tasks[task].scenario->name);
  if (outcome.report) {
    const properties::ScenarioReport& scenario = outcome.report->scenario;
    // One search decides all of them, but races may have one of their own.
    const bool apart = property == "race" && scenario.race_states.has_value();
    one.seconds = apart ? scenario.race_seconds
                        : scenario.result.seconds / static_cast<double>(check.properties.size());
    for (std::size_t i = 0; i < scenario.violations.size(); ++i) {
      if (scenario.violations[i].property != property) continue;
      fail(one, *outcome.report, i);
      return one;
    }
  }
  if (outcome.report) {
    const Names& shared = outcome.report->scenario.shared_with_base;
    if (std::find(shared.begin(), shared.end(), property) != shared.end()) {
      one.outcome = Outcome::skipped;
      one.message = "violated, but the kernel violates it without the patch too";
      return one;
    }
  }
  const Undecided why = undecided(outcome, check.stop_at_first);
  if (!why.reason.empty()) {
    one.outcome = Outcome::error;
    one.type = why.internal_error ? "internal-error" : "inconclusive";
    one.message = why.reason;
    return one;
  }
  const Names& vacuous = outcome.report->scenario.vacuous;
  if (std::find(vacuous.begin(), vacuous.end(), property) != vacuous.end()) {
    one.outcome = Outcome::skipped;
    one.message = "nothing to look at in this scenario";
  }
  const Names& skipped = outcome.report->scenario.skipped;
  if (std::find(skipped.begin(), skipped.end(), property) != skipped.end()) {
    one.outcome = Outcome::skipped;
    one.message = "not looked at: it needs a search of its own";
  }
  return one;
}

}  // namespace

std::string check_junit(const FinishedCheck& check) {
  const model::Variant& variant = *check.tasks.front().variant;
  JunitSuite suite;
  suite.name = variant_name(variant);
  suite.properties = {{"futexmc", version()},
                      {"kernel", variant.kernel},
                      {"patches", joined(variant.patches)},
                      {"knockouts", joined(variant.knockouts)},
                      {"verdict", properties::to_string(check.summary.verdict)},
                      {"exit_code", std::to_string(check.exit_code)}};
  for (std::size_t task = 0; task < check.tasks.size(); ++task) {
    for (const std::string& property : check.properties) {
      suite.cases.push_back(make_case(check, task, property));
    }
  }
  return to_junit("futexmc check", {suite});
}

}  // namespace futexmc::cli
