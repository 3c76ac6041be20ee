// SPDX-License-Identifier: GPL-2.0-or-later
//
// Properties of final states: lost-wakeup, deadlock, and the scenario's conditions.
#include "model/kernel/sched.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's
using scenario::Condition;

namespace {

/// Asleep where a wake should find it. Before and after that it is deadlocked, not forgotten.
bool sleeps_in_futex(std::size_t task) {
  return asleep(static_cast<int>(task)) && machine.task[task]->futex_wait.peek() &&
         is_live(machine.q[task]);
}

bool not_started(std::size_t task) { return !machine.task[task]->started.peek(); }

std::int64_t leaf(const Condition::Item& item) {
  const auto object = static_cast<std::size_t>(item.object);
  switch (item.term) {
    case Condition::Term::constant: return item.value;
    case Condition::Term::word: return machine.word[object]->peek();
    case Condition::Term::reg:
      return machine.task[object]->registers[static_cast<std::size_t>(item.value)].peek();
    case Condition::Term::asleep: return sleeps_in_futex(object);
    case Condition::Term::finished:
      return checker::thread_record(object).status == checker::Status::finished;
    case Condition::Term::slots: return slots_now();
    case Condition::Term::tid: return scenario::tid_of(item.object);
    default: return 0;
  }
}

std::int64_t combine(Condition::Term term, std::int64_t a, std::int64_t b) {
  using enum Condition::Term;
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  switch (term) {
    case add: return static_cast<std::int64_t>(ua + ub);
    case subtract: return static_cast<std::int64_t>(ua - ub);
    case multiply: return static_cast<std::int64_t>(ua * ub);
    case bit_and: return static_cast<std::int64_t>(ua & ub);
    case bit_or: return static_cast<std::int64_t>(ua | ub);
    case bit_xor: return static_cast<std::int64_t>(ua ^ ub);
    case equal: return a == b;
    case not_equal: return a != b;
    case less: return a < b;
    case less_equal: return a <= b;
    case greater: return a > b;
    case greater_equal: return a >= b;
    case logical_and: return a != 0 && b != 0;
    case logical_or: return a != 0 || b != 0;
    default: return 0;
  }
}

}  // namespace

namespace {

/// "futex_wait(f)", with the words that its entries wait on now: a requeue changes them.
std::string wait_of(std::size_t task) {
  std::string words;
  bool several = false;
  for (const futex_q* q : machine.waiters[task]) {
    if (q == nullptr || !is_live(q)) continue;
    several = !words.empty();
    words += (several ? ", " : "") + machine.scenario->words[q->key.peek().word - 1U].name;
  }
  const bool pi = machine.q[task]->pi_state.peek() != nullptr;
  return (several ? "futex_waitv(" : pi ? "futex_lock_pi(" : "futex_wait(") + words + ")";
}

}  // namespace

void lost_wakeup(const checker::FinalState& state, checker::Monitor& monitor) {
  if (state.any_faulted) return;
  for (const std::size_t task : state.blocked) {
    if (!sleeps_in_futex(task) || machine.scenario->threads[task].may_sleep) continue;
    monitor.violation("lost-wakeup",
                      state.threads[task].name + " sleeps for ever in " + wait_of(task));
  }
}

void deadlock(const checker::FinalState& state, checker::Monitor& monitor) {
  if (state.any_faulted) return;
  std::string message;
  for (const std::size_t task : state.blocked) {
    if (sleeps_in_futex(task) || not_started(task)) continue;
    if (!message.empty()) message += "; ";
    message += checker::describe_blocked(state.threads[task], task);
  }
  if (!message.empty()) monitor.violation("deadlock", message);
}

std::int64_t evaluate(const Condition& condition) {
  std::vector<std::int64_t> stack;
  const auto pop = [&stack] {
    const std::int64_t value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Condition::Item& item : condition.postfix) {
    if (item.term <= Condition::Term::tid) {
      stack.push_back(leaf(item));
    } else if (item.term == Condition::Term::logical_not) {
      stack.back() = stack.back() == 0;
    } else if (item.term == Condition::Term::negate) {
      stack.back() = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(stack.back()));
    } else {
      const std::int64_t b = pop();
      stack.back() = combine(item.term, stack.back(), b);
    }
  }
  return stack.empty() ? 0 : stack.back();
}

}  // namespace futexmc::properties
