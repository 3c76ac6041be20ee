// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc check`: a verdict for each scenario, the stories, the traces.
#include "cli/check.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/livelock.hpp"
#include "cli/check_document.hpp"
#include "cli/commands.hpp"
#include "cli/expectation.hpp"
#include "cli/failure.hpp"
#include "cli/new_only.hpp"
#include "cli/limits.hpp"
#include "cli/places.hpp"
#include "cli/scenarios.hpp"
#include "model/world.hpp"
#include "cli/stories.hpp"
#include "cli/variants.hpp"

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

CheckRun run_options(const CheckOptions& options, std::size_t tasks, bool sampled) {
  CheckRun run;
  run.jobs = job_count(options.jobs, tasks);
  run.in_process = run.jobs == 1;
  run.options.search = limited(options.limits, run.jobs);
  require("search", options.search, {"bfs", "dfs"});
  run.options.breadth_first = options.search == "bfs";
  if (options.audit && run.options.breadth_first) {
    throw Failure(exit_code::kUsage, "--audit needs --search dfs");
  }
  run.options.search.movers = run.options.search.sleep_sets = !options.no_reduction;
  run.options.search.audit = options.audit;
  run.options.search.stop_at_first = options.stop_at_first;
  for (const std::string& property : options.properties) {
    require("property", property, all_property_names());
    if (property == checker::kProgress && sampled) {
      throw Failure(exit_code::kUsage, "progress is about all executions: no sample shows it");
    }
    run.options.properties.insert(property);
  }
  run.stories = options.format == Format::text || options.format == Format::junit;
  run.flows = options.format == Format::sarif;
  return run;
}

/// Writes each trace to the directory, under the name docs/json.md describes.
void write_traces(const std::string& directory, const model::Variant& variant,
                  std::vector<CheckOutcome>& outcomes) {
  std::set<fs::path> written;
  for (CheckOutcome& outcome : outcomes) {
    if (!outcome.report) continue;
    for (const properties::Violation& violation : outcome.report->scenario.violations) {
      std::string& name = outcome.report->traces.emplace_back();
      if (!violation.trace) continue;
      fs::path path =
          fs::path(directory) / fmt::format("{}-{}-{}.json", variant_name(variant),
                                            violation.property, outcome.report->scenario.scenario);
      // Files in different directories may have one name.
      const fs::path stem = path.stem();
      for (int n = 2; !written.insert(path).second; ++n) {
        path.replace_filename(fmt::format("{}-{}.json", stem.string(), n));
      }
      write_file(path, checker::write_trace(*violation.trace));
      name = path.string();
    }
  }
}

/// In how many scenarios a property was left out, because it needs a search of its own.
std::string left_out(const std::vector<CheckOutcome>& outcomes) {
  std::map<std::string, std::size_t> skipped;
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.report) continue;
    for (const std::string& property : outcome.report->scenario.skipped) ++skipped[property];
  }
  std::string text;
  for (const auto& [property, count] : skipped) {
    text += fmt::format("not looked at in {} of {} {}: {} (see --property in --help)\n", count,
                        outcomes.size(), outcomes.size() == 1 ? "scenario" : "scenarios",
                        property);
  }
  return text;
}

/// Which properties had nothing to look at in any of the scenarios.
std::string vacuity(const std::vector<CheckOutcome>& outcomes) {
  std::map<std::string, std::size_t> vacuous;
  std::size_t reports = 0;
  bool sampled = false;
  for (const CheckOutcome& outcome : outcomes) {
    if (!outcome.report) continue;
    const properties::ScenarioReport& report = outcome.report->scenario;
    if (!report.result.complete() && !report.sampled) return "";
    sampled |= report.sampled.has_value();
    ++reports;
    for (const std::string& property : report.vacuous) ++vacuous[property];
  }
  std::string names;
  for (const auto& [property, count] : vacuous) {
    if (count == reports) names += (names.empty() ? "" : ", ") + property;
  }
  if (names.empty()) return "";
  return fmt::format("nothing to look at {} for: {}\n", sampled ? "in these runs" : "here", names);
}

