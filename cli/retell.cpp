// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc minimize` and `futexmc explain`: a better trace, and a trace for people.
#include <fmt/format.h>

#include "checker/explain.hpp"
#include "checker/minimize.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/limits.hpp"
#include "cli/places.hpp"
#include "cli/subject.hpp"
#include "properties/futex_program.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {
namespace {

constexpr const char* kDefaultSeconds = "60";

checker::Replay replay_own(const LoadedTrace& loaded, properties::FutexProgram& program) {
  program.look_for_shown(loaded.trace.property, loaded.trace.message);
  checker::ReplayOptions options;
  options.same_model = loaded.subject.same_model;
  return checker::replay(program, loaded.trace, options);
}

std::string cost_text(const checker::TraceCost& cost) {
  return fmt::format("{} threads, {} switches, {} events, {} operations", cost.threads,
                     cost.switches, cost.events, cost.operations);
}

checker::Trace minimized(const LoadedTrace& loaded, const checker::Replay& replay,
                         checker::Options limits) {
  checker::Finding finding{loaded.trace.property, loaded.trace.message, {}};
  const Subject& subject = loaded.subject;
  // A proof among transactions is the cheaper one. It needs no path to start from.
  limits.movers = true;
  limits.max_seconds /= 2;
  auto best = properties::minimized_trace(subject.scenario, subject.variant, finding, limits);
  if (best && best->minimal == checker::Minimal::proved) return *best;
  for (const checker::RecordedStep& step : replay.steps) {
    finding.path.push_back({static_cast<std::uint8_t>(step.agent),
                            static_cast<std::uint8_t>(step.step.alternative)});
  }
  limits.movers = false;
  best = properties::minimized_trace(subject.scenario, subject.variant, finding, limits);
  return best.value_or(loaded.trace);
}

}  // namespace

int minimize(const MinimizeOptions& options, Streams& streams) {
  LimitOptions limits = options.limits;
  if (limits.max_time.empty()) limits.max_time = kDefaultSeconds;
  const checker::Options search = limited(limits, 1);
  const LoadedTrace loaded = load_trace(options.trace);
  properties::FutexProgram program(loaded.subject.scenario, loaded.subject.variant);
  const checker::Replay replay = replay_own(loaded, program);
  if (replay.outcome != checker::Outcome::reproduces) {
    streams.err << fmt::format("futexmc: {}: {}, so there is nothing to minimize\n", options.trace,
                               checker::to_string(replay.outcome));
    return static_cast<int>(replay.outcome);
  }
  const checker::Trace best = minimized(loaded, replay, search);
  const std::string text = checker::write_trace(best);
  if (options.output.empty()) {
    streams.out << text;
  } else {
    write_file(options.output, text);
  }
  streams.err << fmt::format("before: {}\nafter:  {} ({})\n",
                             cost_text(checker::cost_of(loaded.trace, replay)),
                             cost_text(best.cost),
                             best.minimal == checker::Minimal::proved ? "proved minimal"
                                                                      : "not proved minimal");
  return 0;
}

int explain(const std::string& trace, Streams& streams) {
  const LoadedTrace loaded = load_trace(trace);
  properties::FutexProgram program(loaded.subject.scenario, loaded.subject.variant);
  const checker::Replay replay = replay_own(loaded, program);
  streams.out << checker::explain(loaded.trace, replay);
  return static_cast<int>(replay.outcome);
}

}  // namespace futexmc::cli
