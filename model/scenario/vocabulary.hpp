// SPDX-License-Identifier: GPL-2.0-or-later
//
// The words of the scenario language, each stated once: operators with their precedence and what
// they compile to, functions with their arguments, named constants, memory orders, reserved words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/ast.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// A binary operator. `op` is meaningless for && and ||, which compile to jumps.
struct Operator {
  ast::Binary binary;
  std::string_view text;
  int precedence;  ///< as in C: higher binds tighter, all associate to the left
  Op op;
  Condition::Term term;
};

/// The operator spelled `text`, or null.
const Operator* find_operator(std::string_view text);
/// The operator of a tree node.
const Operator& operator_of(ast::Binary binary);

/// What the first argument of a function names.
enum class Subject : std::uint8_t { none, shared, futex, thread };

/// A function that threads may call.
struct Function {
  std::string_view name;
  Op op;
  Subject subject;
  int arguments;  ///< in all, the subject included; options follow them
  int second = 0;       ///< which argument names a second word, counted from 0; 0: none
  bool timeout = false;  ///< takes `timeout`
  bool bitset = false;   ///< takes `bitset N`
  bool shared = false;   ///< takes `shared`
  bool flags = false;    ///< takes `flags N`
  bool order = false;    ///< takes a memory order
  /// Takes pairs of a word and a value, up to kMaxWaiters; `shared` and `flags N` follow the pair
  /// that they are of. `arguments` is the least.
  bool pairs = false;
  /// The last four arguments are FUTEX_OP()'s: operator, operand, comparison, operand.
  bool encoded = false;
  bool missing = false;  ///< known to the language, not to the model
};

const Function* find_function(std::string_view name);
/// The function that compiles to `op`, or null.
const Function* function_of(Op op);
std::vector<std::string> function_names();

/// A function that conditions may call.
struct Predicate {
  std::string_view name;
  Condition::Term term;
  int arguments;  ///< 1: a thread
};

std::span<const Predicate> predicates();
const Predicate* find_predicate(std::string_view name);

/// The value of INT_MAX or of an errno name (positive, as in errno.h).
std::optional<std::int64_t> find_constant(std::string_view name);

/// As a scenario has it: -11 is "-EAGAIN".
std::string written(std::int64_t value);

std::optional<UserOrder> find_order(std::string_view name);
std::string_view order_name(UserOrder order);

/// True for words that start a top-level item; the parser resumes at them after an error.
bool starts_item(std::string_view word);
std::vector<std::string> item_words();

/// True for words that cannot name anything.
bool is_reserved(std::string_view word);

/// "; did you mean 'x'?" for the candidate nearest to `name`, or "" when none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace futexmc::scenario
