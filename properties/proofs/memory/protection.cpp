// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/protection.hpp"

#include <algorithm>

namespace futexmc::properties::proofs::memory {
namespace {

/// No thread has to be later in its run to find `a` than to find `b`.
bool earlier(const Content& a, const Content& b) {
  return std::equal(a.after.begin(), a.after.end(), b.after.begin(),
                    [](std::size_t one, std::size_t other) { return one <= other; });
}

}  // namespace

Content Protection::first(const Lock& lock) const {
  Content content{{}, std::vector<std::size_t>(threads_, 0)};
  for (const std::uint32_t cell : lock.cells) content.cells[cell] = (*initial_)[cell];
  return content;
}

const std::vector<Content>& Protection::contents(std::uint32_t lock) {
  Lock& one = locks_[lock];
  if (one.contents.empty()) one.contents.push_back(first(one));
  return one.contents;
}

void Protection::leave(std::uint32_t lock, Known& known, const Content& found, std::size_t thread,
                       std::size_t depth) {
  Lock& one = locks_[lock];
  Content content = first(one);
  content.after = found.after;
  content.after[thread] = depth;
  for (auto& [cell, value] : content.cells) {
    const auto at = known.find(cell);
    if (at != known.end()) value = at->second;
  }
  std::erase_if(known, [&](const auto& cell) {
    const auto owner = owner_.find(cell.first);
    return owner == owner_.end() || owner->second == lock;
  });
  for (const Content& other : one.contents) {
    if (other.cells == content.cells && earlier(other, content)) return;
  }
  std::erase_if(one.contents, [&](const Content& other) {
    return other.cells == content.cells && earlier(content, other);
  });
  one.contents.push_back(std::move(content));
  news_ = true;
}

void Protection::claim(std::uint32_t cell, const Held& held) {
  if (held.empty() || owner_.contains(cell) || unprotected_.contains(cell)) return;
  const std::uint32_t lock = held.back().first;
  owner_[cell] = lock;
  locks_[lock].cells.insert(cell);
  begin_anew(lock);
}

void Protection::write_without_lock(std::uint32_t cell) {
  if (!unprotected_.insert(cell).second) return;
  const auto owner = owner_.find(cell);
  if (owner == owner_.end()) return;
  locks_[owner->second].cells.erase(cell);
  begin_anew(owner->second);
  owner_.erase(owner);
}

/// What was found before was found while something else was taken to be protected.
void Protection::begin_anew(std::uint32_t lock) {
  locks_[lock].contents = {first(locks_[lock])};
  news_ = true;
}

}  // namespace futexmc::properties::proofs::memory
