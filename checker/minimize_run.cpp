// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/minimize_run.hpp"

#include <bit>

namespace futexmc::checker {
namespace {

/// A lenient execution that goes on this much longer than the path is going round in circles.
constexpr std::size_t kExtraSteps = 2000;

class Run {
 public:
  Run(Machine& machine, Watch& watch) : machine_(machine), watch_(watch) {}

  bool done() const { return execution.shown || watch_.broken(); }
  bool can(Choice choice) const {
    return choice.agent < machine_.agent_count() && ((enabled_ >> choice.agent) & 1) != 0 &&
           choice.alternative < machine_.alternatives(choice.agent);
  }

  /// Looks at the state that reset() or a step led to.
  void look() {
    enabled_ = machine_.enabled();
    execution.shown = watch_.seen() || shows_here(machine_, watch_, &execution.in_final_state);
    execution.cost.threads = static_cast<std::uint32_t>(std::popcount(ran_));
  }

  void take(Choice choice) {
    watch_.arm();
    machine_.step(choice.agent, choice.alternative);
    execution.path.push_back(choice);
    if (machine_.is_thread(choice.agent)) ran_ |= 1U << choice.agent;
    execution.cost = cost_after(machine_, execution.cost, last_, choice.agent,
                                watch_.seen() ? watch_.operations() : rt.operations);
    look();
  }

  /// The thread that ran last if it can run, else another, else an owed event.
  bool go_on() {
    if (enabled_ == 0 || machine_.is_final(enabled_)) return false;
    std::size_t agent = last_;
    if (last_ == kNoThread || ((enabled_ >> last_) & 1) == 0) {
      agent = static_cast<std::size_t>(std::countr_zero(enabled_));
      for (; !machine_.is_thread(agent); ++agent) {
        if (((enabled_ >> agent) & 1) != 0 &&
            machine_.events()[agent - machine_.thread_count()].owed) {
          break;
        }
      }
    }
    take({static_cast<std::uint8_t>(agent), 0});
    return true;
  }

  Execution execution;

 private:
  Machine& machine_;
  Watch& watch_;
  AgentMask enabled_ = 0;
  AgentMask ran_ = 0;
  std::uint8_t last_ = kNoThread;
};

}  // namespace

Watch::Watch(const Finding& finding, const Livelock* livelock)
    : finding_(finding), livelock_(livelock), before_(rt.monitor) {
  rt.monitor = this;
}

Watch::~Watch() { rt.monitor = before_; }

void Watch::violation(std::string_view property, std::string_view message) {
  if (seen_ || property != finding_.property || message != finding_.message) return;
  seen_ = true;
  operations_ = rt.operations;
}

void Watch::look_for_livelock(const Machine& machine) {
  if (livelock_ == nullptr || !livelock_->has(machine.fingerprint())) return;
  violation(kProgress, livelock_->message);
}

bool shows_here(Machine& machine, Watch& watch, bool* final_only) {
  watch.arm();
  machine.program().check_state(watch);
  watch.look_for_livelock(machine);
  if (watch.seen()) return true;
  if (!machine.is_final(machine.enabled())) return false;
  machine.program().check_final(machine.final_state(), watch);
  if (watch.seen() && final_only != nullptr) *final_only = true;
  return watch.seen();
}

AgentMask ready_whatever_happens(const Machine& machine) {
  // A scheduler may keep a thread from running for ever.
  if (machine.program().schedules()) return 0;
  AgentMask mask = 0;
  for (std::size_t id = 0; id < machine.thread_count(); ++id) {
    const Thread& thread = thread_record(id);
    if (thread.status != Status::ready) continue;
    if (thread.pending.guard.kind == Guard::Kind::always) mask |= 1U << id;
  }
  return mask;
}

Cost cost_after(const Machine& machine, Cost cost, std::uint8_t& last, std::size_t agent,
                std::uint32_t operations) {
  if (machine.is_thread(agent)) {
    if (last != kNoThread && last != agent) ++cost.switches;
    last = static_cast<std::uint8_t>(agent);
    cost.operations += operations;
    return cost;
  }
  ++cost.events;
  if (!machine.events()[agent - machine.thread_count()].owed) ++cost.optional_events;
  return cost;
}

Execution execute(Machine& machine, Watch& watch, const Path& path, Fit fit, bool movers,
                  bool scoped) {
  watch.arm();
  machine.reset(movers, scoped);
  Run run(machine, watch);
  run.look();
  for (const Choice choice : path) {
    if (run.done()) break;
    if (run.can(choice)) {
      run.take(choice);
    } else if (fit == Fit::exact) {
      return run.execution;
    }
  }
  for (std::size_t i = 0; fit == Fit::lenient && i < path.size() + kExtraSteps; ++i) {
    if (run.done() || !run.go_on()) break;
  }
  return run.execution;
}

}  // namespace futexmc::checker
