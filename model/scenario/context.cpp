// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/context.hpp"

#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

template <class T>
std::optional<int> index_of(const std::vector<T>& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return std::nullopt;
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const T& entry : list) names.push_back(entry.name);
  return names;
}

}  // namespace

std::optional<int> word_index(const Scenario& scenario, std::string_view name) {
  return index_of(scenario.words, name);
}

std::optional<int> thread_index(const Scenario& scenario, std::string_view name) {
  return index_of(scenario.threads, name);
}

std::vector<std::string> word_names(const Scenario& scenario) { return names_of(scenario.words); }

std::vector<std::string> thread_names(const Scenario& scenario) {
  return names_of(scenario.threads);
}

void report_undeclared(const Context& context, const ast::Name& name,
                       const std::vector<std::string>& candidates) {
  context.report(name.at,
                 quoted(name.text) + " is not declared" + suggestion(name.text, candidates));
}

std::optional<int> require_word(const Context& context, const ast::Name& name) {
  const auto index = word_index(context.out, name.text);
  if (!index && thread_index(context.out, name.text))
    context.report(name.at, quoted(name.text) + " is a thread, not a word");
  else if (!index)
    report_undeclared(context, name, word_names(context.out));
  return index;
}

std::optional<int> require_thread(const Context& context, const ast::Name& name) {
  const auto index = thread_index(context.out, name.text);
  if (!index && word_index(context.out, name.text))
    context.report(name.at, quoted(name.text) + " is not a thread");
  else if (!index)
    report_undeclared(context, name, thread_names(context.out));
  return index;
}

bool check_range(const Context& context, const ast::Constant& value, std::int64_t low,
                 std::int64_t high, const std::string& what) {
  if (low <= value.value && value.value <= high) return true;
  context.report(value.at, what + " must be between " + std::to_string(low) + " and " +
                               std::to_string(high));
  return false;
}

std::optional<std::int64_t> literal(const ast::Expr& expr) {
  if (expr.kind == ast::Expr::Kind::constant) return expr.value;
  const bool negated = expr.kind == ast::Expr::Kind::unary && expr.unary == ast::Unary::negate &&
                       expr.operands[0].kind == ast::Expr::Kind::constant;
  return negated ? std::optional(-expr.operands[0].value) : std::nullopt;
}

}  // namespace futexmc::scenario
