// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the parts of the scenario compiler share: source tree, result, problems, and name lookup
// with its messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/ast.hpp"
#include "model/scenario/problems.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// `out.words` and the names in `out.threads` are complete before anything is looked up.
struct Context {
  const ast::File& file;
  Scenario& out;
  Problems& problems;

  void report(const ast::Mark& at, std::string message) const {
    problems.add(at, std::move(message));
  }
};

/// Index of a word or thread, or nothing; silent.
std::optional<int> word_index(const Scenario& scenario, std::string_view name);
std::optional<int> thread_index(const Scenario& scenario, std::string_view name);

/// The same, reporting a name that is not declared with the nearest one that is.
std::optional<int> require_word(const Context& context, const ast::Name& name);
std::optional<int> require_thread(const Context& context, const ast::Name& name);

/// Reports that `name` is not declared, suggesting one of `candidates`.
void report_undeclared(const Context& context, const ast::Name& name,
                       const std::vector<std::string>& candidates);

std::vector<std::string> word_names(const Scenario& scenario);
std::vector<std::string> thread_names(const Scenario& scenario);

/// True if `low <= value <= high`; otherwise reports "WHAT must be between ...".
bool check_range(const Context& context, const ast::Constant& value, std::int64_t low,
                 std::int64_t high, const std::string& what);

/// The value of a constant with or without a minus sign, the form every `-EAGAIN` has.
std::optional<std::int64_t> literal(const ast::Expr& expr);

/// The last four arguments of `call` as FUTEX_OP() encodes them, reporting what is wrong with them.
std::int64_t encode_operation(const Context& context, const ast::Expr& call);

// The stages of compile(), each of which reports what it finds and goes on.
void compile_settings(const Context& context);
void compile_thread(const Context& context, const ast::Thread& source, Thread& out);
void compile_condition(const Context& context, const ast::Condition& source);

}  // namespace futexmc::scenario
