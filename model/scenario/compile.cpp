// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/compile.hpp"

#include <algorithm>
#include <utility>

#include "model/scenario/context.hpp"
#include "model/scenario/limits.hpp"

namespace futexmc::scenario {
namespace {

/// Reports a name that words and threads together have twice.
void check_unique(const Context& context, const ast::Name& name) {
  if (word_index(context.out, name.text) || thread_index(context.out, name.text))
    context.report(name.at, quoted(name.text) + " is already declared");
}

void declare_words(const Context& context) {
  for (const ast::Word& word : context.file.words) {
    if (context.out.words.size() == kMaxWords)
      return context.report(word.name.at, "a scenario has at most " + std::to_string(kMaxWords) +
                                              " words and vars");
    check_unique(context, word.name);
    check_range(context, word.initial, 0, kMaxLiteral, "a first value");
    context.out.words.push_back(
        {word.name.text, word.initial.value, word.futex, word.mapping});
  }
}

void declare_threads(const Context& context) {
  for (const ast::Thread& thread : context.file.threads) {
    if (context.out.threads.size() == kMaxThreads)
      return context.report(thread.name.at, "a scenario has at most " +
                                                std::to_string(kMaxThreads) + " threads");
    check_unique(context, thread.name);
    Thread& out = context.out.threads.emplace_back();
    out.name = thread.name.text;
    out.cloned = thread.cloned;
    out.may_sleep = thread.may_sleep;
  }
  if (context.out.threads.empty()) context.report(Place{1, 1}, "a scenario needs a thread");
}

void pin_thread(const Context& context, const ast::Constant& cpu, Thread& out) {
  const int declared = context.out.cpus;
  const int cpus = declared ? declared : static_cast<int>(context.out.threads.size());
  if (cpu.value >= 0 && cpu.value < cpus) {
    out.cpu = static_cast<int>(cpu.value);
    return;
  }
  context.report(cpu.at, "no such CPU: the scenario has " + std::to_string(cpus) +
                             (declared ? "" : ", one for each thread, as it does not set 'cpus'") +
                             ", counted from 0");
}

bool uses_pi(const Scenario& scenario) {
  return std::ranges::any_of(scenario.threads, [](const Thread& thread) {
    return std::ranges::any_of(thread.code, [](const Instruction& in) { return is_pi(in.op); });
  });
}

/// After the threads' code, which says whether there is anything to inherit a priority by.
void set_priority(const Context& context, const ast::Constant& priority, Thread& out) {
  if (!context.out.strict && !uses_pi(context.out))
    return context.report(priority.at, "a priority means something with 'scheduling strict' or PI "
                                       "futexes only");
  if (check_range(context, priority, kMinPriority, kMaxPriority, "a priority"))
    out.priority = static_cast<int>(priority.value);
}

/// Without a private hash only one thread can exist: the kernel makes one at the first clone.
void check_start(const Context& context) {
  if (context.out.hash.kind != Hash::Kind::none) return;
  int running = 0;
  for (std::size_t i = 0; i < context.out.threads.size(); ++i)
    if (!context.out.threads[i].cloned && ++running == 2)
      context.report(context.file.threads[i].name.at,
                     "with 'hash none', the default, one thread runs at the start: mark " +
                         quoted(context.out.threads[i].name) +
                         " 'cloned', or set 'hash global' or 'hash private(n)'");
}

/// Every thread must be one that runs at the start or that such a thread leads to by clones.
void check_reached(const Context& context) {
  const auto& threads = context.out.threads;
  std::vector<std::size_t> todo;
  std::vector<bool> reached(threads.size());
  const auto reach = [&](std::size_t i) {
    if (!reached[i]) todo.push_back(i);
    reached[i] = true;
  };
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (!threads[i].cloned) reach(i);
  while (!todo.empty()) {
    const Thread& thread = threads[todo.back()];
    todo.pop_back();
    for (const Instruction& instruction : thread.code)
      if (instruction.op == Op::clone) reach(instruction.object);
  }
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (!reached[i])
      context.report(context.file.threads[i].name.at,
                     "no thread that runs clones " + quoted(threads[i].name));
}

}  // namespace

std::optional<Scenario> compile(const ast::File& file, std::string name, std::string text,
                                Problems& problems) {
  Scenario out;
  const Context context{file, out, problems};
  out.name = std::move(name);
  out.title = file.title.value_or("");
  out.text = std::move(text);
  declare_words(context);
  declare_threads(context);
  compile_settings(context);
  for (std::size_t i = 0; i < out.threads.size(); ++i) {
    if (file.threads[i].cpu) pin_thread(context, *file.threads[i].cpu, out.threads[i]);
    compile_thread(context, file.threads[i], out.threads[i]);
  }
  for (std::size_t i = 0; i < out.threads.size(); ++i) {
    if (file.threads[i].priority) set_priority(context, *file.threads[i].priority, out.threads[i]);
  }
  for (const ast::Condition& condition : file.conditions) compile_condition(context, condition);
  check_start(context);
  // A clone that went wrong has been reported; it would make its thread look forgotten.
  if (problems.empty()) check_reached(context);
  if (!problems.empty()) return std::nullopt;
  return out;
}

}  // namespace futexmc::scenario
