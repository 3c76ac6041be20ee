// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/wording.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace futexmc::checker {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Macros and functions that take the object itself, not its address.
constexpr std::array<std::string_view, 5> kByName = {"READ_ONCE", "WRITE_ONCE", "rcu_dereference",
                                                     "rcu_assign_pointer", "data_race"};
constexpr std::array<std::string_view, 2> kPlainLoads = {"load", "read"};
constexpr std::array<std::string_view, 2> kPlainStores = {"store", "write"};
/// What they store is an argument.
constexpr std::array<std::string_view, 6> kStores = {"WRITE_ONCE",         "smp_store_release",
                                                     "rcu_assign_pointer", "atomic_set",
                                                     "atomic_long_set",    "smp_store_mb"};
/// Stores to a field of the running task, the value being the only argument.
constexpr std::array<std::string_view, 2> kOwnStores = {"set_current_state", "__set_current_state"};
/// They take the task, not its field.
constexpr std::array<std::string_view, 2> kOnTask = {"wake_up_process", "wake_q_add"};
/// The cell holds a pointer.
constexpr std::array<std::string_view, 2> kOnPointers = {"rcu_dereference", "rcu_assign_pointer"};
/// What they act on goes without saying, or is none of the reader's business.
constexpr std::array<std::string_view, 9> kBare = {
    "schedule", "rcu_read_lock", "rcu_read_unlock", "preempt_disable", "preempt_enable",
    "smp_mb",   "call_rcu",      "call_rcu_hurry",  "kvfree_rcu"};
/// They return the value as it is, whatever part of it the caller goes by.
constexpr std::array<std::string_view, 6> kMarkedLoads = {"READ_ONCE",        "rcu_dereference",
                                                          "smp_load_acquire", "atomic_read",
                                                          "atomic_long_read", "get_user"};
constexpr std::array<std::string_view, 2> kEnter = {"rcu_read_lock", "preempt_disable"};
constexpr std::array<std::string_view, 2> kLeave = {"rcu_read_unlock", "preempt_enable"};

bool is_identifier(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_pointer(std::uint64_t word) {
  return word >= kArenaBase && word < kArenaBase + kMaxCells * 8;
}

/// The cell's name; the object's alone where that is all there is to it: "f" for "f[0]".
std::string spoken(const std::string& cell) {
  for (const Object& object : arena.layout.objects()) {
    if (object.count == 1 && cell == object.name + "[0]") return object.name;
  }
  return cell;
}

/// "spin_lock(&hb0.lock)"; a name that is no C identifier speaks for itself.
std::string call(const Step& step, std::string_view argument = {}) {
  const std::string object = spoken(step.object);
  if (!is_identifier(step.operation)) {
    const bool phrase = step.operation.find(' ') != std::string::npos || object.empty();
    return phrase ? step.operation : fmt::format("{} ({})", step.operation, object);
  }
  if (object.empty() || contains(kBare, step.operation)) return step.operation + "()";
  if (contains(kOnTask, step.operation)) {
    return fmt::format("{}({})", step.operation, object.substr(0, object.rfind('.')));
  }
  const char* const address = contains(kByName, step.operation) ? "" : "&";
  return fmt::format("{}({}{}{}{})", step.operation, address, object, argument.empty() ? "" : ", ",
                     argument);
}

/// The outcome of an operation on no cell, if the search had a choice or a value came back.
std::string outcome(const Step& step) {
  if (step.has_result && is_pointer(step.result)) {
    return " = " + arena.layout.pointer_name(step.result);
  }
  if (step.has_result) return fmt::format(" = {}", static_cast<std::int64_t>(step.result));
  if (step.alternatives > 1) return fmt::format("  [outcome {}]", step.alternative);
  return {};
}

/// What an operation did elsewhere than on its own cell, if it is one thing.
std::string elsewhere(const RecordedStep& recorded) {
  if (recorded.changes.size() != 1) return {};
  const Change& change = recorded.changes.front();
  return fmt::format("{} {} -> {}", spoken(change.cell), change.before, change.after);
}

}  // namespace

Wording::Wording(const std::vector<RecordedStep>& steps) {
  for (const RecordedStep& recorded : steps) {
    const Step& step = recorded.step;
    if (step.object.empty()) continue;
    if (is_pointer(step.before) || is_pointer(step.after) ||
        contains(kOnPointers, step.operation)) {
      pointers_.insert(step.object);
    }
  }
}

std::string Wording::value(const RecordedStep& recorded, std::uint64_t word,
                           const std::string& name) const {
  return word == 0 && pointers_.contains(recorded.step.object) ? "NULL" : name;
}

std::string Wording::of(const RecordedStep& recorded) const {
  const Step& step = recorded.step;
  if (recorded.faulted) return call(step);
  if (step.object.empty()) {
    const std::string other = step.has_result ? "" : elsewhere(recorded);
    return call(step) + outcome(step) + (other.empty() ? "" : "  " + other);
  }
  const bool bare = contains(kBare, step.operation) || contains(kOnTask, step.operation) ||
                    step.operation.find(' ') != std::string::npos;
  if (is_lock(recorded) || bare) return call(step);
  const std::string before = value(recorded, step.before, recorded.before);
  const std::string after = value(recorded, step.after, recorded.after);
  if (contains(kOwnStores, step.operation)) return fmt::format("{}({})", step.operation, after);
  if (contains(kPlainStores, step.operation)) {
    return fmt::format("{} = {}", spoken(step.object), after);
  }
  if (contains(kPlainLoads, step.operation)) {
    return fmt::format("{} == {}", spoken(step.object), before);
  }
  if (contains(kStores, step.operation)) return call(step, after);
  if (step.before != step.after) return fmt::format("{}  {} -> {}", call(step), before, after);
  const bool verbatim = contains(kMarkedLoads, step.operation) || step.result == step.before;
  if (step.has_result && !verbatim) return call(step) + outcome(step);
  const std::string other = step.has_result ? "" : elsewhere(recorded);
  if (!other.empty()) return call(step) + "  " + other;
  return fmt::format("{} = {}", call(step), before);
}

std::string Wording::of(const Step& pending) const {
  if (contains(kPlainStores, pending.operation)) return spoken(pending.object) + " = ...";
  if (contains(kPlainLoads, pending.operation)) return spoken(pending.object) + " == ...";
  return call(pending);
}

std::string Wording::of_event(const RecordedStep& recorded) const {
  const std::string change = elsewhere(recorded);
  const std::string& name = recorded.step.operation;
  return change.empty() ? name : name + ": " + change;
}

bool is_section(const RecordedStep& recorded) {
  return contains(kEnter, recorded.step.operation) || contains(kLeave, recorded.step.operation);
}

bool is_lock(const RecordedStep& recorded) {
  if (is_section(recorded)) return false;
  return recorded.mover == Mover::left ||
         (recorded.mover == Mover::right && recorded.guard == Guard::Kind::equal);
}

bool opens(const RecordedStep& recorded) {
  if (is_section(recorded)) return contains(kEnter, recorded.step.operation);
  return recorded.mover == Mover::right;
}

bool closes(const RecordedStep& recorded) {
  if (is_section(recorded)) return contains(kLeave, recorded.step.operation);
  return recorded.mover == Mover::left;
}

bool waits(const RecordedStep& recorded) {
  return recorded.guard != Guard::Kind::always && !is_lock(recorded);
}

}  // namespace futexmc::checker
