// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/relation.hpp"

#include <algorithm>

namespace futexmc::proofs::lkmm {
namespace {

bool before(const std::pair<std::size_t, Why>& entry, std::size_t to) { return entry.first < to; }

/// Gathers a row's pairs, keeping the shorter reason of each.
class Gather {
 public:
  Gather(Reasons& reasons, std::size_t size) : reasons_(reasons), best_(size, kNo) {}

  void add(std::size_t to, Why why) {
    if (best_[to] == kNo) touched_.push_back(to);
    best_[to] = reasons_.either(best_[to], why);
  }
  void add(std::size_t to, Why first, Why second) {
    const Why known = best_[to];
    const std::uint32_t size = reasons_.size(first) + reasons_.size(second);
    if (known != kNo && reasons_.size(known) <= size) return;
    if (known == kNo) touched_.push_back(to);
    best_[to] = reasons_.both(first, second);
  }
  Relation::Row take() {
    std::sort(touched_.begin(), touched_.end());
    Relation::Row row;
    row.reserve(touched_.size());
    for (const std::size_t to : touched_) row.emplace_back(to, std::exchange(best_[to], kNo));
    touched_.clear();
    return row;
  }

 private:
  Reasons& reasons_;
  std::vector<Why> best_;
  std::vector<std::size_t> touched_;
};

}  // namespace

Why Relation::at(std::size_t from, std::size_t to) const {
  const Row& row = rows_[from];
  const auto found = std::lower_bound(row.begin(), row.end(), to, before);
  return found == row.end() || found->first != to ? kNo : found->second;
}

void Relation::set(std::size_t from, std::size_t to, Why why) {
  Row& row = rows_[from];
  const auto found = std::lower_bound(row.begin(), row.end(), to, before);
  const bool there = found != row.end() && found->first == to;
  if (why == kNo) {
    if (there) row.erase(found);
  } else if (there) {
    found->second = why;
  } else {
    row.emplace(found, to, why);
  }
}

bool Relation::empty() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.empty(); });
}

Relation Algebra::unite(const std::vector<const Relation*>& parts) const {
  Relation result(size_);
  Gather gather(reasons_, size_);
  for (std::size_t from = 0; from < size_; ++from) {
    for (const Relation* part : parts)
      for (const auto& [to, why] : part->row(from)) gather.add(to, why);
    result.set_row(from, gather.take());
  }
  return result;
}

Relation Algebra::then(const Relation& first, const Relation& second) const {
  Relation result(size_);
  Gather gather(reasons_, size_);
  for (std::size_t from = 0; from < size_; ++from) {
    for (const auto& [middle, one] : first.row(from))
      for (const auto& [to, two] : second.row(middle)) gather.add(to, one, two);
    result.set_row(from, gather.take());
  }
  return result;
}

Relation Algebra::within(const Set& from, const Relation& relation, const Set& to) const {
  Relation result(size_);
  for (std::size_t a = 0; a < size_; ++a) {
    if (from[a] == kNo) continue;
    Relation::Row row;
    for (const auto& [b, why] : relation.row(a))
      if (to[b] != kNo) row.emplace_back(b, reasons_.both(from[a], why, to[b]));
    result.set_row(a, std::move(row));
  }
  return result;
}

Relation Algebra::from(const Set& set, const Relation& relation) const {
  return within(set, relation, Set(size_, kAlways));
}

Relation Algebra::to(const Relation& relation, const Set& set) const {
  return within(Set(size_, kAlways), relation, set);
}

Relation Algebra::identity(const Set& set) const {
  Relation result(size_);
  for (std::size_t i = 0; i < size_; ++i) result.set(i, i, set[i]);
  return result;
}

Relation Algebra::inverse(const Relation& relation) const {
  std::vector<Relation::Row> rows(size_);
  relation.each(
      [&](std::size_t from, std::size_t to, Why why) { rows[to].emplace_back(from, why); });
  Relation result(size_);
  for (std::size_t i = 0; i < size_; ++i) result.set_row(i, std::move(rows[i]));
  return result;
}

Relation Algebra::only(const Relation& relation,
                       const std::function<bool(std::size_t, std::size_t)>& keep) const {
  Relation result(size_);
  for (std::size_t from = 0; from < size_; ++from) {
    Relation::Row row;
    for (const auto& entry : relation.row(from))
      if (keep(from, entry.first)) row.push_back(entry);
    result.set_row(from, std::move(row));
  }
  return result;
}

Relation Algebra::meet(const Relation& a, const Relation& b) const {
  Relation result(size_);
  a.each([&](std::size_t from, std::size_t to, Why why) {
    result.set(from, to, reasons_.both(why, b.at(from, to)));
  });
  return result;
}

Relation Algebra::maybe(const Relation& relation) const {
  Relation result = relation;
  for (std::size_t i = 0; i < size_; ++i) result.set(i, i, kAlways);
  return result;
}

Relation Algebra::plus(const Relation& relation) const {
  std::vector<Why> all(size_ * size_, kNo);
  relation.each([&](std::size_t from, std::size_t to, Why why) { all[from * size_ + to] = why; });
  for (std::size_t k = 0; k < size_; ++k) {
    const Why* const second = &all[k * size_];
    for (std::size_t i = 0; i < size_; ++i) {
      const Why one = all[i * size_ + k];
      if (one == kNo) continue;
      Why* const best = &all[i * size_];
      for (std::size_t j = 0; j < size_; ++j) {
        if (second[j] == kNo) continue;
        const std::uint32_t size = reasons_.size(one) + reasons_.size(second[j]);
        if (best[j] == kNo || size < reasons_.size(best[j])) {
          best[j] = reasons_.both(one, second[j]);
        }
      }
    }
  }
  Relation result(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    Relation::Row row;
    for (std::size_t j = 0; j < size_; ++j)
      if (all[i * size_ + j] != kNo) row.emplace_back(j, all[i * size_ + j]);
    result.set_row(i, std::move(row));
  }
  return result;
}

}  // namespace futexmc::proofs::lkmm
