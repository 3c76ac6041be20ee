// SPDX-License-Identifier: GPL-2.0-or-later
//
// --expect: the verdict that a check is run to confirm.
#pragma once

#include <optional>
#include <string>

#include "cli/check_run.hpp"

namespace futexmc::cli {

struct Expectation {
  properties::Verdict verdict;
  std::string property;  ///< that must be among the violated ones; any will do if empty
};

/// "holds", "violated", "violated:PROPERTY", "inconclusive"; nothing if `text` is empty. Throws
/// Failure (usage).
std::optional<Expectation> parse_expectation(const std::string& text);
bool met(const Expectation& expectation, const Summary& summary);

}  // namespace futexmc::cli
