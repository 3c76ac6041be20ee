// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {

Classes classify(const Graph& graph, const Observed& observed) {
  const Set none(observed.events.size(), kNo);
  Classes c{none, none, none, none, none, none, none, none, none, none, none, none, none, none,
            none};
  for (std::size_t i = 0; i < observed.events.size(); ++i) {
    const Event& e = graph.event(observed.events[i]);
    const bool reads = e.kind == Kind::read;
    const bool writes = e.kind == Kind::write;
    const auto put = [&](Set& set, bool when) {
      if (when) set[i] = kAlways;
    };
    const auto put_success = [&](Set& set, bool when) {
      if (when) set[i] = observed.success[i];
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

Set fences(const Graph& graph, const Observed& observed, std::initializer_list<Fence> kinds) {
  Set result(observed.events.size(), kNo);
  for (std::size_t i = 0; i < observed.events.size(); ++i) {
    const Event& e = graph.event(observed.events[i]);
    const bool found = std::find(kinds.begin(), kinds.end(), e.fence) != kinds.end();
    if (e.kind == Kind::fence && found) result[i] = kAlways;
  }
  return result;
}

}  // namespace futexmc::proofs::lkmm
