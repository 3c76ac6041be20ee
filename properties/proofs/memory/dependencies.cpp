// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <set>

#include "properties/proofs/memory/events.hpp"

namespace futexmc::properties::proofs::memory {

using futexmc::proofs::lkmm::Id;

namespace {

/// For each node the groups of `from` through which it can be reached.
std::vector<std::set<std::size_t>> reached_through(const std::vector<Node>& nodes,
                                                   std::size_t from) {
  std::vector<std::set<std::size_t>> through(nodes.size());
  for (std::size_t g = 0; g < nodes[from].groups.size(); ++g) {
    through[nodes[from].groups[g].next].insert(g);
  }
  for (std::size_t at = from + 1; at < nodes.size(); ++at) {
    for (const Group& group : nodes[at].groups) {
      through[group.next].insert(through[at].begin(), through[at].end());
    }
  }
  return through;
}

}  // namespace

void Events::add_dependencies() {
  const std::vector<Node>& nodes = recording_.threads[thread_].nodes;
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    const checker::Operation& op = nodes[from].operation;
    if (!happens_[from].read || op.order == checker::Order::plain) continue;
    futexmc::proofs::check(watch_);
    const auto through = reached_through(nodes, from);
    const std::size_t outcomes =
        nodes[from].groups.size() + (nodes[from].blocking.empty() ? 0U : 1U);
    for (std::size_t at = from + 1; at < nodes.size(); ++at) {
      if (through[at].empty() || nodes[at].end != End::none) continue;
      if (through[at].size() < outcomes) add_control(from, at);
      if ((op.access & checker::kPointer) != 0) add_address(from, at, through[at]);
    }
  }
}

void Events::add_control(std::size_t from, std::size_t at) {
  for (const Id id : happens_[at].all) {
    if (graph_.event(id).kind == futexmc::proofs::lkmm::Kind::fence) continue;
    graph_.control(*happens_[from].read, id);
  }
}

void Events::add_address(std::size_t from, std::size_t at, const std::set<std::size_t>& through) {
  const std::vector<Node>& nodes = recording_.threads[thread_].nodes;
  if (nodes[at].operation.cell == checker::kNoCell) return;
  const int object = recording_.object_of[nodes[at].operation.cell];
  const bool points = std::any_of(through.begin(), through.end(), [&](std::size_t g) {
    const auto& values = nodes[from].groups[g].values;
    return std::any_of(values.begin(), values.end(), [&](const auto& value) {
      return recording_.target_of(value.first) == object;
    });
  });
  if (!points) return;
  for (const std::optional<Id>& id : {happens_[at].read, happens_[at].write}) {
    if (id) graph_.address(*happens_[from].read, *id);
  }
}

}  // namespace futexmc::properties::proofs::memory
