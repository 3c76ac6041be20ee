// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

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

using Place = std::pair<std::string_view, int>;

Place place_of(const Node& node) { return {node.operation.loc.file, node.operation.loc.line}; }

/// What comes with a node or after it.
struct After {
  std::set<Place> may;   ///< on some way
  std::set<Place> must;  ///< on each
  bool open = false;     ///< more than was recorded may come
  bool all = false;      ///< on each way more comes than was recorded: it may be anything
};

/// What must come either way.
void meet(After& here, const After& next) {
  if (next.all) return;
  if (here.all) {
    here.must = next.must;
    here.all = false;
    return;
  }
  std::erase_if(here.must, [&](const Place& place) { return !next.must.contains(place); });
}

std::vector<After> what_comes_after(const std::vector<Node>& nodes) {
  std::vector<After> after(nodes.size());
  for (std::size_t at = nodes.size(); at-- > 0;) {
    const Node& node = nodes[at];
    After& here = after[at];
    here.open = node.goes_on;
    here.all = node.goes_on || !node.groups.empty();
    for (const Group& group : node.groups) {
      const After& next = after[group.next];
      here.may.insert(next.may.begin(), next.may.end());
      here.open |= next.open;
      meet(here, next);
    }
    if (!node.blocking.empty()) {
      here.must.clear();
      here.all = false;
    }
    if (node.end != End::none) continue;
    here.may.insert(place_of(node));
    here.must.insert(place_of(node));
  }
  return after;
}

/// Whether it is by what `from` reads that `at` is done: with some value never, or with one for
/// certain and with another not. Done a little later is done: arms of different lengths meet again.
bool is_controlled(const std::vector<Node>& nodes, const std::vector<After>& after,
                   std::size_t from, std::size_t at) {
  if (!nodes[from].blocking.empty()) return true;
  const Place place = place_of(nodes[at]);
  bool certain = false;
  bool avoided = false;
  for (const Group& group : nodes[from].groups) {
    const After& then = after[group.next];
    if (!then.open && !then.may.contains(place)) return true;
    certain |= !then.all && then.must.contains(place);
    avoided |= !then.all && !then.must.contains(place);
  }
  return certain && avoided;
}

}  // namespace

void Events::add_dependencies() {
  const std::vector<Node>& nodes = recording_.threads[thread_].nodes;
  const std::vector<After> after = what_comes_after(nodes);
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    const checker::Operation& op = nodes[from].operation;
    if (!happens_[from].read || op.order == checker::Order::plain) continue;
    futexmc::proofs::check(watch_);
    const auto through = reached_through(nodes, from);
    std::set<int> behind;  // objects that a later load may have led to
    for (std::size_t at = from + 1; at < nodes.size(); ++at) {
      if (through[at].empty() || nodes[at].end != End::none) continue;
      if (is_controlled(nodes, after, from, at)) add_control(from, at);
      if ((op.access & checker::kPointer) == 0) continue;
      add_address(from, at, through[at], behind);
      if ((nodes[at].operation.access & checker::kPointer) == 0) continue;
      for (const Group& group : nodes[at].groups) {
        for (const auto& value : group.values) behind.insert(recording_.target_of(value.first));
      }
    }
  }
}

void Events::add_control(std::size_t from, std::size_t at) {
  for (const Id id : happens_[at].all) {
    if (graph_.event(id).kind == futexmc::proofs::lkmm::Kind::fence) continue;
    graph_.control(*happens_[from].read, id);
  }
}

void Events::add_address(std::size_t from, std::size_t at, const std::set<std::size_t>& through,
                         const std::set<int>& behind) {
  const std::vector<Node>& nodes = recording_.threads[thread_].nodes;
  if (nodes[at].operation.cell == checker::kNoCell) return;
  const int object = recording_.object_of[nodes[at].operation.cell];
  if (behind.contains(object)) return;
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
