// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc diff`: what one variant does that another does not, what each touches, and which cache
// lines move.
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/diff_report.hpp"
#include "cli/failure.hpp"
#include "cli/limits.hpp"
#include "cli/places.hpp"
#include "cli/pool.hpp"
#include "cli/progress.hpp"
#include "cli/scenarios.hpp"
#include "cli/variants.hpp"
#include "model/world.hpp"

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDefaultSeconds = "60";

/// Both sides, by what the user wrote.
DiffReport sides(const DiffOptions& options) {
  if (options.patches.empty() && options.knockouts.empty() && options.against.empty()) {
    throw Failure(exit_code::kUsage,
                  "there is nothing to compare: give --patch, --knockout or --against");
  }
  const std::string kernel = options.kernel.empty() ? kBaseKernel : options.kernel;
  DiffReport report;
  report.after.variant = named_variant(kernel, options.patches, options.knockouts);
  report.before.variant = parse_variant(options.against, kernel);
  report.before.variant.memory = report.after.variant.memory = named_memory(options.memory);
  return report;
}

std::vector<DiffOutcome> run_all(const DiffReport& report,
                                 const std::vector<scenario::Scenario>& scenarios,
                                 const DiffOptions& options, Streams& streams) {
  LimitOptions limits = options.limits;
  if (limits.max_time.empty()) limits.max_time = kDefaultSeconds;
  const std::size_t jobs = job_count(options.jobs, scenarios.size());
  const checker::Options search = limited(limits, jobs);
  std::vector<DiffOutcome> outcomes;
  for (const scenario::Scenario& scenario : scenarios) {
    outcomes.push_back({scenario.name, std::nullopt, "", {}, {}});
  }
  ProgressDisplay progress(streams, options.quiet, scenarios.size());
  Pool pool;
  pool.jobs = jobs;
  pool.in_process = jobs == 1;
  pool.interrupt = search.interrupt;
  pool.idle = [&] { progress.tick(); };
  pool.line = [&](std::size_t task, const std::string& line) {
    const Json json = Json::parse(line);
    if (!json.contains("progress")) {
      outcomes[task].comparison = comparison_from_wire(json);
      return;
    }
    const Json& at = json.at("progress");
    progress.update(task, outcomes[task].scenario,
                    {at.at(0), at.at(1), at.at(2), at.at(3), at.at(4)});
  };
  pool.ended = [&](std::size_t task, const std::string& crash) {
    outcomes[task].crash = crash;
    progress.done(task);
  };
  const auto work = [&](std::size_t task, const Send& send) {
    checker::Options used = search;
    used.progress = [&send](const checker::Progress& at) {
      send(dump({{"progress", {at.states, at.transitions, at.bytes, at.depth, at.seconds}}}, -1));
    };
    send(to_wire(properties::compare(scenarios[task], report.before.variant, report.after.variant,
                                     used)));
  };
  run_pool(scenarios.size(), work, pool);
  progress.clear();
  for (DiffOutcome& outcome : outcomes) {
    if (outcome.comparison || !outcome.crash.empty()) continue;
    outcome.comparison.emplace();  // never begun
    outcome.comparison->before.limit = checker::Limit::interrupted;
    outcome.comparison->after.limit = checker::Limit::interrupted;
  }
  return outcomes;
}

/// Writes the witnesses of one variant, as VARIANT-KIND-SCENARIO-N.json.
Names write_witnesses(const std::string& directory, const model::Variant& variant,
                      const std::string& scenario,
                      const std::vector<properties::Difference>& differences) {
  Names names;
  for (const properties::Difference& one : differences) {
    std::string& name = names.emplace_back();
    if (!one.witness) continue;
    const fs::path path =
        fs::path(directory) / fmt::format("{}-{}-{}-{}.json", variant_name(variant),
                                          properties::to_string(one.behaviour.kind), scenario,
                                          names.size());
    write_file(path, checker::write_trace(*one.witness));
    name = path.string();
  }
  return names;
}

void write_traces(const std::string& directory, DiffReport& report) {
  make_directory(directory);
  for (DiffOutcome& outcome : report.outcomes) {
    if (!outcome.comparison) continue;
    outcome.gained = write_witnesses(directory, report.after.variant, outcome.scenario,
                                     outcome.comparison->gained);
    outcome.lost = write_witnesses(directory, report.before.variant, outcome.scenario,
                                   outcome.comparison->lost);
  }
}

/// Leaves out what does not apply to both variants; named on the command line it is a mistake.
std::vector<scenario::Scenario> comparable(const DiffOptions& options, DiffReport& report) {
  std::vector<scenario::Scenario> scenarios;
  for (scenario::Scenario& scenario : load_scenarios(options.scenarios)) {
    const model::Variant* lacks = nullptr;
    for (const DiffSide* const side : {&report.before, &report.after}) {
      if (!model::applies(scenario, side->variant)) lacks = &side->variant;
    }
    if (lacks == nullptr) {
      scenarios.push_back(std::move(scenario));
    } else if (options.scenarios.empty()) {
      report.not_compared.push_back(scenario.name);
    } else {
      throw Failure(exit_code::kUsage,
                    fmt::format("scenario '{}' uses the private hash, which kernel '{}' has not",
                                scenario.name, lacks->kernel));
    }
  }
  if (scenarios.empty()) throw Failure(exit_code::kUsage, "there are no scenarios");
  require_room(scenarios, report.after.variant.memory);
  return scenarios;
}

}  // namespace

int diff(const DiffOptions& given, Streams& streams) {
  DiffOptions options = given;
  options.scenarios = each_once(given.scenarios, streams);
  DiffReport report = sides(options);
  const std::vector<scenario::Scenario> scenarios = comparable(options, report);
  report.outcomes = run_all(report, scenarios, options, streams);
  for (DiffSide* const side : {&report.before, &report.after}) {
    // Of operations alone and of lines: when a store becomes visible makes no difference to them.
    model::Variant plain = side->variant;
    plain.memory = checker::Memory::sc;
    side->accounts = properties::accounts(plain);
    side->lines = properties::simulate_lines(plain);
  }
  if (!options.trace_dir.empty()) write_traces(options.trace_dir, report);
  for (const DiffOutcome& outcome : report.outcomes) {
    if (outcome.crash.empty()) continue;
    streams.err << fmt::format("futexmc: internal error: {}: the worker {}\n", outcome.scenario,
                               outcome.crash);
  }
  streams.out << (options.format == Format::json ? dump(diff_json(report)) + "\n"
                                                 : diff_text(report));
  return diff_exit_code(report);
}

}  // namespace futexmc::cli
