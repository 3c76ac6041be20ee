// SPDX-License-Identifier: GPL-2.0-or-later
//
// The way in: scenario text to Scenario or diagnostics. docs/scenarios.md describes the language.
//
// Stages, each in its own file: encoding and lexer, parser (text to ast.hpp), compile (to
// program.hpp). print.hpp goes back from tree to text, listing.hpp shows compiled code.
//
// Input may be anything, hostile bytes included: every bound has a diagnostic, nothing throws
// (short of std::bad_alloc), nothing exits. Functions are thread-safe: there is no shared state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// An error in a scenario file. `line` holds the source line without its end, cleaned of bytes that
/// a terminal should not see but of unchanged length. Columns count bytes from 1, a tab is one.
struct Diagnostic {
  std::string file;
  Place place;
  std::string message;
  std::string line;
  bool operator==(const Diagnostic&) const = default;
};

/// Either a scenario, or at least one diagnostic in the order of the source.
struct Result {
  std::optional<Scenario> scenario;
  std::vector<Diagnostic> diagnostics;
  explicit operator bool() const { return scenario.has_value(); }
};

/// Compiles `text`. `name` is the file's name as messages should show it; the scenario's own name
/// is the same without directory and extension.
Result parse(std::string_view text, const std::string& name);

/// `file:line:column: error: message`, the source line, and a caret under the column; three lines,
/// each ending in a line feed. A long line is cut to a window around the caret.
std::string render(const Diagnostic& diagnostic);

}  // namespace futexmc::scenario
