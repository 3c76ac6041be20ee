// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/rapid/small_program.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

namespace futexmc::properties::rapid {
namespace {

using Kind = Action::Kind;
using Hash = SmallProgram::Hash;

constexpr std::array<const char*, 2> kWords = {"f", "g"};

const char* word(const Action& action) {
  return kWords[static_cast<std::size_t>(action.word)];
}

bool waits(const Action& action) {
  return action.kind == Kind::wait || action.kind == Kind::wait_loop;
}
bool names_word(const Action& action) { return action.kind != Kind::set_slots; }

/// Whether any action for which `predicate` holds names the word.
template <class Predicate>
bool any_of_word(const SmallProgram& program, int number, Predicate predicate) {
  for (const auto& thread : program.threads) {
    for (const Action& action : thread) {
      if (predicate(action) && action.word == number) return true;
    }
  }
  return false;
}

std::string call_of(const Action& action) {
  const std::string bits = action.bitset != 0 ? fmt::format(", bitset {:#x}", action.bitset) : "";
  if (waits(action)) {
    return fmt::format("futex_wait({}, 0{}{})", word(action), action.timeout ? ", timeout" : "",
                       bits);
  }
  const std::string count = action.count == kAll ? "INT_MAX" : std::to_string(action.count);
  if (action.kind == Kind::set_slots) return fmt::format("SET_SLOTS({})", count);
  return fmt::format("futex_wake({}, {}{})", word(action), count, bits);
}

std::string lines_of(const Action& action) {
  switch (action.kind) {
    case Kind::post: return fmt::format("  store({}, 1);\n  {};\n", word(action), call_of(action));
    case Kind::wait_loop:
      return fmt::format("  while (load({}) == 0) {{\n    {};\n  }}\n", word(action),
                         call_of(action));
    default: return fmt::format("  {};\n", call_of(action));
  }
}

std::string settings_of(const SmallProgram& program) {
  std::string text = program.hash == Hash::none       ? "hash none;\n"
                     : program.hash == Hash::private_ ? "hash private(2);\n"
                                                      : "hash global;\n";
  std::string budgets;
  if (program.spurious != 0) budgets += fmt::format("spurious {}", program.spurious);
  if (program.signal != 0) {
    budgets += fmt::format("{}signal {}", budgets.empty() ? "" : ", ", program.signal);
  }
  return budgets.empty() ? text : text + "budget " + budgets + ";\n";
}

/// What the last thread owes to whoever waits.
std::vector<Action> closing(const SmallProgram& program) {
  std::vector<Action> actions;
  for (int number = 0; number < 2; ++number) {
    if (!any_of_word(program, number, waits)) continue;
    actions.push_back({.kind = Kind::post, .word = number, .count = kAll});
  }
  return actions;
}

}  // namespace

std::string scenario_text(const SmallProgram& program, const std::string& title) {
  std::string text = fmt::format("title \"{}\";\n", title);
  for (int number = 0; number < 2; ++number) {
    if (!any_of_word(program, number, names_word)) continue;
    text += fmt::format("word {} = 0;\n", kWords[static_cast<std::size_t>(number)]);
  }
  text += settings_of(program);
  for (std::size_t id = 0; id < program.threads.size(); ++id) {
    const bool cloned = program.hash == Hash::none && id != 0;
    text += fmt::format("thread t{}{} {{\n", id, cloned ? " cloned" : "");
    for (std::size_t other = 1; id == 0 && program.hash == Hash::none &&
                                other < program.threads.size(); ++other) {
      text += fmt::format("  clone(t{});\n", other);
    }
    for (const Action& action : program.threads[id]) text += lines_of(action);
    if (id + 1 == program.threads.size()) {
      for (const Action& action : closing(program)) text += lines_of(action);
    }
    text += "}\n";
  }
  return text;
}

std::size_t statements(const SmallProgram& program) {
  std::size_t count = program.hash == Hash::none ? program.threads.size() - 1 : 0;
  const auto add = [&count](const std::vector<Action>& actions) {
    for (const Action& action : actions) count += action.kind == Kind::post ? 2 : 1;
  };
  for (const auto& thread : program.threads) add(thread);
  add(closing(program));
  return count;
}

void showValue(const SmallProgram& program, std::ostream& out) {
  out << scenario_text(program, "A random program");
}

}  // namespace futexmc::properties::rapid
