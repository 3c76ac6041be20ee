// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {
namespace {

/// When the read of an atomic operation or of a lock has a write.
Set successes(const Graph& graph) {
  const Logic& logic = graph.logic();
  Set result(graph.size(), logic.yes());
  std::vector<std::vector<z3::expr>> writes(graph.size());
  for (const Event& event : graph.events())
    if (event.partner) writes[*event.partner].push_back(event.guard);
  for (Id id = 0; id < graph.size(); ++id) {
    const Event& event = graph.event(id);
    if (event.can_fail || event.lock == LockPart::observe) result[id] = logic.any(writes[id]);
  }
  return result;
}

}  // namespace

Classes classify(const Graph& graph) {
  const Logic& logic = graph.logic();
  const Set none(graph.size(), logic.no());
  const Set success = successes(graph);
  Classes c{none, none, none, none, none, none, none, none, none, none, none, none, none, none,
            none};
  for (Id id = 0; id < graph.size(); ++id) {
    const Event& e = graph.event(id);
    const bool reads = e.kind == Kind::read;
    const bool writes = e.kind == Kind::write;
    const auto put = [&](Set& set, bool when) {
      if (when) set[id] = logic.yes();
    };
    const auto put_success = [&](Set& set, bool when) {
      if (when) set[id] = success[id];
    };
    put(c.access, reads || writes);
    put(c.read, reads);
    put(c.write, writes);
    put(c.plain, e.kind != Kind::fence && e.order == Order::plain);
    put(c.marked, e.kind == Kind::fence || e.order != Order::plain);
    put_success(c.acquire, reads && e.order == Order::acquire);
    put(c.release, writes && e.order == Order::release);
    put_success(c.full_read, reads && e.order == Order::full);
    put(c.full_write, writes && e.order == Order::full);
    put(c.atomic, e.atomic);
    put(c.returning, reads && e.order != Order::noreturn);
    put(c.not_noreturn, !(reads && e.order == Order::noreturn));
    put(c.hold, e.lock == LockPart::hold);
    put(c.unlock, e.lock == LockPart::release);
    put_success(c.take, e.lock == LockPart::take || e.lock == LockPart::observe);
  }
  return c;
}

Set fences(const Graph& graph, std::initializer_list<Fence> kinds) {
  const Logic& logic = graph.logic();
  Set result(graph.size(), logic.no());
  for (Id id = 0; id < graph.size(); ++id) {
    const Event& e = graph.event(id);
    const bool found = std::find(kinds.begin(), kinds.end(), e.fence) != kinds.end();
    if (e.kind == Kind::fence && found) result[id] = logic.yes();
  }
  return result;
}

Relation rcu_sections(const Graph& graph, Logic& logic) {
  Relation result(graph.size());
  const auto is = [&](Id id, Fence fence) {
    return graph.event(id).kind == Kind::fence && graph.event(id).fence == fence;
  };
  for (Id unlock = 0; unlock < graph.size(); ++unlock) {
    if (!is(unlock, Fence::rcu_unlock)) continue;
    const z3::expr& guard = graph.guard(unlock);
    std::size_t depth = 0;
    for (Id id = unlock; id-- > 0;) {
      if (graph.event(id).thread != graph.event(unlock).thread) continue;
      const bool opens = is(id, Fence::rcu_lock);
      if (!opens && !is(id, Fence::rcu_unlock)) continue;
      const z3::expr both = logic.guards(graph.guard(id), guard);
      if (both.is_false()) continue;
      if (!opens) {
        ++depth;
      } else if (depth > 0) {
        --depth;
      } else {
        result.set(id, unlock, both);
        // Performed whenever the unlock is: no other can match.
        if (Logic::same(both, guard)) break;
      }
    }
  }
  return result;
}

}  // namespace futexmc::proofs::lkmm
