// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/relation.hpp"

#include <algorithm>

namespace futexmc::proofs::lkmm {

const z3::expr* Relation::at(std::size_t from, std::size_t to) const {
  const auto found = rows_[from].find(to);
  return found == rows_[from].end() ? nullptr : &found->second;
}

void Relation::set(std::size_t from, std::size_t to, const z3::expr& when) {
  if (when.is_false()) {
    rows_[from].erase(to);
  } else {
    rows_[from].insert_or_assign(to, when);
  }
}

bool Relation::empty() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.empty(); });
}

std::size_t Relation::pairs() const {
  std::size_t count = 0;
  for (const auto& row : rows_) count += row.size();
  return count;
}

void Relation::each(
    const std::function<void(std::size_t, std::size_t, const z3::expr&)>& visit) const {
  for (std::size_t from = 0; from < rows_.size(); ++from)
    for (const auto& [to, when] : rows_[from]) visit(from, to, when);
}

z3::expr Algebra::variable() {
  const std::string name = "rel!" + std::to_string(variables_++);
  return logic_.context().bool_const(name.c_str());
}

z3::expr Algebra::merge(const std::vector<z3::expr>& ways) {
  std::vector<z3::expr> kept;
  for (const z3::expr& way : ways) {
    if (way.is_true()) return way;
    const bool known = std::any_of(kept.begin(), kept.end(),
                                   [&](const z3::expr& k) { return Logic::same(k, way); });
    if (!way.is_false() && !known) kept.push_back(way);
  }
  if (kept.empty()) return logic_.no();
  if (kept.size() == 1 && !kept[0].is_and()) return kept[0];
  z3::expr result = variable();
  for (const z3::expr& way : kept) sink_(z3::implies(way, result));
  return result;
}

Relation Algebra::unite(const std::vector<const Relation*>& parts) {
  std::vector<std::map<std::size_t, std::vector<z3::expr>>> ways(size_);
  for (const Relation* part : parts) {
    part->each([&](std::size_t from, std::size_t to, const z3::expr& when) {
      ways[from][to].push_back(when);
    });
  }
  Relation result(size_);
  for (std::size_t from = 0; from < size_; ++from)
    for (const auto& [to, of] : ways[from])
      result.set(from, to, of.size() == 1 ? of[0] : merge(of));
  return result;
}

Relation Algebra::then(const Relation& first, const Relation& second) {
  Relation result(size_);
  for (std::size_t from = 0; from < size_; ++from) {
    std::map<std::size_t, std::vector<z3::expr>> ways;
    for (const auto& [middle, before] : first.row(from))
      for (const auto& [to, after] : second.row(middle))
        ways[to].push_back(logic_.both(before, after));
    for (const auto& [to, of] : ways) result.set(from, to, merge(of));
  }
  return result;
}

Relation Algebra::within(const Set& from, const Relation& relation, const Set& to) const {
  Relation result(size_);
  relation.each([&](std::size_t a, std::size_t b, const z3::expr& when) {
    result.set(a, b, logic_.both(logic_.both(from[a], to[b]), when));
  });
  return result;
}

Relation Algebra::from(const Set& set, const Relation& relation) const {
  return within(set, relation, Set(size_, logic_.yes()));
}

Relation Algebra::to(const Relation& relation, const Set& set) const {
  return within(Set(size_, logic_.yes()), relation, set);
}

Relation Algebra::identity(const Set& set) const {
  Relation result(size_);
  for (std::size_t i = 0; i < size_; ++i) result.set(i, i, set[i]);
  return result;
}

Relation Algebra::inverse(const Relation& relation) const {
  Relation result(size_);
  relation.each([&](std::size_t from, std::size_t to, const z3::expr& when) {
    result.set(to, from, when);
  });
  return result;
}

Relation Algebra::only(const Relation& relation,
                       const std::function<bool(std::size_t, std::size_t)>& keep) const {
  Relation result(size_);
  relation.each([&](std::size_t from, std::size_t to, const z3::expr& when) {
    if (keep(from, to)) result.set(from, to, when);
  });
  return result;
}

Relation Algebra::meet(const Relation& a, const Relation& b) const {
  Relation result(size_);
  a.each([&](std::size_t from, std::size_t to, const z3::expr& when) {
    if (const z3::expr* other = b.at(from, to)) result.set(from, to, logic_.both(when, *other));
  });
  return result;
}

Relation Algebra::minus(const Relation& a, const Relation& b) const {
  Relation result(size_);
  a.each([&](std::size_t from, std::size_t to, const z3::expr& when) {
    const z3::expr* other = b.at(from, to);
    result.set(from, to, other ? logic_.both(when, logic_.negation(*other)) : when);
  });
  return result;
}

Relation Algebra::maybe(const Relation& relation) const {
  Relation result = relation;
  for (std::size_t i = 0; i < size_; ++i) result.set(i, i, logic_.yes());
  return result;
}

Relation Algebra::plus(const Relation& relation) {
  // Which pairs any execution could have: the closure of the pairs that are there at all.
  std::vector<std::vector<bool>> may(size_, std::vector<bool>(size_, false));
  relation.each([&](std::size_t from, std::size_t to, const z3::expr&) { may[from][to] = true; });
  for (std::size_t k = 0; k < size_; ++k) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!may[i][k]) continue;
      for (std::size_t j = 0; j < size_; ++j)
        if (may[k][j]) may[i][j] = true;
    }
  }
  Relation result(size_);
  std::vector<std::pair<std::size_t, std::size_t>> open;
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (!may[i][j]) continue;
      const z3::expr* step = relation.at(i, j);
      const bool longer = std::any_of(relation.row(i).begin(), relation.row(i).end(),
                                      [&](const auto& next) { return may[next.first][j]; });
      if (step && (step->is_true() || !longer)) {
        result.set(i, j, *step);
      } else {
        result.set(i, j, variable());
        open.emplace_back(i, j);
      }
    }
  }
  for (const auto& [i, j] : open) {
    const z3::expr& reached = *result.at(i, j);
    if (const z3::expr* step = relation.at(i, j)) sink_(z3::implies(*step, reached));
    for (const auto& [middle, step] : relation.row(i)) {
      const z3::expr* rest = result.at(middle, j);
      if (rest) sink_(z3::implies(logic_.both(step, *rest), reached));
    }
  }
  return result;
}

}  // namespace futexmc::proofs::lkmm
