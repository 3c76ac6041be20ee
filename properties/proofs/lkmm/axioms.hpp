// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Linux kernel memory model (tools/memory-model of v7.3), written out as relations over the
// events of a Graph and as what they must not do. Names are the model's: rf, co, fr, ppo,
// cumul-fence, prop, hb, pb, rcu-link, rcu-fence, rb, vis.
//
// Differences of form, not of meaning
//  - The initial writes are no events. Nothing is ordered before them, so they are on no cycle;
//    a read of an initial value is a read that reads from no event.
//  - A spinlock is a word that spin_lock finds 0 and makes 1, and spin_unlock makes 0. With
//    coherence and atomicity that gives the lock's critical sections one order, as the model asks.
//  - SRCU is left out.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include <z3++.h>

#include "properties/proofs/lkmm/graph.hpp"
#include "properties/proofs/lkmm/relation.hpp"

namespace futexmc::proofs::lkmm {

enum class Axiom : std::uint8_t {
  coherence,
  atomicity,
  happens_before,
  propagation,
  rcu,
  plain_coherence,
};

/// A part of the model that knock-outs leave out, to show that it matters.
enum class Part : std::uint8_t {
  mb,              ///< smp_mb and full atomics
  rmb,
  wmb,
  acquire,
  release,
  before_atomic,
  after_atomic,
  after_spinlock,
  after_unlock_lock,
  unlock_lock,     ///< an unlock orders what is before it before what follows the next lock
  address,
  data,
  control,
  carried,         ///< dependencies through plain accesses and other internal reads
  cumulativity,    ///< release and strong fences carry what their thread has read
  rmw_sequence,    ///< atomics that read a write keep the order it had
};

struct Omitted {
  std::set<Axiom> axioms;
  std::set<Part> parts;

  bool has(Axiom axiom) const { return axioms.count(axiom) != 0; }
  bool has(Part part) const { return parts.count(part) != 0; }
};

/// The relations that make an execution, exact.
struct Communication {
  Relation po;   ///< both executed, in this order in one thread
  Relation loc;  ///< accesses of one location, executed or not
  Relation rf;
  Relation co;
  Relation fr;
  std::vector<z3::expr> from_initial;  ///< per event: a read of the initial value
};

/// What the axioms derive that the question about races needs, too.
struct Races {
  z3::expr data_race;
  z3::expr mixed_accesses;
};

/// Makes `communication` for `graph` and passes everything an execution must satisfy to `sink`:
/// values, final values, coherence, atomicity.
Communication communicate(Graph& graph, const Omitted& omitted, const Algebra::Sink& sink);

/// Passes happens-before, propagation, RCU and, if there are plain accesses, their coherence to
/// `sink`. Returns the conditions for races, which hold in an execution that has one.
Races order(Graph& graph, const Communication& communication, const Omitted& omitted,
            const Algebra::Sink& sink);

}  // namespace futexmc::proofs::lkmm
