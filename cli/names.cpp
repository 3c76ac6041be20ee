// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/names.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/failure.hpp"
#include "model/variant.hpp"
#include "properties/property.hpp"

namespace futexmc::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between prefixes: two back, one back, and the one at hand.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view name, const Names& known) {
  std::string best;
  // Further away than a third of its letters, at least two of them, it is another word.
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3);
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name.substr(0, 100), candidate);
    if (distance > best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string unknown(std::string_view kind, std::string_view name, const Names& known) {
  std::string text = fmt::format("unknown {} '{}'", kind, name);
  const std::string meant = nearest(name, known);
  constexpr std::size_t kFew = 4;
  if (!meant.empty()) {
    text += fmt::format("; did you mean '{}'?", meant);
  } else if (known.size() <= kFew) {
    text += fmt::format("; known: {}", fmt::join(known, ", "));
  }
  return text;
}

void require(std::string_view kind, std::string_view name, const Names& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Failure(exit_code::kUsage, unknown(kind, name, known));
}

namespace {

template <class Table>
Names names_in(const Table& table) {
  Names names;
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

}  // namespace

Names kernel_names() { return names_in(model::kernels()); }
Names patch_names() { return names_in(model::patches()); }
Names knockout_names() { return names_in(model::knockouts()); }
Names property_names() {
  Names names;
  for (const properties::Property& property : properties::all()) names.push_back(property.id);
  return names;
}
Names all_property_names() {
  Names names;
  for (const properties::Property* const property : properties::listed()) {
    names.push_back(property->id);
  }
  return names;
}

}  // namespace futexmc::cli
