// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/replay.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "checker/livelock.hpp"

namespace futexmc::checker {
namespace {

/// Steps in a row that a thread may take when running on: one that spins must not keep the others
/// from what it waits for.
constexpr std::size_t kTurn = 200;

std::string name_of(std::string_view operation, std::string_view object,
                    std::string_view function) {
  std::string text(operation);
  if (!object.empty()) text += fmt::format(" of {}", object);
  if (!function.empty()) text += fmt::format(" in {}()", function);
  return text;
}

class Replayer {
 public:
  Replayer(Program& program, const Trace& trace, const ReplayOptions& options)
      : program_(program), run_(program), trace_(trace), options_(options) {}

  Replay run() {
    for (std::size_t i = 0; i < trace_.steps.size() && !reproduced(); ++i) {
      result_.at = i + 1;
      if (!follow(i) || !state_agrees(i)) return finish(Outcome::diverges);
    }
    if (!reproduced() && trace_.property == kProgress) return finish(progress());
    if (reproduced()) return finish(Outcome::reproduces);
    if (!run_on()) return finish(Outcome::diverges);
    return finish(reproduced() ? Outcome::reproduces : Outcome::now_passes);
  }

 private:
  /// What becomes of executions that go on from here.
  Outcome progress() {
    Options limits;
    limits.max_states = options_.max_states;
    const Limit limit = run_.look_for_livelock(limits);
    if (limit == Limit::none) return reproduced() ? Outcome::reproduces : Outcome::now_passes;
    diverge("the states after the trace's last are too many to see whether one is final");
    return Outcome::diverges;
  }
  bool is_ours(const Violation& violation) const {
    return violation.property == trace_.property && violation.message == trace_.message;
  }
  bool reproduced() const {
    return std::any_of(run_.violations.begin(), run_.violations.end(),
                       [this](const Violation& violation) { return is_ours(violation); });
  }
  bool diverge(std::string because) {
    result_.because = std::move(because);
    return false;
  }
  bool enabled(std::size_t agent) const { return (run_.machine.enabled() & (1U << agent)) != 0; }

  /// Takes the trace's step `i`, or skips it; false if the replay diverges there.
  bool follow(std::size_t i) {
    const TraceStep& step = trace_.steps[i];
    skipped_step_ = false;
    const auto agent = run_.find(step.agent);
    if (!agent.has_value()) {
      return diverge(fmt::format("the program has no thread or event called {}", step.agent));
    }
    if (!run_.machine.is_thread(*agent)) {
      if (!enabled(*agent)) return diverge(fmt::format("{} cannot happen here", step.agent));
      run_.go(*agent, 0);
      return true;
    }
    const Status status = thread_record(*agent).status;
    if (status == Status::finished) return diverge(step.agent + " has finished");
    if (status == Status::faulted) return diverge(step.agent + " was stopped by a fault");
    if (!reach(i, *agent)) return false;
    return skipped_step_ || reproduced() || take(step, *agent);
  }

  /// Brings the agent to the step, over operations of its own, or decides to skip the step.
  bool reach(std::size_t i, std::size_t agent) {
    const TraceStep& step = trace_.steps[i];
    const auto ahead =
        run_.distance(agent, step.operation, step.object, step.function, options_.max_extra);
    if (ahead == 0U) return true;
    const std::size_t skip = steps_to_skip(i, agent);
    if (ahead.has_value() && (skip == 0 || *ahead <= skip)) {
      for (std::size_t n = 0; n < *ahead && !reproduced(); ++n) {
        run_.go(agent, 0);
        ++result_.extra;
      }
      return true;
    }
    if (skip != 0) {
      ++result_.skipped;
      skipped_step_ = true;
      return true;
    }
    if (!enabled(agent)) return diverge(run_.describe_waiting(agent));
    const Step next = run_.pending(agent);
    return diverge(fmt::format("the next operation of {} is now {}, not {}", step.agent,
                               name_of(next.operation, next.object, next.function),
                               name_of(step.operation, step.object, step.function)));
  }

  /// How many of the agent's steps from `i` on to leave out so that the next is what it does next.
  std::size_t steps_to_skip(std::size_t i, std::size_t agent) const {
    const Step next = run_.pending(agent);
    std::size_t skip = 0;
    for (std::size_t j = i; j < trace_.steps.size(); ++j) {
      const TraceStep& step = trace_.steps[j];
      if (step.agent != trace_.steps[i].agent) continue;
      if (step.operation == next.operation && step.object == next.object &&
          step.function == next.function) {
        return skip;
      }
      ++skip;
    }
    return 0;
  }

