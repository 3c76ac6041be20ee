// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/reasons.hpp"

#include <set>

namespace futexmc::proofs::lkmm {

Why Reasons::fact(const z3::expr& formula) {
  if (formula.is_true()) return kAlways;
  const auto [at, fresh] = known_.try_emplace(formula.id(), static_cast<Why>(nodes_.size()));
  if (fresh) {
    nodes_.push_back({kNo, kNo, 1, static_cast<std::uint32_t>(facts_.size())});
    facts_.push_back(formula);
  }
  return at->second;
}

Why Reasons::both(Why a, Why b) {
  if (a == kNo || b == kNo) return kNo;
  if (a == kAlways || a == b) return b;
  if (b == kAlways) return a;
  nodes_.push_back({a, b, nodes_[a].size + nodes_[b].size, 0});
  return static_cast<Why>(nodes_.size() - 1);
}

std::vector<z3::expr> Reasons::facts(Why why) const {
  std::set<std::uint32_t> found;
  std::set<Why> seen = {kNo, kAlways};
  std::vector<Why> open = {why};
  while (!open.empty()) {
    const Why at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const Node& node = nodes_[at];
    if (node.left == kNo) {
      found.insert(node.fact);
    } else {
      open.push_back(node.left);
      open.push_back(node.right);
    }
  }
  std::vector<z3::expr> result;
  for (const std::uint32_t fact : found) result.push_back(facts_[fact]);
  return result;
}

}  // namespace futexmc::proofs::lkmm
