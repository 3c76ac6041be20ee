// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/futex_program.hpp"

#include <algorithm>
#include <climits>
#include <iterator>

#include <fmt/format.h>

#include "checker/livelock.hpp"
#include "model/kernel/rtmutex.hpp"
#include "model/kernel/sched.hpp"
#include "model/scenario/vocabulary.hpp"
#include "model/world.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using model::machine;

FutexProgram::~FutexProgram() {
  if (coverage_ && checker::rt.coverage == coverage_.get()) checker::rt.coverage = nullptr;
}

void FutexProgram::look_for(std::set<std::string> outcomes, std::set<std::string> operations) {
  outcomes_ = std::move(outcomes);
  if (operations.empty()) return;
  coverage_ = std::make_unique<checker::Coverage>();
  coverage_->watch(std::move(operations), [](const std::string& name) {
    checker::rt.monitor->violation(kOperation, name);
  });
}

void FutexProgram::look_for_shown(const std::string& property, const std::string& message) {
  std::set<std::string> one = {message};
  if (property == kOutcome) look_for(std::move(one), {});
  else if (property == kOperation) look_for({}, std::move(one));
  else if (property == "race") look_for_races();
}

void FutexProgram::build(checker::Builder& builder) {
  // Here, because not everything that runs a program takes a Coverage.
  if (coverage_) checker::rt.coverage = coverage_.get();
  model::build_world(builder, scenario_, variant_);
  happened_.assign(scenario_.conditions.size(), false);
}

std::set<std::string> FutexProgram::meaningful() const {
  static constexpr std::pair<Looked, const char*> kNames[] = {
      {kWaiterCount, "waiter-count"},    {kReachability, "reachability"}, {kRefcount, "refcount"},
      {kFutexSleeper, "queued-sleeper"}, {kFutexSleeper, "lost-wakeup"},
      {kOtherSleeper, "deadlock"},       {kWarn, "warn"},                 {kLifetime, "lifetime"},
      {kCondition, "condition"},         {kSizes, "size-policy"},         {kSleep, "atomic-sleep"},
      {kRace, "race"},                   {kPiOwner, "pi-owner"},      {kBoost, "boost"},
      {kRequeueState, "requeue-state"},
  };
  std::set<std::string> names;
  for (const auto& [bit, name] : kNames) {
    if (looked(bit)) names.insert(name);
  }
  return names;
}

void FutexProgram::check_state(checker::Monitor& monitor) {
  note(waiter_count(monitor), kWaiterCount);
  note(reachability(monitor), kReachability);
  note(refcount(monitor), kRefcount);
  queued_sleeper(monitor);
  if (machine.uses_pi) {
    note(pi_owner(monitor), kPiOwner);
    note(boost(monitor), kBoost);
    note(requeue_state(monitor), kRequeueState);
  }
  note(!looked(kFutexSleeper) && sleeper(true), kFutexSleeper);
  note(!looked(kOtherSleeper) && sleeper(false), kOtherSleeper);
  const int checked = machine.mm->phash.looked.peek();
  note((checked & model::kLookedAtWarn) != 0, kWarn);
  note((checked & model::kLookedAtSizes) != 0, kSizes);
  note((checked & model::kLookedAtSleep) != 0, kSleep);
  note(checker::rt.conflicts != 0, kRace);
}

void FutexProgram::check_final(const checker::FinalState& state, checker::Monitor& monitor) {
  lost_wakeup(state, monitor);
  deadlock(state, monitor);
  waiter_count_left(state, monitor);
  note(no_leak(state, monitor), kLifetime);
  if (!outcomes_.empty()) {
    const std::string seen = outcome(state);
    if (outcomes_.contains(seen)) monitor.violation(kOutcome, seen);
  }
  if (state.any_faulted) return;
  note(!scenario_.conditions.empty(), kCondition);
  using Kind = scenario::Condition::Kind;
  for (std::size_t i = 0; i < scenario_.conditions.size(); ++i) {
    const scenario::Condition& condition = scenario_.conditions[i];
    const bool value = evaluate(condition) != 0;
    if (value) happened_[i] = true;
    if (condition.kind == Kind::finally && !value) {
      monitor.violation("condition", "finally (" + condition.text + ") is false");
    }
    if (condition.kind == Kind::never && value) {
      monitor.violation("condition", "never (" + condition.text + ") is true");
    }
  }
}

void FutexProgram::check_all(checker::Monitor& monitor) {
  for (std::size_t i = 0; i < scenario_.conditions.size(); ++i) {
    const scenario::Condition& condition = scenario_.conditions[i];
    if (condition.kind == scenario::Condition::Kind::sometimes && !happened_[i]) {
      monitor.violation("condition",
                        "sometimes (" + condition.text + ") is false in every final state");
    }
  }
}

bool FutexProgram::checks(std::string_view property) const {
  if (selected_.empty()) return property != checker::kProgress;
  return selected_.contains(property);
}

std::uint64_t FutexProgram::processor_footprint() const {
  if (!machine.shared_cpus) return 0;
  std::uint64_t mask = 0;
  for (int task = 0; task < machine.user_tasks; ++task) {
    const model::task_struct& p = *machine.task[static_cast<std::size_t>(task)];
    mask |= checker::footprint(p.read_side.index()) | checker::footprint(p.cpu.index());
  }
  return mask;
}

