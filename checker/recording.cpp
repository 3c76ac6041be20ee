// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/recording.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checker/assert.hpp"
#include "checker/livelock.hpp"
#include "checker/scope.hpp"
#include "checker/store_buffer.hpp"

namespace futexmc::checker {
namespace {

bool looks_like(const Step& step, std::string_view operation, std::string_view object,
                std::string_view function) {
  return step.operation == operation && step.object == object && step.function == function;
}

/// Some compilers spell a template function with its arguments: that is no name to find it by.
std::string plain_name(std::string_view function) {
  return std::string(function.starts_with("operator") ? function
                                                      : function.substr(0, function.find('<')));
}

}  // namespace

Recording::Recording(Program& program) : machine(program), previous_monitor_(rt.monitor) {
  rt.monitor = this;
  machine.reset(false, true);
  check();
}

Recording::~Recording() {
  rt.recorder = nullptr;
  rt.monitor = previous_monitor_;
}

void Recording::go(std::size_t agent, unsigned alternative) {
  RecordedStep recorded;
  recorded.agent = agent;
  recorded.enabled = machine.enabled();
  FUTEXMC_ASSERT((recorded.enabled & (1U << agent)) != 0, "the agent cannot take a step");
  if (machine.is_thread(agent)) {
    recorded.mover = thread_record(agent).pending.mover;
    recorded.guard = thread_record(agent).pending.guard.kind;
  } else if (machine.agent_name(agent).starts_with(kDrainOf)) {
    recorded.drains = machine.events()[agent - machine.thread_count()].argument;
  }
  const std::size_t undo_mark = arena.undo.size();
  recorder_.clear();
  rt.recorder = &recorder_;
  rt.recorded_cell = kNoCell;
  steps.push_back(recorded);  // so that a violation on the way counts as this step's
  machine.step(agent, alternative);
  rt.recorder = nullptr;
  FUTEXMC_ASSERT(!recorder_.empty(), "a step without a visible operation");
  RecordedStep& last = steps.back();
  last.step = recorder_.front();
  last.step.function = plain_name(last.step.function);
  last.state = machine.fingerprint();
  last.faulted = machine.is_thread(agent) && thread_record(agent).status == Status::faulted;
  name_values(last, undo_mark);
  check();
}

void Recording::name_values(RecordedStep& recorded, std::size_t undo_mark) {
  Program& program = machine.program();
  if (machine.is_thread(recorded.agent) && rt.recorded_cell != kNoCell) {
    recorded.before = program.value_name(rt.recorded_cell, recorded.step.before);
    recorded.after = program.value_name(rt.recorded_cell, recorded.step.after);
  }
  std::vector<std::uint32_t> named;
  for (std::size_t i = undo_mark; i < arena.undo.size(); ++i) {
    const auto [cell, old] = arena.undo[i];
    const bool repeated = std::find(named.begin(), named.end(), cell) != named.end();
    if (repeated || cells()[cell] == old) continue;
    if (arena.layout.object_of(cell).kind == kStoreBufferKind) continue;
    named.push_back(cell);
    recorded.changes.push_back({arena.layout.cell_name(cell), program.value_name(cell, old),
                                program.value_name(cell, cells()[cell])});
  }
}

void Recording::check() {
  machine.program().check_state(*this);
  if (!machine.is_final(machine.enabled())) return;
  at_end_ = true;
  machine.program().check_final(machine.final_state(), *this);
  at_end_ = false;
}

void Recording::violation(std::string_view property, std::string_view message) {
  if (muted_) return;
  for (const Violation& known : violations) {
    if (known.property == property && known.message == message) return;
  }
  violations.push_back({std::string(property), std::string(message), steps.size(), at_end_});
}

Limit Recording::look_for_livelock(const Options& limits) {
  Limit limit = Limit::none;
  const std::optional<std::string> message = livelock_here(machine, limits, limit);
  if (message) violation(kProgress, *message);
  return limit;
}

std::optional<std::size_t> Recording::find(std::string_view name) const {
  for (std::size_t agent = 0; agent < machine.agent_count(); ++agent) {
    if (machine.agent_name(agent) == name) return agent;
  }
  return std::nullopt;
}

std::vector<std::string> Recording::names(AgentMask agents) const {
  std::vector<std::string> names;
  for (std::size_t agent = 0; agent < machine.agent_count(); ++agent) {
    if ((agents & (1U << agent)) != 0) names.push_back(machine.agent_name(agent));
  }
  return names;
}

Step Recording::pending(std::size_t thread) const {
  const Thread& record = thread_record(thread);
  Step step;
  step.agent = static_cast<int>(thread);
  step.alternatives = record.pending.alternatives;
  step.operation = record.pending.name;
  step.function = plain_name(function_of(record));
  if (record.pending.cell != kNoCell) step.object = arena.layout.cell_name(record.pending.cell);
  for (const Scope* scope = record.scope; scope != nullptr; scope = scope->parent()) {
    // As record_operation() has it: one function may be several scopes.
    if (step.calls.empty() || step.calls.back() != scope->name()) {
      step.calls.emplace_back(scope->name());
    }
  }
  std::reverse(step.calls.begin(), step.calls.end());
  return step;
}

std::string Recording::describe_waiting(std::size_t thread) const {
  const Operation& op = thread_record(thread).pending;
  std::string text = describe_blocked(machine.threads()[thread], thread);
  if (op.mover != Mover::right || op.guard.kind != Guard::Kind::equal) return text;
  const std::uint64_t owner = cells()[op.guard.cell];
  if (owner == 0 || owner > machine.thread_count()) return text;
  return text + ", held by " + machine.agent_name(owner - 1);
}

std::optional<std::size_t> Recording::distance(std::size_t thread, std::string_view operation,
                                               std::string_view object, std::string_view function,
                                               std::size_t limit) {
  const std::size_t undo_mark = arena.undo.size();
  const Hash128 shared_hash = arena.shared_hash;
  const Hash128 threads_hash = machine.threads_hash();
  std::vector<char> saved(Machine::saved_size(thread));
  Machine::save_thread(thread, saved.data());
  muted_ = true;
  std::optional<std::size_t> found;
  for (std::size_t taken = 0; taken <= limit; ++taken) {
    if (thread_record(thread).status != Status::ready) break;
    if (looks_like(pending(thread), operation, object, function)) {
      found = taken;
      break;
    }
    if ((machine.enabled() & (1U << thread)) == 0) break;
    machine.step(thread, 0);
  }
  muted_ = false;
  arena.undo_to(undo_mark);
  arena.shared_hash = shared_hash;
  Machine::load_thread(thread, saved.data());
  machine.set_threads_hash(threads_hash);
  return found;
}

}  // namespace futexmc::checker
