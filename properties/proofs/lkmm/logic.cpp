// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/logic.hpp"

#include <algorithm>

namespace futexmc::proofs::lkmm {
namespace {

/// Appends the conjuncts of `e` to `out`, in order and once each.
void flatten(const z3::expr& e, std::vector<z3::expr>& out) {
  if (e.is_and()) {
    for (unsigned i = 0; i < e.num_args(); ++i) flatten(e.arg(i), out);
    return;
  }
  const auto found = std::find_if(out.begin(), out.end(),
                                  [&](const z3::expr& other) { return z3::eq(e, other); });
  if (found == out.end() && !e.is_true()) out.push_back(e);
}

/// For `x = number` the two sides in that order, whichever way they are written.
bool pinned(const z3::expr& e, std::vector<z3::expr>& sides) {
  if (!e.is_eq()) return false;
  if (e.arg(1).is_numeral()) sides = {e.arg(0), e.arg(1)};
  if (e.arg(0).is_numeral()) sides = {e.arg(1), e.arg(0)};
  return !sides.empty();
}

}  // namespace

z3::expr Logic::both(const z3::expr& a, const z3::expr& b) const {
  if (is_false(a) || is_true(b)) return a;
  if (is_false(b) || is_true(a)) return b;
  return same(a, b) ? a : a && b;
}

z3::expr Logic::either(const z3::expr& a, const z3::expr& b) const {
  if (is_true(a) || is_false(b)) return a;
  if (is_true(b) || is_false(a)) return b;
  return same(a, b) ? a : a || b;
}

z3::expr Logic::any(const std::vector<z3::expr>& of) const {
  z3::expr_vector kept(context_);
  for (const z3::expr& e : of) {
    if (is_true(e)) return e;
    if (!is_false(e)) kept.push_back(e);
  }
  if (kept.empty()) return no();
  return kept.size() == 1 ? kept[0] : z3::mk_or(kept);
}

z3::expr Logic::negation(const z3::expr& a) const {
  if (is_true(a)) return no();
  if (is_false(a)) return yes();
  return a.is_not() ? a.arg(0) : !a;
}

z3::expr Logic::equal(const z3::expr& a, const z3::expr& b) const {
  if (same(a, b)) return yes();
  if (a.is_numeral() && b.is_numeral()) return no();
  return a == b;
}

bool Logic::contradict(const z3::expr& a, const z3::expr& b) const {
  if (a.is_not() && same(a.arg(0), b)) return true;
  if (b.is_not() && same(b.arg(0), a)) return true;
  std::vector<z3::expr> left;
  std::vector<z3::expr> right;
  if (!pinned(a, left) || !pinned(b, right)) return false;
  return same(left[0], right[0]) && !same(left[1], right[1]);
}

z3::expr Logic::conjunction(const z3::expr& a, const z3::expr& b) const {
  std::vector<z3::expr> left;
  flatten(a, left);
  std::vector<z3::expr> all = left;
  flatten(b, all);
  if (all.size() == left.size()) return a;
  for (std::size_t i = left.size(); i < all.size(); ++i) {
    for (const z3::expr& e : left)
      if (contradict(e, all[i])) return no();
  }
  std::vector<z3::expr> right;
  flatten(b, right);
  if (right.size() == all.size()) return b;
  z3::expr_vector conjuncts(context_);
  for (const z3::expr& e : all) conjuncts.push_back(e);
  return z3::mk_and(conjuncts);
}

z3::expr Logic::guards(const z3::expr& a, const z3::expr& b) {
  if (is_true(a) || is_false(b)) return b;
  if (is_true(b) || is_false(a)) return a;
  const Key key = std::minmax(a.id(), b.id());
  if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
  z3::expr result = conjunction(a, b);
  kept_.push_back(a);
  kept_.push_back(b);
  cache_.emplace(key, result);
  return result;
}

}  // namespace futexmc::proofs::lkmm