void FutexProgram::stepped(std::size_t agent) {
  model::note_step(static_cast<int>(agent));
}

bool FutexProgram::may_run(std::size_t thread) const {
  const int task = static_cast<int>(thread);
  return task >= machine.user_tasks || model::may_use_cpu(task);
}

bool FutexProgram::can_race(const scenario::Scenario& scenario, const model::Variant& variant) {
  const auto threads = static_cast<int>(scenario.threads.size());
  const bool pinned = std::any_of(scenario.threads.begin(), scenario.threads.end(),
                                  [](const auto& thread) { return thread.cpu.has_value(); });
  const bool own_cpus = scenario.cpus == 0 || scenario.cpus >= threads;
  return variant.memory == checker::Memory::sc && own_cpus && !pinned &&
         scenario.budgets.migrate == 0 && !scenario.strict;
}

bool FutexProgram::tolerates(const checker::Race& race) const { return is_accepted(race); }

std::string FutexProgram::outcome(const checker::FinalState& state) {
  std::string text;
  for (std::size_t i = 0; i < scenario_.words.size(); ++i) {
    text += fmt::format("{}={} ", scenario_.words[i].name, machine.word[i]->peek());
  }
  for (std::size_t id = 0; id < scenario_.threads.size(); ++id) {
    const checker::Thread& thread = checker::thread_record(id);
    text += state.threads[id].name + ":";
    for (std::size_t r = 0; r < scenario_.threads[id].registers.size(); ++r) {
      text += fmt::format(" {}={}", scenario_.threads[id].registers[r],
                          machine.task[id]->registers[r].peek());
    }
    switch (thread.status) {
      case checker::Status::finished: text += " finished "; break;
      case checker::Status::faulted: text += " faulted "; break;
      case checker::Status::ready: text += fmt::format(" in {} ", thread.pending.name); break;
    }
  }
  return text + fmt::format("slots={}", slots_now());
}

std::string FutexProgram::ending(const checker::FinalState& state) {
  std::string text;
  const auto add = [&text](const std::string& name, std::int64_t value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, scenario::written(value));
  };
  for (std::size_t i = 0; i < scenario_.words.size(); ++i) {
    add(scenario_.words[i].name, machine.word[i]->peek());
  }
  for (std::size_t id = 0; id < scenario_.threads.size(); ++id) {
    const auto& registers = scenario_.threads[id].registers;
    for (std::size_t r = 0; r < registers.size(); ++r) {
      add(state.threads[id].name + "." + registers[r], machine.task[id]->registers[r].peek());
    }
  }
  return text;
}

std::string FutexProgram::value_name(std::uint32_t cell, std::uint64_t value) {
  const std::string name = checker::arena.layout.cell_name(cell);
  const auto ends_with = [&name](std::string_view end) { return name.ends_with(end); };
  if (name.starts_with("fph") && ends_with(".state")) {
    return value == model::FR_PERCPU ? "FR_PERCPU" : "FR_ATOMIC";
  }
  if (ends_with(".state")) {
    if (value == model::TASK_RUNNING) return "TASK_RUNNING";
    return value == model::TASK_INTERRUPTIBLE ? "TASK_INTERRUPTIBLE" : "TASK_UNINTERRUPTIBLE";
  }
  if (ends_with("lock") && value <= machine.task.size()) {
    if (value == 0) return "free";
    return value <= scenario_.threads.size() ? scenario_.threads[value - 1].name : "rcu worker";
  }
  const bool entry = ends_with(".task") && name.find(".q[") != std::string::npos;
  if (entry || ends_with(".q.task")) {
    return value == 0 ? "NULL" : thread_name(static_cast<int>(value) - 1);
  }
  if (ends_with(".requeue_state")) {
    constexpr const char* kStates[] = {"Q_REQUEUE_PI_NONE", "Q_REQUEUE_PI_IGNORE",
                                       "Q_REQUEUE_PI_IN_PROGRESS", "Q_REQUEUE_PI_WAIT",
                                       "Q_REQUEUE_PI_DONE", "Q_REQUEUE_PI_LOCKED"};
    return value < std::size(kStates) ? kStates[value] : Program::value_name(cell, value);
  }
  const bool pi_state = name.starts_with("pi_state");
  if (pi_state && ends_with("pi_mutex.owner") && value < 2 * (scenario_.threads.size() + 1)) {
    const std::string owner = value < 2 ? "NULL" : thread_name(static_cast<int>(value / 2) - 1);
    return (value & model::RT_MUTEX_HAS_WAITERS) != 0 ? owner + "|HAS_WAITERS" : owner;
  }
  if (pi_state && ends_with(".owner") && value <= scenario_.threads.size()) {
    return value == 0 ? "NULL" : thread_name(static_cast<int>(value) - 1);
  }
  // Biased: near LONG_MAX on either side, where a get may have carried it.
  const bool biased = value > LONG_MAX / 2 && value < LONG_MAX + std::uint64_t{LONG_MAX} / 2;
  if (name == "mm.atomic" && biased) {
    const auto off = static_cast<std::int64_t>(value - LONG_MAX);
    return off == 0 ? "LONG_MAX" : fmt::format("LONG_MAX{:+}", off);
  }
  return Program::value_name(cell, value);
}

}  // namespace futexmc::properties
