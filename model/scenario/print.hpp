// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tree to canonical scenario text: items in the order of ast::File, two blanks of indentation,
// parentheses only where precedence needs them. Reading the text back gives an equal tree.
#pragma once

#include <string>

#include "model/scenario/ast.hpp"

namespace futexmc::scenario {

/// A whole file, ending in a line feed unless empty.
std::string print(const ast::File& file);

/// One expression, without a line feed.
std::string print(const ast::Expr& expr);

}  // namespace futexmc::scenario
