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
//
// The axioms are looked at one execution at a time. A solver proposes executions (communicate());
// each is looked at (observe()) and, if it breaks an axiom (check()), what the breach rests on is
// forbidden for good. Few of all cycles that relations could have are ever proposed, so this is
// quicker by far than describing them all.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
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

/// For pairs of events formulas; a pair that is absent is in no execution.
class Pairs {
 public:
  explicit Pairs(std::size_t size) : rows_(size) {}
  /// Null if the pair is in no execution.
  const z3::expr* at(Id from, Id to) const {
    const auto found = rows_[from].find(to);
    return found == rows_[from].end() ? nullptr : &found->second;
  }
  const std::map<Id, z3::expr>& row(Id from) const { return rows_[from]; }
  void set(Id from, Id to, const z3::expr& when) {
    if (!when.is_false()) rows_[from].insert_or_assign(to, when);
  }

 private:
  std::vector<std::map<Id, z3::expr>> rows_;
};

/// What makes an execution, as variables for a solver.
struct Communication {
  Pairs rf;   ///< by the write
  Pairs rfs;  ///< the same, by the read
  /// Whether one write is before another, should both be executed at one location. What no pair
  /// has says nothing.
  Pairs co;
  std::vector<z3::expr> from_initial;  ///< per event: a read of the initial value
  std::vector<z3::expr> executed;      ///< per event: its guard, or a name for it
};

/// Says what must hold; called with formulas.
using Sink = std::function<void(const z3::expr&)>;

/// Makes `communication` for `graph` and passes to `sink` what concerns values and what each read
/// reads, and of coherence what is cheap to say. The axioms are not among it: see check().
Communication communicate(Graph& graph, const Omitted& omitted, const Sink& sink);

/// One execution that a solver proposes, its events numbered anew.
struct Observed {
  std::vector<Id> events;  ///< those executed, in the graph's order
  Set executed;
  Set success;   ///< of reads: that their operation went through; kAlways if it cannot fail
  Relation po;
  Relation loc;  ///< accesses of one location
  Relation rf;
  Relation co;
  Relation fr;
  Relation address, data, control;
  Relation rmw;       ///< both halves of an atomic or of a lock
  Relation sections;  ///< each rcu_read_lock with its rcu_read_unlock

  /// The number of an event that is executed.
  std::size_t number(Id id) const {
    return static_cast<std::size_t>(std::lower_bound(events.begin(), events.end(), id) -
                                    events.begin());
  }
};

Observed observe(const Graph& graph, const Communication& communication, const z3::model& model,
                 Reasons& reasons);

/// What the axioms derive that the question about races needs, too: pairs in different threads, or
/// for `mixed` in one, that cannot race. In the order of communication: the write before the other
/// write, the write before the read, the read before the write.
struct Excused {
  Relation ww, wr, rw, mixed;
};

/// A breach of an axiom: what forbids the execution.
struct Breach {
  Axiom axiom;
  Why why;
};

/// Everything in the execution that an axiom forbids; none if it is one of the memory model's.
/// `excused` may be null.
std::vector<Breach> check(const Graph& graph, const Observed& observed, const Omitted& omitted,
                          Reasons& reasons, Excused* excused);

}  // namespace futexmc::proofs::lkmm
