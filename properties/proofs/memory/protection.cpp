// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/protection.hpp"

#include <algorithm>

namespace futexmc::properties::proofs::memory {
Content Protection::first(const Lock& lock) const {
  Content content{kAtFirst, {}, std::vector<std::size_t>(threads_, 0)};
  for (const std::uint32_t cell : lock.cells) content.cells[cell] = (*initial_)[cell];
  return content;
}

std::uint64_t Protection::number(Lock& lock, const Known& cells) {
  if (lock.contents.at(0).cells == cells) return kAtFirst;
  return lock.numbers.try_emplace(cells, kTaken + 1 + lock.numbers.size()).first->second;
}

const std::vector<Content>& Protection::contents(std::uint32_t lock) {
  Lock& one = locks_[lock];
  if (one.contents.empty()) one.contents.push_back(first(one));
  return one.contents;
}

std::uint64_t Protection::leave(std::uint32_t lock, Known& known, const Held& held,
                                std::size_t thread, std::size_t depth) {
  const auto mine = std::find_if(held.begin(), held.end(),
                                 [&](const auto& one) { return one.first == lock; });
  if (mine == held.end()) return kAtFirst;
  contents(lock);
  Lock& one = locks_[lock];
  Content left = first(one);
  left.after = mine->second.after;
  left.after[thread] = depth;
  for (auto& [cell, value] : left.cells) {
    const auto at = known.find(cell);
    if (at != known.end()) value = at->second;
  }
  std::erase_if(known, [&](const auto& cell) { return !is_known(cell.first, lock, held); });
  left.number = number(one, left.cells);
  const auto same = std::find_if(one.contents.begin(), one.contents.end(), [&](const Content& c) {
    return c.number == left.number;
  });
  if (same == one.contents.end()) {
    one.contents.push_back(left);
    news_ = true;
    return left.number;
  }
  for (std::size_t i = 0; i < threads_; ++i) {
    if (left.after[i] >= same->after[i]) continue;
    same->after[i] = left.after[i];
    news_ = true;
  }
  return left.number;
}

/// Whether a lock held other than `but` has the cell.
bool Protection::is_known(std::uint32_t cell, std::uint32_t but, const Held& held) const {
  const auto owners = owners_.find(cell);
  if (owners == owners_.end()) return false;
  return std::any_of(held.begin(), held.end(), [&](const auto& one) {
    return one.first != but && owners->second.contains(one.first);
  });
}

void Protection::claim(std::uint32_t cell, const Held& held) {
  if (held.empty() || unprotected_.contains(cell)) return;
  const auto [common, first] = common_.try_emplace(cell);
  for (const auto& one : held) {
    if (first) common->second.insert(one.first);
  }
  std::erase_if(common->second, [&](std::uint32_t lock) {
    return std::none_of(held.begin(), held.end(),
                        [&](const auto& one) { return one.first == lock; });
  });
  // The latest of those that were held whenever the cell was used, or else the latest of these.
  const auto latest = std::find_if(held.rbegin(), held.rend(), [&](const auto& one) {
    return common->second.contains(one.first);
  });
  const std::uint32_t lock = latest != held.rend() ? latest->first : held.back().first;
  auto& owners = owners_[cell];
  if (latest != held.rend()) {
    std::erase_if(owners, [&](std::uint32_t other) {
      if (other == lock) return false;
      locks_[other].cells.erase(cell);
      change(other);
      return true;
    });
  }
  owners.insert(lock);
  if (locks_[lock].cells.insert(cell).second) change(lock);
}

void Protection::write_without_lock(std::uint32_t cell) {
  if (!unprotected_.insert(cell).second) return;
  const auto owners = owners_.find(cell);
  if (owners == owners_.end()) return;
  for (const std::uint32_t lock : owners->second) {
    locks_[lock].cells.erase(cell);
    change(lock);
  }
  owners_.erase(owners);
}

void Protection::change(std::uint32_t lock) {
  locks_[lock].contents.clear();
  locks_[lock].numbers.clear();
  stale_ = true;
}

bool Protection::begins_anew() {
  if (!stale_) return false;
  for (auto& [at, lock] : locks_) {
    lock.contents.clear();
    lock.numbers.clear();
  }
  stale_ = false;
  return true;
}

}  // namespace futexmc::properties::proofs::memory
