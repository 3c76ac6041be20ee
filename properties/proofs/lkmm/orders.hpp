// SPDX-License-Identifier: GPL-2.0-or-later
//
// Classes of events and the orders derived from them, in the memory model's names.
#pragma once

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm {

/// The classes of events the model speaks of. What depends on the execution, such as whether a
/// cmpxchg succeeded, has a reason.
struct Classes {
  Set access, read, write, marked, plain;
  Set acquire, release;       ///< effective ones, locks included
  Set full_read, full_write;  ///< halves of successful fully ordered atomics
  Set atomic;                 ///< any half of an atomic operation, failed ones included
  Set returning;              ///< reads that smp_rmb orders: not those of void atomics
  Set not_noreturn;           ///< everything but the reads of void atomics
  Set take, hold, unlock;     ///< locks
};

Classes classify(const Graph& graph, const Observed& observed);
Set fences(const Graph& graph, const Observed& observed, std::initializer_list<Fence> kinds);

/// Everything that is derived for the axioms and used again for plain accesses.
struct Orders {
  Relation address, data, control;  ///< dependencies, carried ones included
  Relation rfe, rfi;
  Relation wmb, rmb, strong_fence, nonrw_fence, fence;
  Relation unlock_lock;  ///< po-unlock-lock-po
  Relation rmw_sequence;
  Relation cumul_fence_star;
  Relation prop, hb;
  Relation step;       ///< hb, or prop ; strong-fence
  Relation step_star;  ///< hb* ; pb*
  Relation rb, rcu_fence;
};

/// Takes what an axiom forbids.
using Report = std::function<void(Axiom, Why)>;

/// Derives all orders and reports what breaks happens-before, propagation and RCU.
Orders derive(const Graph& graph, const Observed& observed, const Classes& classes,
              const Omitted& omitted, const Algebra& algebra, const Report& report);

/// Reports what breaks the coherence of plain accesses, and says which pairs cannot race.
void plain(const Graph& graph, const Observed& observed, const Classes& classes,
           const Orders& orders, const Omitted& omitted, const Algebra& algebra,
           const Report& report, Excused* excused);

}  // namespace futexmc::proofs::lkmm
