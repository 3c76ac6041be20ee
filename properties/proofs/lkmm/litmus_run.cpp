// SPDX-License-Identifier: GPL-2.0-or-later
#include <exception>

#include "properties/proofs/lkmm/litmus_events.hpp"

namespace futexmc::proofs::lkmm::litmus {
namespace {

Observation observe(Verdict holds, Verdict fails) {
  if (holds == Verdict::unknown || fails == Verdict::unknown) return Observation::unknown;
  if (holds == Verdict::impossible) return Observation::never;
  return fails == Verdict::possible ? Observation::sometimes : Observation::always;
}

void ask(const Program& test, const Omitted& omitted, Limits limits, Outcome& outcome) {
  z3::context context;
  Graph graph(context);
  const z3::expr condition = add_events(test, graph);
  Model model(graph, omitted, limits);
  const Answer holds = model.ask(condition);
  const Answer fails = model.ask(!condition);
  const Answer race = model.ask_race();
  outcome.observation = observe(holds.verdict, fails.verdict);
  outcome.race = race.verdict == Verdict::possible;
  outcome.race_known = race.verdict != Verdict::unknown;
  outcome.witness = holds.execution;
  outcome.events = graph.size();
  for (const Answer* answer : {&holds, &fails, &race}) {
    outcome.seconds += answer->seconds;
    if (outcome.reason.empty()) outcome.reason = answer->reason;
  }
}

}  // namespace

std::string_view spell(Observation observation) {
  switch (observation) {
    case Observation::never: return "Never";
    case Observation::sometimes: return "Sometimes";
    case Observation::always: return "Always";
    case Observation::unknown: break;
  }
  return "Unknown";
}

Outcome run(const Program& test, const Omitted& omitted, Limits limits) {
  Outcome outcome;
  try {
    ask(test, omitted, limits, outcome);
  } catch (const z3::exception& error) {
    outcome = {};
    outcome.reason = std::string("z3: ") + error.msg();
  } catch (const std::exception& error) {
    outcome = {};
    outcome.reason = error.what();
  }
  return outcome;
}

}  // namespace futexmc::proofs::lkmm::litmus
