// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nodes of a recording that happen in the same executions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// Where branches meet again: the node that every path from another one comes to, if none ends on
/// the way and none comes in from elsewhere. Both happen in the same executions then.
class Meeting {
 public:
  explicit Meeting(const std::vector<Node>& nodes) : nodes_(nodes), parents_(nodes.size()) {
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      for (const Group& group : nodes[at].groups) parents_[group.next].insert(at);
    }
  }
  std::optional<std::size_t> of(std::size_t from) const {
    std::set<std::size_t> region = {from};
    std::set<std::size_t> front = {from};
    for (;;) {
      std::set<std::size_t> next;
      for (const std::size_t at : front) {
        const Node& node = nodes_[at];
        const bool ends = node.end != End::none || !node.blocking.empty() || node.known ||
                          takes_lock(node.operation);
        if (ends) return std::nullopt;
        for (const Group& group : node.groups) next.insert(group.next);
      }
      for (const std::size_t at : next) {
        const bool inside = std::all_of(parents_[at].begin(), parents_[at].end(),
                                        [&](std::size_t one) { return region.contains(one); });
        if (!inside) return std::nullopt;
      }
      if (next.size() == 1) return *next.begin();
      region.insert(next.begin(), next.end());
      front = std::move(next);
    }
  }

 private:
  const std::vector<Node>& nodes_;
  std::vector<std::set<std::size_t>> parents_;
};

}  // namespace futexmc::properties::proofs::memory
