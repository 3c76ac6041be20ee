// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/runtime.hpp"

#include <algorithm>

#include "checker/coverage.hpp"
#include "checker/scope.hpp"

namespace futexmc::checker {

Runtime rt;

namespace {

// Outlives every fiber: an abandoned thread runs no destructors, so a message on its stack would
// leak.
std::string& joined(Pieces pieces) {
  static std::string message;
  message.clear();
  for (const std::string_view piece : pieces) message += piece;
  return message;
}

}  // namespace

const char* function_of(const Thread& thread) {
  return thread.scope != nullptr ? thread.scope->name() : thread.pending.loc.function;
}

void report(std::string_view property, Pieces pieces) {
  const std::string& message = joined(pieces);
  if (rt.recorder != nullptr && !rt.recorder->empty()) {
    rt.recorder->back().note = std::string(property) + ": " + message;
  }
  rt.monitor->violation(property, message);
}

namespace {

[[noreturn]] void stop_for_good() {
  Thread& thread = *rt.current;
  thread.status = Status::faulted;
  thread.scope = nullptr;
  thread.history = append({}, 0xFA017);
  thread.post_phase = true;
  for (;;) switch_to_scheduler();
}

}  // namespace

void fault(std::string_view property, Pieces message) {
  report(property, message);
  stop_for_good();
}

void stop_at_bound(std::string_view what) {
  rt.monitor->bound_reached(what);
  stop_for_good();
}

void fault_dead(const Operation& operation) {
  const Object& object = arena.layout.object_of(operation.cell);
  const auto liveness = static_cast<Liveness>(cells()[object.liveness]);
  if (rt.recorder != nullptr) record_operation(operation);
  static std::string member;
  member = arena.layout.cell_name(operation.cell);
  const char* const what =
      liveness == Liveness::freed ? "use after free of " : "use before allocation of ";
  fault("lifetime", {what, object.kind, " in ",
                     rt.current->scope != nullptr ? function_of(*rt.current)
                                                  : operation.loc.function,
                     "(): ", operation.name,
                     " of ", member});
}

void record_operation(const Operation& operation) {
  Step step;
  step.agent = static_cast<int>(rt.current_id);
  step.alternative = rt.current->alternative;
  step.alternatives = operation.alternatives;
  step.operation = operation.name;
  step.function = rt.current->scope != nullptr ? function_of(*rt.current) : operation.loc.function;
  step.file = operation.loc.file;
  step.line = operation.loc.line;
  step.wrote = operation.writes != 0;
  rt.recorded_cell = operation.cell;
  if (operation.cell != kNoCell) {
    step.object = arena.layout.cell_name(operation.cell);
    step.before = step.after = seen_word(operation.cell);
  }
  for (const Scope* scope = rt.current->scope; scope != nullptr; scope = scope->parent()) {
    // One kernel function may be several scopes here.
    if (step.calls.empty() || step.calls.back() != scope->name()) {
      step.calls.emplace_back(scope->name());
    }
  }
  std::reverse(step.calls.begin(), step.calls.end());
  rt.recorder->push_back(std::move(step));
}

void note_coverage(const Operation& operation) {
  rt.coverage->note(operation, rt.current->scope != nullptr ? function_of(*rt.current)
                                                            : operation.loc.function);
}

void record_result(std::uint64_t result, bool has_result) {
  Step& step = rt.recorder->back();
  step.result = result;
  step.has_result = has_result;
  if (rt.recorded_cell != kNoCell) step.after = seen_word(rt.recorded_cell);
}

}  // namespace futexmc::checker
