// SPDX-License-Identifier: GPL-2.0-or-later
//
// Classes of events and the orders derived from them, in the memory model's names.
#pragma once

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm {

/// The classes of events the model speaks of. What depends on the execution, such as whether a
/// cmpxchg succeeded, is a condition.
struct Classes {
  Set access, read, write, marked, plain;
  Set acquire, release;       ///< effective ones, locks included
  Set full_read, full_write;  ///< halves of successful fully ordered atomics
  Set atomic;                 ///< any half of an atomic operation, failed ones included
  Set returning;              ///< reads that smp_rmb orders: not those of void atomics
  Set not_noreturn;           ///< everything but the reads of void atomics
  Set take, hold, unlock;     ///< locks
};

Classes classify(const Graph& graph);
Set fences(const Graph& graph, std::initializer_list<Fence> kinds);

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

/// Derives all orders and asserts happens-before, propagation and RCU.
Orders derive(Graph& graph, const Communication& communication, const Classes& classes,
              const Omitted& omitted, Algebra& algebra, const Algebra::Sink& sink);

/// Asserts the coherence of plain accesses, and returns the conditions of races.
Races plain(Graph& graph, const Communication& communication, const Classes& classes,
            const Orders& orders, const Omitted& omitted, Algebra& algebra,
            const Algebra::Sink& sink);

/// The critical sections of RCU: each rcu_read_lock with its rcu_read_unlock. Nesting is taken from
/// program order; branches must leave it as they found it or be exclusive.
Relation rcu_sections(const Graph& graph, Logic& logic);

}  // namespace futexmc::proofs::lkmm
