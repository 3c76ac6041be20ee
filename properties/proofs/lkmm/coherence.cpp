// SPDX-License-Identifier: GPL-2.0-or-later
//
// The axioms about communication alone, and the sequence in which all of them are looked at.
#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {
namespace {

void irreflexive(const Relation& relation, const Report& report) {
  for (std::size_t i = 0; i < relation.size(); ++i)
    if (const Why loop = relation.at(i, i); loop != kNo) report(Axiom::coherence, loop);
}

/// No cycle of po-loc, rf, co and fr. That co is an order is no axiom: it must be one.
void coherence(const Observed& seen, const Omitted& omitted, const Algebra& algebra,
               const Report& report) {
  if (omitted.has(Axiom::coherence)) return irreflexive(algebra.plus(seen.co), report);
  const Relation po_loc = algebra.meet(seen.po, seen.loc);
  irreflexive(algebra.plus(algebra.unite(po_loc, seen.rf, seen.co, seen.fr)), report);
}

/// No write of another thread between what an atomic operation reads and what it writes.
void atomicity(const Graph& graph, const Observed& seen, const Algebra& algebra,
               const Report& report) {
  Reasons& reasons = algebra.reasons();
  const auto thread = [&](std::size_t i) { return graph.event(seen.events[i]).thread; };
  seen.rmw.each([&](std::size_t read, std::size_t write, Why both) {
    for (const auto& [other, after] : seen.fr.row(read)) {
      if (thread(other) == thread(write)) continue;
      const Why why = reasons.both(both, after, seen.co.at(other, write));
      if (why != kNo) report(Axiom::atomicity, why);
    }
  });
}

}  // namespace

std::vector<Breach> check(const Graph& graph, const Observed& observed, const Omitted& omitted,
                          Reasons& reasons, Excused* excused) {
  std::vector<Breach> breaches;
  const Report report = [&](Axiom axiom, Why why) { breaches.push_back({axiom, why}); };
  const Algebra algebra(reasons, observed.events.size());
  coherence(observed, omitted, algebra, report);
  if (!omitted.has(Axiom::atomicity)) atomicity(graph, observed, algebra, report);
  const Classes classes = classify(graph, observed);
  const Orders orders = derive(graph, observed, classes, omitted, algebra, report);
  plain(graph, observed, classes, orders, omitted, algebra, report, excused);
  return breaches;
}

}  // namespace futexmc::proofs::lkmm