/// What the documents say about the check.
FinishedCheck finished(const CheckOptions& options, const std::vector<CheckTask>& tasks,
                       const std::vector<CheckOutcome>& outcomes, const Summary& summary,
                       int exit_code) {
  FinishedCheck check{tasks, outcomes, {}, {}, {}, options.stop_at_first, summary, exit_code};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const bool named = !options.scenarios.empty();
    check.paths.push_back(scenario_path(named ? options.scenarios[i] : tasks[i].scenario->name));
  }
  const Names& chosen = options.properties;
  for (const std::string& property : chosen.empty() ? property_names() : all_property_names()) {
    const bool checked = chosen.empty() ||
                         std::find(chosen.begin(), chosen.end(), property) != chosen.end();
    if (checked) check.properties.push_back(property);
  }
  return check;
}

}  // namespace

int check(const CheckOptions& options, Streams& streams) {
  return check_as(options, {"check", std::nullopt}, streams);
}

int check_as(const CheckOptions& given, const CheckManner& manner, Streams& streams) {
  CheckOptions options = given;
  options.scenarios = each_once(given.scenarios, streams);
  model::Variant variant =
      named_variant(options.kernel.empty() ? kBaseKernel : options.kernel, options.patches,
                    options.knockouts);
  variant.memory = named_memory(options.memory);
  if (options.new_only && options.patches.empty() && options.knockouts.empty()) {
    throw Failure(exit_code::kUsage, "--new-only needs a --patch or a --knockout");
  }
  const auto expectation = parse_expectation(options.expect);
  const auto scenarios = load_scenarios(options.scenarios);
  CheckRun run = run_options(options, scenarios.size(), manner.sample.has_value());
  run.options.sample = manner.sample;
  require_room(scenarios, variant.memory);
  if (!options.trace_dir.empty()) make_directory(options.trace_dir);
  std::vector<CheckTask> tasks;
  Names not_checked;
  for (const scenario::Scenario& scenario : scenarios) {
    if (model::applies(scenario, variant)) {
      tasks.push_back({&scenario, &variant});
    } else if (options.scenarios.empty()) {
      not_checked.push_back(scenario.name);
    } else {
      throw Failure(exit_code::kUsage,
                    fmt::format("scenario '{}' uses the private hash, which kernel '{}' has not",
                                scenario.name, variant.kernel));
    }
  }
  if (tasks.empty()) throw Failure(exit_code::kUsage, "there are no scenarios");

  ProgressDisplay progress(streams, options.quiet, tasks.size());
  const auto print = [&](std::size_t task, const CheckOutcome& outcome) {
    if (!outcome.report) {
      streams.err << fmt::format("futexmc: internal error: {}: the worker {}\n",
                                 tasks[task].scenario->name, outcome.crash);
    } else if (options.format == Format::text) {
      streams.out << to_text(outcome.report->scenario) << std::flush;
    }
  };
  std::vector<CheckOutcome> outcomes = run_checks(tasks, run, progress, print);
  Names shared;
  if (options.new_only) shared = drop_shared(tasks, run, progress, outcomes);
  progress.clear();
  if (!options.trace_dir.empty()) write_traces(options.trace_dir, variant, outcomes);

  const Summary summary = summarize(outcomes);
  int code = summary.exit_code;
  if (expectation && code != exit_code::kInternal) {
    code = met(*expectation, summary) ? 0 : exit_code::kExpectationMissed;
  }
  FinishedCheck done = finished(options, tasks, outcomes, summary, code);
  done.not_checked = not_checked;
  switch (options.format) {
    case Format::text:
      if (!not_checked.empty()) {
        streams.out << fmt::format("not checked, because they use the private hash: {}\n",
                                   fmt::join(not_checked, ", "));
      }
      if (!shared.empty()) {
        streams.out << fmt::format("{} violates without it too, so not counted: {}\n",
                                   variant.kernel, fmt::join(shared, ", "));
      }
      if (!options.properties.empty()) {
        streams.out << fmt::format("only these properties were looked at: {}\n",
                                   fmt::join(options.properties, ", "));
      }
      streams.out << vacuity(outcomes) << left_out(outcomes)
                  << stories(outcomes, options.scenarios, variant, manner.command);
      break;
    case Format::json: streams.out << dump(check_json(done)) << "\n"; break;
    case Format::junit: streams.out << check_junit(done); break;
    case Format::sarif: streams.out << dump(check_sarif(done)) << "\n"; break;
  }
  if (code == exit_code::kExpectationMissed) {
    streams.err << fmt::format("futexmc: expected {}, but the verdict is {}\n", options.expect,
                               properties::to_string(summary.verdict));
  }
  return code;
}

}  // namespace futexmc::cli
