// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/priorities.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace futexmc::checker {

std::size_t any_of(AgentMask enabled, Random& random) {
  std::uint64_t skip = random.below(static_cast<std::uint64_t>(std::popcount(enabled)));
  for (; skip != 0; --skip) enabled &= enabled - 1;
  return static_cast<std::size_t>(std::countr_zero(enabled));
}

Priorities::Priorities(std::size_t agents, unsigned depth, std::uint64_t decisions,
                       Random& random) {
  for (std::size_t i = 0; i < agents; ++i) priority_[i] = depth + static_cast<std::uint32_t>(i);
  for (std::size_t i = agents; i > 1; --i) std::swap(priority_[i - 1], priority_[random.below(i)]);
  for (unsigned i = 1; i < depth; ++i) changes_.push_back(1 + random.below(decisions));
}

std::size_t Priorities::pick(AgentMask enabled) {
  for (;;) {
    ++decision_;
    const std::size_t agent = highest(enabled);
    const std::uint32_t lower = demotion();
    if (lower == 0) return agent;
    priority_[agent] = lower;
  }
}

std::size_t Priorities::highest(AgentMask enabled) const {
  auto best = static_cast<std::size_t>(std::countr_zero(enabled));
  for (AgentMask rest = enabled & (enabled - 1); rest != 0; rest &= rest - 1) {
    const auto agent = static_cast<std::size_t>(std::countr_zero(rest));
    if (priority_[agent] > priority_[best]) best = agent;
  }
  return best;
}

std::uint32_t Priorities::demotion() const {
  const auto at = std::find(changes_.begin(), changes_.end(), decision_);
  return at == changes_.end() ? 0 : static_cast<std::uint32_t>(at - changes_.begin()) + 1;
}

double pct_bound(std::size_t agents, unsigned depth, std::uint64_t decisions) {
  return 1.0 / (static_cast<double>(agents) *
                std::pow(static_cast<double>(decisions), static_cast<double>(depth) - 1));
}

}  // namespace futexmc::checker
