// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/expectation.hpp"

#include <algorithm>

#include "cli/names.hpp"

namespace futexmc::cli {

using properties::Verdict;

std::optional<Expectation> parse_expectation(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  require("verdict", word, {"holds", "inconclusive", "violated"});
  if (colon == std::string::npos) {
    if (word == "holds") return Expectation{Verdict::holds, ""};
    return Expectation{word == "violated" ? Verdict::violated : Verdict::inconclusive, ""};
  }
  require("verdict with a property", word, {"violated"});
  const std::string property = text.substr(colon + 1);
  require("property", property, all_property_names());
  return Expectation{Verdict::violated, property};
}

bool met(const Expectation& expectation, const Summary& summary) {
  if (expectation.verdict != summary.verdict) return false;
  const auto& violated = summary.violated;
  return expectation.property.empty() ||
         std::find(violated.begin(), violated.end(), expectation.property) != violated.end();
}

}  // namespace futexmc::cli
