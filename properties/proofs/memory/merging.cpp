// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <tuple>

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::Operation;

auto key_of(const Operation& op) {
  return std::tuple(op.name, op.cell, op.mover, op.order, op.access, op.writes, op.guard.kind,
                    op.guard.function, op.guard.value);
}
auto key_of(const Group& group) {
  return std::tuple(group.next, group.stores, group.results, group.values);
}

/// Groups that have come to lead to one node are one.
void join(std::vector<Group>& groups) {
  std::vector<Group> joined;
  for (Group& group : groups) {
    const auto same = std::find_if(joined.begin(), joined.end(), [&](const Group& one) {
      return one.next == group.next && one.stores == group.stores && one.results == group.results;
    });
    if (same == joined.end()) {
      joined.push_back(std::move(group));
    } else {
      same->values.insert(same->values.end(), group.values.begin(), group.values.end());
    }
  }
  for (Group& group : joined) std::sort(group.values.begin(), group.values.end());
  std::sort(joined.begin(), joined.end(),
            [](const Group& a, const Group& b) { return key_of(a) < key_of(b); });
  groups = std::move(joined);
}

auto key_of(const Node& node) {
  std::vector<decltype(key_of(node.groups.front()))> groups;
  for (const Group& group : node.groups) groups.push_back(key_of(group));
  return std::tuple(node.depth, node.end, node.goes_on, key_of(node.operation), node.function,
                    node.known, node.left, node.blocking, node.note, std::move(groups));
}

}  // namespace

std::size_t most_writes(const ThreadRecording& thread, std::uint32_t cell) {
  std::vector<std::size_t> most(thread.nodes.size(), 0);
  for (std::size_t at = thread.nodes.size(); at-- > 0;) {
    const Node& node = thread.nodes[at];
    for (const Group& group : node.groups) {
      std::size_t here = node.operation.cell == cell && node.operation.writes != 0 ? 1 : 0;
      for (const auto& store : group.stores) here += store.first == cell ? 1 : 0;
      most[at] = std::max(most[at], here + most[group.next]);
    }
  }
  return most.empty() ? 0 : most[0];
}

void merge(ThreadRecording& thread) {
  std::vector<Node>& nodes = thread.nodes;
  std::map<decltype(key_of(nodes.front())), std::size_t> known;
  std::vector<std::size_t> merged(nodes.size());  // into which
  for (std::size_t at = nodes.size(); at-- > 0;) {
    for (Group& group : nodes[at].groups) group.next = merged[group.next];
    join(nodes[at].groups);
    merged[at] = known.try_emplace(key_of(nodes[at]), at).first->second;
  }
  std::vector<std::size_t> moved(nodes.size());
  std::vector<Node> kept;
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    if (merged[at] != at) continue;
    moved[at] = kept.size();
    kept.push_back(std::move(nodes[at]));
  }
  for (Node& node : kept)
    for (Group& group : node.groups) group.next = moved[group.next];
  nodes = std::move(kept);
}

}  // namespace futexmc::properties::proofs::memory
