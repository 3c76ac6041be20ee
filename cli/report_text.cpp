// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "cli/exit_codes.hpp"
#include "cli/report.hpp"
#include "cli/units.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {
namespace {

using checker::Limit;
using properties::ScenarioReport;
using properties::Verdict;

std::string verdict_text(const ScenarioReport& report) {
  switch (report.verdict) {
    case Verdict::holds: return "holds";
    case Verdict::inconclusive:
      return fmt::format("inconclusive: {}", properties::to_string(report.result.limit));
    case Verdict::violated: break;
  }
  std::string text = "violated: ";
  for (const properties::Violation& violation : report.violations) {
    text += violation.property + ", ";
  }
  text.resize(text.size() - 2);
  return text;
}

std::string statistics(const checker::Result& result) {
  std::string text = fmt::format("{} states, {} transitions, {}", result.states,
                                 result.transitions, short_seconds(result.seconds));
  const auto states = static_cast<double>(result.states);
  if (result.seconds > 0) text += fmt::format(", {}/s", short_count(states / result.seconds));
  if (result.states > 0) {
    text += fmt::format(", {:.0f} B/state", static_cast<double>(result.bytes) / states);
  }
  return text + fmt::format(", odds {:.0e}", result.collision_odds);
}

}  // namespace

std::string limit_reason(Limit limit) {
  switch (limit) {
    case Limit::none: return "";
    case Limit::states: return "--max-states was reached";
    case Limit::time: return "--max-time was reached";
    case Limit::memory: return "--max-memory was reached";
    case Limit::interrupted: return "it was interrupted";
    case Limit::model: return "the model has no room for ";
    case Limit::sampled: return "it was sampled";
  }
  return "";
}

int limit_exit_code(Limit limit) {
  switch (limit) {
    case Limit::none: return 0;
    case Limit::states:
    case Limit::sampled:
    case Limit::model: return exit_code::kBound;
    case Limit::time:
    case Limit::interrupted: return exit_code::kTime;
    case Limit::memory: return exit_code::kMemory;
  }
  return 0;
}

std::string to_text(const ScenarioReport& report) {
  const checker::Result& result = report.result;
  std::string text = fmt::format("{:<24} {:<20} {}\n", report.scenario, verdict_text(report),
                                 statistics(result));
  for (const properties::Violation& violation : report.violations) {
    text += fmt::format("    {}: {}", violation.property, violation.message);
    if (violation.messages > 1) text += fmt::format(" (and {} other)", violation.messages - 1);
    if (properties::is_known(violation.property, violation.message)) {
      text += " (v7.3 has it: docs/findings.md)";
    }
    if (violation.run != 0) text += fmt::format(" (first in run {})", violation.run);
    text += "\n";
  }
  if (report.sampled) {
    text += to_text(*report.sampled, result);
  } else if (result.limit != Limit::none) {
    text += fmt::format("    not searched to the end: {}{}\n", limit_reason(result.limit),
                        result.bound);
  } else if (result.finals == 0) {
    text += "    no final state: some thread can run for ever\n";
  }
  if (!result.reduction_off.empty()) {
    text += fmt::format("    searched without movers: {} was used without its lock\n",
                        result.reduction_off);
  }
  for (const checker::AuditFailure& failure : result.audit_failures) {
    text += fmt::format("    audit: {}\n", failure.what);
  }
  return text;
}

}  // namespace futexmc::cli
