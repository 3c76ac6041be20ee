// SPDX-License-Identifier: GPL-2.0-or-later
//
// An operation's access to its cell as events: read, write, or both halves of an atomic operation.
#include <algorithm>

#include "properties/proofs/memory/events.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::Operation;
using futexmc::proofs::lkmm::Fence;
using futexmc::proofs::lkmm::Id;
using Mark = futexmc::proofs::lkmm::Order;

bool is_rmw(const Operation& op) { return (op.access & checker::kReadModifyWrite) != 0; }

/// With some value it leaves the value alone. Then it has failed, and orders nothing.
bool may_fail(const Node& node) {
  return is_rmw(node.operation) && !sleeps(node.operation) &&
         std::any_of(node.groups.begin(), node.groups.end(), [](const Group& group) {
           return std::any_of(group.values.begin(), group.values.end(),
                              [](const auto& value) { return value.first == value.second; });
         });
}

/// Nothing depends on what it has read: no more is relied on than of an atomic without a result.
bool is_void(const Node& node) {
  return node.operation.order == checker::Order::relaxed && node.groups.size() == 1;
}

Mark mark_of(const Operation& op) {
  switch (op.order) {
    // Compiled to one access: see the theorems' assumptions.
    case checker::Order::plain: case checker::Order::once: case checker::Order::relaxed:
      return Mark::once;
    case checker::Order::acquire: return Mark::acquire;
    case checker::Order::release: return Mark::release;
    case checker::Order::full: break;
  }
  return is_rmw(op) ? Mark::full : Mark::once;
}

}  // namespace

void Events::add_access(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const Operation& op = node.operation;
  const auto thread = static_cast<int>(thread_);
  Happens& here = happens_[at];
  const bool full = op.order == checker::Order::full;
  if (op.cell == checker::kNoCell || !shared(op.cell)) {
    // Only its ordering is left of it.
    if (full && !may_fail(node)) {
      here.all.push_back(graph_.fence(thread, Fence::mb, guards_[at]));
    }
    return;
  }
  if (is_rmw(op)) return add_read_modify_write(at);
  if (reads(op)) {
    const Mark mark = op.writes == 0 && full ? Mark::acquire : mark_of(op);
    here.read = graph_.read(thread, mark, place(op.cell), guards_[at]);
    here.all.push_back(*here.read);
  }
  if (op.writes != 0) {
    const z3::expr value =
        here.read ? stored(node, *here.read) : number(node.groups.at(0).values.at(0).second);
    here.write = graph_.write(thread, mark_of(op), place(op.cell), value, guards_[at]);
    here.all.push_back(*here.write);
    if (here.read) graph_.data(*here.read, *here.write);
  }
  // smp_store_mb()
  if (full && op.writes != 0) here.all.push_back(graph_.fence(thread, Fence::mb, guards_[at]));
}

/// What the operation stores, as a function of what it reads.
z3::expr Events::stored(const Node& node, Id read) {
  std::optional<z3::expr> value;
  for (const Group& group : node.groups) {
    for (const auto& [before, after] : group.values) {
      const z3::expr then = number(after);
      if (!value) value = then;
      else if (!z3::eq(*value, then)) {
        value = z3::ite(graph_.value(read) == number(before), then, *value);
      }
    }
  }
  return value.value();
}

void Events::add_read_modify_write(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const Operation& op = node.operation;
  Happens& here = happens_[at];
  const Mark mark = is_void(node) ? Mark::noreturn : mark_of(op);
  const bool conditional = may_fail(node);
  here.read = graph_.atomic_read(static_cast<int>(thread_), mark, place(op.cell), guards_[at],
                                 conditional);
  z3::expr writes = guards_[at];
  if (conditional) {
    std::vector<z3::expr> changing;
    for (const Group& group : node.groups) {
      for (const auto& [before, after] : group.values) {
        if (before == after) continue;
        changing.push_back(graph_.logic().equal(graph_.value(*here.read), number(before)));
      }
    }
    writes = graph_.logic().both(writes, graph_.logic().any(changing));
  }
  here.write = graph_.atomic_write(*here.read, stored(node, *here.read), writes);
  here.all.push_back(*here.read);
  here.all.push_back(*here.write);
}

/// schedule(), or a loop that does nothing but read. Who stays there reads for ever what it waits
/// for the end of.
void Events::add_wait(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const Operation& op = node.operation;
  Happens& here = happens_[at];
  z3::expr stays = node.blocking.empty() ? graph_.logic().no() : this->stays("sleeps", at);
  if (!paths_.empty()) {
    stays = paths_[thread_].sleeps_at(at) ? graph_.always() : graph_.logic().no();
  }
  const z3::expr goes = graph_.logic().both(guards_[at], graph_.logic().negation(stays));
  if (!stays.is_false() && shared(op.cell)) {
    std::vector<z3::expr> asleep;
    const z3::expr last = graph_.final_value(place(op.cell));
    for (const std::uint64_t value : node.blocking) {
      asleep.push_back(graph_.logic().equal(last, number(value)));
    }
    const z3::expr blocked = graph_.logic().both(guards_[at], stays);
    graph_.require(z3::implies(blocked, graph_.logic().any(asleep)));
    ends_.back().blocked = graph_.logic().either(ends_.back().blocked, blocked);
  }
  if (goes.is_false()) guards_[at] = goes;
  if (!shared(op.cell) || goes.is_false()) return;
  const Mark mark = sleeps(op) ? Mark::acquire : mark_of(op);
  here.read = graph_.read(static_cast<int>(thread_), mark, place(op.cell), goes);
  here.all.push_back(*here.read);
  std::vector<z3::expr> passing;
  for (const Group& group : node.groups) {
    for (const auto& value : group.values) {
      passing.push_back(graph_.logic().equal(graph_.value(*here.read), number(value.first)));
    }
  }
  graph_.require(z3::implies(goes, graph_.logic().any(passing)));
  guards_[at] = goes;  // for what follows
}

}  // namespace futexmc::properties::proofs::memory
