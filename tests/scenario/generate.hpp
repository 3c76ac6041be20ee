// SPDX-License-Identifier: GPL-2.0-or-later
//
// RapidCheck generators of scenario trees that compile: names are declared, ranges kept.
#pragma once

#include "model/scenario/ast.hpp"

namespace futexmc::scenario::testing {

/// Draws a whole scenario. Call only inside rc::gen::exec or a property.
ast::File draw_file();

/// Draws a thread's expression over registers a, b and words f, g, without system calls.
/// `loads`: whether it may read the words.
ast::Expr draw_pure_expression(int depth, bool loads);

ast::Expr make_constant(std::int64_t value);
ast::Expr make_name(std::string name);
ast::Expr make_unary(ast::Unary unary, ast::Expr operand);
ast::Expr make_binary(ast::Binary binary, ast::Expr left, ast::Expr right);
ast::Expr make_call(std::string name, std::vector<ast::Expr> operands,
                    std::vector<ast::Option> options = {});

}  // namespace futexmc::scenario::testing
