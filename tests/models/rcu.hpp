// SPDX-License-Identifier: GPL-2.0-or-later
//
// Read-copy-update for the pivot model: readers, callbacks as bits of a word, and the two steps of
// a grace period. Operation for operation the same as the `rcu` process of pivot.pml.
//
// Invariants
//  1. readers[t] is 0 outside a read section, 1 in one, 2 in one that a grace period waits for.
//  2. cb_next holds the callbacks queued since the last grace period began, cb_wait those that the
//     current one will run.
#pragma once

#include <array>
#include <bit>

#include "checker/cell.hpp"

namespace futexmc::models {

inline constexpr std::size_t kMaxReaders = 8;

struct Rcu {
  checker::Cell<int> started;
  checker::Cell<int> completed;
  checker::Cell<unsigned> cb_next;
  checker::Cell<unsigned> cb_wait;
  std::array<checker::Cell<int>, kMaxReaders> readers;
};

inline void rcu_read_lock(Rcu& rcu, checker::Loc loc = checker::Loc::here()) {
  checker::store(rcu.readers[checker::rt.current_id], 1, checker::Order::full, loc,
                 "rcu_read_lock");
}

inline void rcu_read_unlock(Rcu& rcu, checker::Loc loc = checker::Loc::here()) {
  checker::store(rcu.readers[checker::rt.current_id], 0, checker::Order::full, loc,
                 "rcu_read_unlock");
}

/// Queues a callback. It must not be queued already: a real rcu_head would be corrupted.
inline void call_rcu(Rcu& rcu, unsigned callback, checker::Loc loc = checker::Loc::here()) {
  checker::update(rcu.cb_next, checker::Order::full, [callback](unsigned& queued) {
    if ((queued & callback) != 0) checker::report("warn", {"call_rcu() of a queued rcu_head"});
    queued |= callback;
    return 0;
  }, "call_rcu", loc);
}

inline std::uint64_t readers_footprint(const Rcu& rcu) {
  std::uint64_t mask = 0;
  for (const auto& reader : rcu.readers) mask |= checker::footprint(reader.index());
  return mask;
}

/// Waits for a callback, then begins a grace period: whoever reads now will be waited for.
inline void grace_period_start(Rcu& rcu) {
  auto op = checker::operation("gp_start", rcu.cb_next, checker::Access::write,
                               checker::Order::full, checker::Loc::here());
  op.reads |= readers_footprint(rcu);
  op.writes |= readers_footprint(rcu) | checker::footprint(rcu.started.index());
  op.guard = {.value = 0, .cell = rcu.cb_next.index(), .kind = checker::Guard::Kind::not_equal};
  checker::announce(op);
  rcu.cb_wait.poke(rcu.cb_next.peek());
  rcu.cb_next.poke(0);
  rcu.started.poke(rcu.started.peek() + 1);
  for (auto& reader : rcu.readers) {
    if (reader.peek() == 1) reader.poke(2);
  }
  checker::remember_done();
}

/// Waits for the readers, then ends the grace period. Gives the callbacks to run.
inline unsigned grace_period_end(Rcu& rcu) {
  auto op = checker::operation("gp_end", rcu.completed, checker::Access::write,
                               checker::Order::full, checker::Loc::here());
  op.reads |= readers_footprint(rcu);
  op.guard.kind = checker::Guard::Kind::call;
  op.guard.value = std::bit_cast<std::uint64_t>(&rcu);
  op.guard.function = [](std::uint64_t at) {
    for (const auto& reader : std::bit_cast<Rcu*>(at)->readers) {
      if (reader.peek() == 2) return false;
    }
    return true;
  };
  checker::announce(op);
  rcu.completed.poke(rcu.started.peek());
  const unsigned callbacks = rcu.cb_wait.peek();
  rcu.cb_wait.poke(0);
  return checker::remember(callbacks);
}

}  // namespace futexmc::models
