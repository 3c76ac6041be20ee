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
constexpr std::array<std::string_view, 6> kStores = {"WRITE_ONCE", "smp_store_release",
                                                     "rcu_assign_pointer", "atomic_set",
                                                     "atomic_long_set", "smp_store_mb"};
/// What they act on goes without saying.
constexpr std::array<std::string_view, 6> kBare = {"schedule", "rcu_read_lock", "rcu_read_unlock",
                                                   "preempt_disable", "preempt_enable", "smp_mb"};
constexpr std::array<std::string_view, 2> kEnter = {"rcu_read_lock", "preempt_disable"};
constexpr std::array<std::string_view, 2> kLeave = {"rcu_read_unlock", "preempt_enable"};

bool is_identifier(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// "spin_lock(&hb0.lock)"; a name that is no C identifier speaks for itself.
std::string call(const Step& step, std::string_view argument = {}) {
  if (!is_identifier(step.operation)) {
    const bool phrase = step.operation.find(' ') != std::string::npos || step.object.empty();
    return phrase ? step.operation : fmt::format("{} ({})", step.operation, step.object);
  }
  if (step.object.empty() || contains(kBare, step.operation)) return step.operation + "()";
  const char* const address = contains(kByName, step.operation) ? "" : "&";
  return fmt::format("{}({}{}{}{})", step.operation, address, step.object,
                     argument.empty() ? "" : ", ", argument);
}

/// The outcome of an operation on no cell, if the search had a choice or a value came back.
std::string outcome(const Step& step) {
  if (step.has_result) return fmt::format(" = {}", static_cast<std::int64_t>(step.result));
  if (step.alternatives > 1) return fmt::format("  [outcome {}]", step.alternative);
  return {};
}

/// What an operation did elsewhere than on its own cell, if it is one thing.
std::string elsewhere(const RecordedStep& recorded) {
  if (recorded.changes.size() != 1 || contains(kBare, recorded.step.operation)) return {};
  const Change& change = recorded.changes.front();
  return fmt::format("  {} {} -> {}", change.cell, change.before, change.after);
}

bool is_lock(const RecordedStep& recorded) {
  return recorded.mover == Mover::left ||
         (recorded.mover == Mover::right && recorded.guard == Guard::Kind::equal);
}

}  // namespace

std::string wording(const RecordedStep& recorded) {
  const Step& step = recorded.step;
  if (recorded.faulted || step.object.empty()) {
    return recorded.faulted ? call(step) : call(step) + outcome(step) + elsewhere(recorded);
  }
  if (is_lock(recorded) || contains(kBare, step.operation)) return call(step);
  if (contains(kPlainStores, step.operation)) {
    return fmt::format("{} = {}", step.object, recorded.after);
  }
  if (contains(kPlainLoads, step.operation)) {
    return fmt::format("{} == {}", step.object, recorded.before);
  }
  if (contains(kStores, step.operation)) return call(step, recorded.after);
  if (step.before != step.after) {
    return fmt::format("{}  {} -> {}", call(step), recorded.before, recorded.after);
  }
  const std::string other = elsewhere(recorded);
  if (!other.empty()) return call(step) + other;
  return fmt::format("{} = {}", call(step), recorded.before);
}

std::string wording(const Step& pending) {
  if (contains(kPlainStores, pending.operation)) return pending.object + " = ...";
  if (contains(kPlainLoads, pending.operation)) return pending.object + " == ...";
  return call(pending);
}

std::string event_wording(const RecordedStep& recorded) {
  const std::string change = elsewhere(recorded);
  const std::string& name = recorded.step.operation;
  if (change.empty()) return fmt::format("--- {} ---", name);
  return fmt::format("--- {}: {} ---", name, change.substr(2));
}

bool is_plain_access(const Step& step) {
  return contains(kPlainLoads, step.operation) || contains(kPlainStores, step.operation);
}

bool is_store(const Step& step) {
  return contains(kPlainStores, step.operation) || contains(kStores, step.operation);
}

bool opens(const RecordedStep& recorded) {
  return recorded.mover == Mover::right || contains(kEnter, recorded.step.operation);
}

bool closes(const RecordedStep& recorded) {
  return recorded.mover == Mover::left || contains(kLeave, recorded.step.operation);
}

}  // namespace futexmc::checker
