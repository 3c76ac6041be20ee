// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tree to Scenario: names, ranges, rules between items, and code. It goes on after a problem, so
// that one run shows them all.
#pragma once

#include <optional>
#include <string>

#include "model/scenario/ast.hpp"
#include "model/scenario/problems.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// The scenario that `file` describes, or nothing when `problems` has got an entry. `name` and
/// `text` are stored as given; for a tree that was built by hand, pass print(file) as its text.
std::optional<Scenario> compile(const ast::File& file, std::string name, std::string text,
                                Problems& problems);

}  // namespace futexmc::scenario
