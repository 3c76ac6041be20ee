// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a sample covered, as printed. Nothing here may read as if it were all there is.
#include <fmt/format.h>

#include "cli/report.hpp"

namespace futexmc::cli {
namespace {

using checker::Limit;
using checker::Result;
using checker::Sampled;
using checker::Scheduler;

std::string line(const std::string& text) { return "    " + text + "\n"; }

std::string runs_text(const Sampled& sampled, const Result& result) {
  std::string text = fmt::format("sampled, not exhausted: {}", sampled.runs);
  if (result.limit != Limit::sampled) {
    if (sampled.options.runs != 0) text += fmt::format(" of {}", sampled.options.runs);
    text += " runs";
    const std::string reason = limit_reason(result.limit) + result.bound;
    if (!reason.empty()) text += fmt::format(" ({})", reason);
  } else {
    text += " runs";
  }
  text += fmt::format(", {}", checker::to_string(sampled.options.scheduler));
  if (sampled.options.scheduler == Scheduler::pct) {
    text += fmt::format(" of depth {}", sampled.options.depth);
  }
  return text +
         fmt::format(", seed {}; the longest of {} steps", sampled.options.seed, result.max_depth);
}

std::string outcomes_text(const Sampled& sampled, const Result& result) {
  if (sampled.outcomes == 0) return "no run came to a final state";
  return fmt::format("{} final states, {} outcomes, {} of them in one run only", result.finals,
                     sampled.outcomes, sampled.outcomes_once);
}

std::string estimate_text(const Sampled& sampled) {
  const std::string odds = sampled.outcomes_once != 0
                               ? fmt::format("of {:.1g}", sampled.new_outcome())
                               : fmt::format("below {:.1g}", 1 / static_cast<double>(sampled.runs));
  return fmt::format("estimate (Good-Turing): the next run shows a new outcome with odds {}", odds);
}

std::string promise_text(const Sampled& sampled) {
  return fmt::format(
      "pct: each run would show a violation of depth {} with odds of at least {:.2g} "
      "=\n      1/(n*k^{}), for n = {} agents and k = {} decisions, those of the "
      "longest run",
      sampled.options.depth, sampled.promise(), sampled.options.depth - 1, sampled.agents,
      sampled.decisions);
}

}  // namespace

std::string to_text(const Sampled& sampled, const Result& result) {
  std::string text = line(runs_text(sampled, result));
  if (sampled.cut != 0) {
    text +=
        line(fmt::format("{} runs were cut after {} steps: a livelock, or --max-steps is too "
                         "low",
                         sampled.cut, sampled.options.max_steps));
  }
  text += line(outcomes_text(sampled, result));
  if (sampled.outcomes != 0 && sampled.runs != 0) text += line(estimate_text(sampled));
  if (sampled.promise() != 0) text += line(promise_text(sampled));
  if (sampled.table_full) {
    text += line("the table of states was full: more were seen than were counted");
  }
  for (const std::string& message : sampled.not_seen) {
    text += line("in these runs: " + message);
  }
  return text;
}

Json to_json(const Sampled& sampled) {
  const bool pct = sampled.options.scheduler == Scheduler::pct;
  Json json;
  json["scheduler"] = checker::to_string(sampled.options.scheduler);
  json["depth"] = pct ? Json(sampled.options.depth) : Json();
  json["seed"] = sampled.options.seed;
  json["runs"] = sampled.runs;
  json["runs_asked"] = sampled.options.runs != 0 ? Json(sampled.options.runs) : Json();
  json["runs_cut"] = sampled.cut;
  json["max_steps"] = sampled.options.max_steps;
  json["table_full"] = sampled.table_full;
  json["outcomes"] = sampled.outcomes;
  json["outcomes_once"] = sampled.outcomes_once;
  json["new_outcome_estimate"] = sampled.new_outcome();
  json["agents"] = sampled.agents;
  json["decisions"] = pct ? Json(sampled.decisions) : Json();
  json["longer_runs"] = pct ? Json(sampled.longer) : Json();
  json["least_odds"] = sampled.promise() != 0 ? Json(sampled.promise()) : Json();
  json["not_seen"] = sampled.not_seen;
  return json;
}

Sampled sampled_from(const Json& json) {
  const auto number = [&json](const char* name) {
    const Json& value = json.at(name);
    return value.is_null() ? 0 : value.get<std::uint64_t>();
  };
  Sampled sampled;
  const bool pct = json.at("scheduler") == checker::to_string(Scheduler::pct);
  sampled.options.scheduler = pct ? Scheduler::pct : Scheduler::random;
  if (pct) sampled.options.depth = json.at("depth");
  sampled.options.seed = number("seed");
  sampled.options.runs = number("runs_asked");
  sampled.options.max_steps = number("max_steps");
  sampled.runs = number("runs");
  sampled.cut = number("runs_cut");
  sampled.table_full = json.at("table_full");
  sampled.outcomes = number("outcomes");
  sampled.outcomes_once = number("outcomes_once");
  sampled.agents = number("agents");
  sampled.decisions = number("decisions");
  sampled.longer = number("longer_runs");
  sampled.not_seen = json.at("not_seen").get<std::vector<std::string>>();
  return sampled;
}

}  // namespace futexmc::cli
