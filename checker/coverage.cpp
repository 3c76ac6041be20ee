// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/coverage.hpp"

namespace futexmc::checker {
namespace {

/// "queues[].lock" of "queues[3].lock".
std::string without_indices(const std::string& member) {
  std::string text;
  bool index = false;
  for (const char c : member) {
    if (c == ']') index = false;
    if (!index) text += c;
    if (c == '[') index = true;
  }
  return text;
}

/// The cell as a member of its object's kind; the kind alone where the cell has no name.
std::string kind_of(std::uint32_t cell) {
  const Object& object = arena.layout.object_of(cell);
  const std::string name = arena.layout.cell_name(cell);
  if (!name.starts_with(object.name + ".")) return object.kind;
  return object.kind + without_indices(name.substr(object.name.size()));
}

}  // namespace

void Coverage::watch(std::set<std::string> names, std::function<void(const std::string&)> told) {
  watched_ = std::move(names);
  told_ = std::move(told);
}

void Coverage::note_name(const Use& use) {
  const auto [at, fresh] = uses_.try_emplace(use, nullptr);
  if (fresh) {
    std::string name = std::string(use.function) + "(): " + use.operation;
    if (use.cell != kNoCell) name += " of " + kind_of(use.cell);
    at->second = &*names_.insert(std::move(name)).first;
  }
  recent_uses_[slot(use)] = use;
  if (watched_.contains(*at->second)) told_(*at->second);
}

}  // namespace futexmc::checker
