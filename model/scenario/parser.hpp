// SPDX-License-Identifier: GPL-2.0-or-later
//
// Scenario text to tree: a hand-written recursive descent parser, one function for each rule of
// docs/scenarios.md. PEGTL would state the grammar more briefly, but a PEG backtracks and reports
// where it gave up last, with one message for each rule; kernel developers deserve "expected ';'
// after the statement, found 'thread'" at the exact column, several errors in one go, and a bound
// on nesting that is a diagnostic rather than a stack overflow.
//
// parser.cpp has the items, parse_statement.cpp and parse_expression.cpp what is inside them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/scenario/ast.hpp"
#include "model/scenario/cursor.hpp"
#include "model/scenario/problems.hpp"

namespace futexmc::scenario {

/// The tree of a scenario file, or nothing when `problems` has got an entry. Names are not looked
/// up and ranges not checked: that is compile()'s part.
std::optional<ast::File> parse_source(std::string_view text, Problems& problems);

/// `{ statement... }`; `where` ends the message about a missing brace.
std::vector<ast::Statement> parse_block(Cursor& cursor, std::string_view where);

/// An expression, with calls and `thread.register` wherever an operand may stand.
ast::Expr parse_expression(Cursor& cursor);

}  // namespace futexmc::scenario
