// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a litmus test's condition says, and the numbers in it.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "checker/arena.hpp"
#include "properties/proofs/lkmm/litmus_makers.hpp"
#include "properties/proofs/memory/litmus_code.hpp"
#include "properties/proofs/memory/litmus_values.hpp"

namespace futexmc::properties::proofs::memory {

namespace litmus = futexmc::proofs::lkmm::litmus;
using litmus::equality;
using litmus::joined;

std::optional<LitmusCode::Test> LitmusCode::test_of(const Node& at,
                                                    std::optional<std::size_t> group) const {
  if (!group) return std::nullopt;
  Test chosen;
  Test others{false, {}};
  for (std::size_t g = 0; g < at.groups.size(); ++g) {
    auto& values = g == *group ? chosen.values : others.values;
    for (const auto& value : at.groups[g].values) add_numbers(value.first, values);
  }
  for (const std::uint64_t value : at.blocking) add_numbers(value, others.values);
  if (at.known) return chosen;
  if (others.values.empty()) return std::nullopt;
  return chosen.values.size() <= others.values.size() ? chosen : others;
}

void LitmusCode::keep_path(Id read, std::optional<std::size_t> group) {
  auto test = test_of(node(), group);
  if (!test) return;
  if (said_.contains(read)) {
    // The register says whether something was done.
    const auto& values = node().groups.at(group.value()).values;
    const auto changed = std::count_if(values.begin(), values.end(), [](const auto& pair) {
      return pair.first != pair.second;
    });
    const bool all = static_cast<std::size_t>(changed) == values.size();
    if (!all && changed != 0) fail("a branch on more than whether it was done");
    test = Test{true, {all ? 1 : 0}};
  }
  const auto name = registers_.find(read);
  if (name == registers_.end()) fail("a branch on a value that is not kept");
  tests_[read] = *test;
  std::vector<Condition> parts;
  for (const std::int64_t value : test->values) {
    Condition one = equality(static_cast<int>(thread_), name->second, value);
    if (!test->equal) {
      Condition negated;
      negated.kind = Condition::Kind::negation;
      negated.parts = {std::move(one)};
      one = std::move(negated);
    }
    parts.push_back(std::move(one));
  }
  conditions_.push_back(joined(test->equal ? Condition::Kind::disjunction
                                           : Condition::Kind::conjunction,
                               std::move(parts)));
}

std::string LitmusCode::choice(std::size_t thread, const Step& step) const {
  const Node& at = recording_.threads[thread].nodes[step.node];
  const auto test = takes_lock(at.operation) ? std::nullopt : test_of(at, step.group);
  if (!test || at.known) return "";
  std::string values;
  for (const std::int64_t value : test->values) {
    values += fmt::format("{}{}", values.empty() ? "" : test->equal ? " or " : ", ", value);
  }
  return fmt::format("{}(): {}({}) {} {}", at.function, at.operation.name,
                     recording_.cell_names[at.operation.cell], test->equal ? "=" : "is not",
                     values);
}

/// A formula over final values.
litmus::Condition LitmusCode::condition(const z3::expr& outcome) {
  if (outcome.is_eq()) return final_equality(outcome.arg(0), outcome.arg(1));
  Condition made;
  if (outcome.is_not()) {
    made.kind = Condition::Kind::negation;
  } else if (outcome.is_and()) {
    made.kind = Condition::Kind::conjunction;
  } else if (outcome.is_or()) {
    made.kind = Condition::Kind::disjunction;
  } else {
    throw std::runtime_error("an outcome that is not about final values");
  }
  for (unsigned i = 0; i < outcome.num_args(); ++i) {
    made.parts.push_back(condition(outcome.arg(i)));
  }
  return made;
}

litmus::Condition LitmusCode::final_equality(const z3::expr& a, const z3::expr& b) {
  std::uint64_t value = 0;
  for (const auto& [left, right] : {std::pair(a, b), std::pair(b, a)}) {
    if (!right.is_numeral_u64(value)) continue;
    for (const auto& [place, last] : events_.graph().finals()) {
      std::uint64_t at = 0;
      if (!z3::eq(last, left) || !place.is_numeral_u64(at)) continue;
      const auto cell = static_cast<std::uint32_t>(at - 1);
      asked_.insert(cell);
      std::vector<std::int64_t> numbers;
      add_numbers(events_.word(value), numbers);
      std::vector<Condition> any;
      for (const std::int64_t number : numbers) {
        any.push_back(equality(-1, location(cell), number));
      }
      return joined(Condition::Kind::disjunction, std::move(any));
    }
  }
  throw std::runtime_error("an outcome that is not about final values");
}

/// Every number that may stand for the word.
void LitmusCode::add_numbers(std::uint64_t word, std::vector<std::int64_t>& to) const {
  const auto small = small_numbers(word);
  if (small.empty()) to.push_back(shown(word));
  to.insert(to.end(), small.begin(), small.end());
}

std::int64_t LitmusCode::shown(std::uint64_t word) const {
  if (const auto small = small_numbers(word); !small.empty()) return small.front();
  const auto [at, fresh] = replaced_.try_emplace(
      word, kFirstPointer + static_cast<std::int64_t>(replaced_.size()));
  return at->second;
}

std::vector<std::string> LitmusCode::legend(const std::string& text) const {
  std::vector<std::string> lines;
  const auto is_there = [&text](std::int64_t number) {
    return text.find(std::to_string(number)) != std::string::npos;
  };
  if (is_there(kLongMax)) lines.push_back(fmt::format("{} stands for LONG_MAX", kLongMax));
  for (const auto& [word, number] : replaced_) {
    if (!is_there(number)) continue;
    lines.push_back(fmt::format("{} is &{}", number, checker::arena.layout.pointer_name(word)));
  }
  return lines;
}

}  // namespace futexmc::properties::proofs::memory
