// SPDX-License-Identifier: GPL-2.0-or-later
//
// The code generator of one thread. Statements are in compile_thread.cpp, expressions and calls in
// compile_expression.cpp.
//
// Invariants
//  1. Operands are evaluated from left to right, the arguments of calls included.
//  2. Evaluating an expression writes temporaries and its target, nothing else; && and || write
//     their target before they read all operands, so they never get a declared register as one.
#pragma once

#include <cstdint>
#include <optional>

#include "model/scenario/context.hpp"
#include "model/scenario/emitter.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {

class ThreadCompiler {
 public:
  ThreadCompiler(const Context& context, const ast::Thread& source, Thread& out)
      : context_(context), source_(source), out_(out), code_(out, context.problems) {}

  void run();

 private:
  using Register = std::uint8_t;
  using Target = std::optional<Register>;

  void block(const std::vector<ast::Statement>& statements, Place around);
  void statement(const ast::Statement& statement);
  void declare(const ast::Statement& statement);
  void assign(const ast::Statement& statement);
  void branch(const ast::Statement& statement);
  void loop(const ast::Statement& statement);
  void repeat(const ast::Statement& statement);
  std::size_t jump_unless(const ast::Expr& condition);

  /// The register that holds the value of `expr`: `target` if given, else any.
  Register evaluate(const ast::Expr& expr, Target target = {});
  Register constant(std::int64_t value, Target target);
  Register unary(const ast::Expr& expr, Target target);
  Register binary(const ast::Expr& expr, Target target);
  Register logical(const ast::Expr& expr, Target target);
  Register call(const ast::Expr& expr, Target target, bool value_wanted = true);
  Register destination(Target target) { return target ? *target : code_.temporary(); }

  /// The declared register `name`, reporting what is wrong with it if there is none.
  std::optional<Register> find_register(const ast::Name& name);
  const Function* check_call(const ast::Expr& expr);
  /// The word or thread that an argument names.
  std::optional<int> find_subject(const Function& function, const ast::Expr& expr,
                                  std::size_t argument);
  bool check_option(const Function& function, const ast::Option& option);
  bool apply_options(const Function& function, const ast::Expr& expr, Instruction& out);
  std::int64_t flags_of_pairs(const ast::Expr& expr);

  const Context& context_;
  const ast::Thread& source_;
  Thread& out_;
  Emitter code_;
  int nesting_ = 0;
  int repeats_ = 0;  ///< repeat loops around the current statement
};

}  // namespace futexmc::scenario
