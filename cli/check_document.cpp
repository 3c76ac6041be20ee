// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check_document.hpp"

namespace futexmc::cli {

Undecided undecided(const CheckOutcome& outcome, bool stop_at_first) {
  if (!outcome.report) return {"internal error: the worker " + outcome.crash, true};
  const properties::ScenarioReport& report = outcome.report->scenario;
  const checker::Result& result = report.result;
  if (!result.audit_failures.empty()) {
    return {"internal error: audit: " + result.audit_failures.front().what, true};
  }
  const char* const cut = "not searched to the end: ";
  if (!result.complete()) return {cut + limit_reason(result.limit) + result.bound};
  if (stop_at_first && !report.violations.empty()) return {cut + std::string("--stop-at-first")};
  return {};
}

Json check_json(const FinishedCheck& check) {
  const model::Variant& variant = *check.tasks.front().variant;
  Json json;
  json["kernel"] = variant.kernel;
  json["patches"] = variant.patches;
  json["knockouts"] = variant.knockouts;
  json["properties"] = check.properties;
  json["memory"] = properties::to_string(variant.memory);
  json["verdict"] = properties::to_string(check.summary.verdict);
  json["exit_code"] = check.exit_code;
  json["scenarios"] = Json::array();
  for (std::size_t i = 0; i < check.outcomes.size(); ++i) {
    if (check.outcomes[i].report) {
      json["scenarios"].push_back(to_json(*check.outcomes[i].report));
    } else {
      json["scenarios"].push_back({{"scenario", check.tasks[i].scenario->name},
                                   {"internal_error", check.outcomes[i].crash}});
    }
  }
  json["not_checked"] = check.not_checked;
  return json;
}

}  // namespace futexmc::cli