  bool take(const TraceStep& step, std::size_t agent) {
    if (!enabled(agent)) return diverge(run_.describe_waiting(agent));
    const unsigned alternative = step.alternative.value_or(0);
    const unsigned alternatives = run_.machine.alternatives(agent);
    if (alternative >= alternatives) {
      return diverge(fmt::format("{} of {} has {} outcomes, the trace takes outcome {}",
                                 step.operation, step.agent, alternatives, alternative));
    }
    run_.go(agent, alternative);
    return true;
  }

  bool state_agrees(std::size_t i) {
    if (skipped_step_ || run_.steps.empty()) return true;
    const Hash128 state = run_.steps.back().state;
    if (fmt::format("{:016x}{:016x}", state.a, state.b) == trace_.steps[i].state) return true;
    if (result_.state_differs_at == 0) result_.state_differs_at = i + 1;
    return !options_.same_model || reproduced() ||
           diverge("the state is not the one that the trace names");
  }

  /// Lets everybody run to a final state: the lowest thread first, owed events when no thread can.
  bool run_on() {
    std::size_t turn = 0;
    std::size_t last = kMaxAgents;
    AgentMask rested = 0;  // threads that had their turn
    for (std::size_t taken = 0; taken < options_.max_run_on; ++taken) {
      const AgentMask mask = run_.machine.enabled();
      if (reproduced() || run_.machine.is_final(mask)) return true;
      AgentMask ready = mask & ((1U << run_.machine.thread_count()) - 1);
      if ((ready & ~rested) == 0) {
        // Everybody spins, or nobody can go: the environment moves, if it owes anything.
        rested = owed(mask) != 0 ? ready : 0;
      }
      ready &= ~rested;
      const std::size_t next = ready != 0 ? lowest(ready) : lowest(owed(mask));
      if (ready == 0) rested = 0;
      turn = next == last ? turn + 1 : 0;
      last = next;
      if (turn >= kTurn) rested |= 1U << next;
      run_.go(next, 0);
    }
    return diverge(fmt::format("no final state within {} steps after the trace's last",
                               options_.max_run_on));
  }
  static std::size_t lowest(AgentMask mask) {
    return static_cast<std::size_t>(std::countr_zero(mask));
  }
  AgentMask owed(AgentMask mask) const {
    AgentMask owed = 0;
    for (std::size_t i = 0; i < run_.machine.events().size(); ++i) {
      if (run_.machine.events()[i].owed) owed |= 1U << (run_.machine.thread_count() + i);
    }
    return mask & owed;
  }

  Replay finish(Outcome outcome) {
    result_.outcome = outcome;
    for (const Violation& violation : run_.violations) {
      if (is_ours(violation)) continue;
      if (!result_.because.empty()) result_.because += "; ";
      result_.because += fmt::format("a different violation: {}: {}", violation.property,
                                     violation.message);
    }
    result_.threads = run_.machine.thread_count();
    for (std::size_t agent = 0; agent < run_.machine.agent_count(); ++agent) {
      result_.agents.push_back(run_.machine.agent_name(agent));
    }
    const AgentMask mask = run_.machine.enabled();
    const FinalState state = run_.machine.final_state();
    if (mask == 0 && !state.any_faulted) result_.ending = program_.ending(state);
    for (const std::size_t thread : state.blocked) {
      if ((mask & (1U << thread)) != 0) continue;
      result_.blocked.push_back({thread, run_.pending(thread), run_.describe_waiting(thread)});
    }
    result_.steps = run_.steps;
    result_.violations = run_.violations;
    return result_;
  }

  Program& program_;
  Recording run_;
  const Trace& trace_;
  const ReplayOptions options_;
  Replay result_;
  bool skipped_step_ = false;
};

}  // namespace

Replay replay(Program& program, const Trace& trace, const ReplayOptions& options) {
  return Replayer(program, trace, options).run();
}

TraceCost cost_of(const Trace& trace, const Replay& replay) {
  TraceCost cost;
  std::set<std::string_view> threads;
  std::string_view last;
  const auto events = replay.agents.begin() + static_cast<std::ptrdiff_t>(replay.threads);
  for (const TraceStep& step : trace.steps) {
    if (std::find(events, replay.agents.end(), step.agent) != replay.agents.end()) {
      ++cost.events;
      continue;
    }
    ++cost.operations;
    threads.insert(step.agent);
    if (!last.empty() && last != step.agent) ++cost.switches;
    last = step.agent;
  }
  cost.threads = static_cast<decltype(cost.threads)>(threads.size());
  return cost;
}

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::reproduces: return "reproduces";
    case Outcome::now_passes: return "now passes";
    case Outcome::diverges: return "diverges";
  }
  return "diverges";
}

}  // namespace futexmc::checker
