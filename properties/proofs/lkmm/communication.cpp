// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who reads from whom, in which order the writes of a location are, and the two axioms about that
// alone: coherence and atomicity.
#include <optional>

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Builder {
 public:
  Builder(Graph& graph, const Omitted& omitted, const Algebra::Sink& sink)
      : graph_(graph),
        logic_(graph.context()),
        omitted_(omitted),
        sink_(sink),
        n_(graph.size()),
        all_{Relation(n_), Relation(n_), Relation(n_), Relation(n_), Relation(n_),
             std::vector<z3::expr>(n_, logic_.no())} {}

  Communication build() {
    for (const z3::expr& formula : graph_.required()) sink_(formula);
    program_order();
    same_location();
    coherence_order();
    reads_from();
    from_reads();
    if (!omitted_.has(Axiom::coherence)) coherence();
    if (!omitted_.has(Axiom::atomicity)) atomicity();
    final_values();
    return std::move(all_);
  }

 private:
  const Event& event(Id id) const { return graph_.event(id); }
  bool is(Id id, Kind kind) const { return event(id).kind == kind; }
  bool same_thread(Id a, Id b) const { return event(a).thread == event(b).thread; }
  z3::expr together(Id a, Id b) { return logic_.guards(event(a).guard, event(b).guard); }

  z3::expr fresh(const char* prefix, Id a, Id b) const {
    const std::string name = prefix + std::to_string(a) + "!" + std::to_string(b);
    return graph_.context().bool_const(name.c_str());
  }

  void forbid(const z3::expr& a, const z3::expr& b) { claim_not(logic_.both(a, b)); }
  void claim_not(const z3::expr& e) {
    if (!e.is_false()) sink_(logic_.negation(e));
  }

  void program_order() {
    for (Id a = 0; a < n_; ++a)
      for (Id b = a + 1; b < n_; ++b)
        if (same_thread(a, b)) all_.po.set(a, b, together(a, b));
  }

  void same_location() {
    for (Id a = 0; a < n_; ++a) {
      for (Id b = 0; b < n_; ++b) {
        if (a == b || is(a, Kind::fence) || is(b, Kind::fence)) continue;
        all_.loc.set(a, b, logic_.equal(event(a).location, event(b).location));
      }
    }
  }

  /// Both executed accesses of one location, or false.
  z3::expr meet(Id a, Id b) {
    const z3::expr* place = all_.loc.at(a, b);
    return place ? logic_.both(together(a, b), *place) : logic_.no();
  }

  void coherence_order() {
    for (Id a = 0; a < n_; ++a) {
      for (Id b = a + 1; b < n_; ++b) {
        if (!is(a, Kind::write) || !is(b, Kind::write)) continue;
        const z3::expr met = meet(a, b);
        if (met.is_false()) continue;
        if (same_thread(a, b) && !omitted_.has(Axiom::coherence)) {
          all_.co.set(a, b, met);
          continue;
        }
        const z3::expr first = fresh("co!", a, b);
        all_.co.set(a, b, logic_.both(met, first));
        all_.co.set(b, a, logic_.both(met, !first));
      }
    }
    all_.co.each([&](Id a, Id b, const z3::expr& ab) {
      for (const auto& [c, bc] : all_.co.row(b)) {
        if (c == a) continue;
        const z3::expr* ac = all_.co.at(a, c);
        const z3::expr path = logic_.both(ab, bc);
        if (!ac) {
          claim_not(path);
        } else if (!ac->is_true()) {
          sink_(z3::implies(path, *ac));
        }
      }
    });
  }

  /// Whether `read` could see `write` at all: a lock's words are written by the lock's operations
  /// only, and no one reads what it writes later.
  bool may_read(Id write, Id read) const {
    const bool lock_write = event(write).lock != LockPart::none;
    const bool lock_read = event(read).lock != LockPart::none;
    if (lock_write != lock_read) return false;
    return !same_thread(write, read) || write < read;
  }

  void reads_from() {
    for (Id read = 0; read < n_; ++read) {
      if (!is(read, Kind::read)) continue;
      std::vector<z3::expr> sources;
      for (Id write = 0; write < n_; ++write) {
        if (!is(write, Kind::write) || !may_read(write, read)) continue;
        const z3::expr met = meet(write, read);
        const z3::expr equal = logic_.equal(event(write).value, event(read).value);
        if (met.is_false() || equal.is_false()) continue;
        const z3::expr source = fresh("rf!", write, read);
        if (const z3::expr needs = logic_.both(met, equal); !needs.is_true())
          sink_(z3::implies(source, needs));
        all_.rf.set(write, read, source);
        sources.push_back(source);
      }
      from_initial(read, sources);
      one_of(read, sources);
    }
  }

  void from_initial(Id read, std::vector<z3::expr>& sources) {
    const z3::expr source = fresh("rf!initial", read, read);
    if (!event(read).guard.is_true()) sink_(z3::implies(source, event(read).guard));
    z3::expr unsaid = source;  // and at none of the locations with a value
    for (const auto& [location, value] : graph_.initials()) {
      const z3::expr here = logic_.equal(event(read).location, location);
      const z3::expr holds = logic_.equal(event(read).value, value);
      if (!here.is_false() && !holds.is_true()) {
        sink_(z3::implies(logic_.both(source, here), holds));
      }
      unsaid = logic_.both(unsaid, logic_.negation(here));
    }
    const z3::expr zero = logic_.equal(event(read).value, graph_.number(0));
    if (!unsaid.is_false() && !zero.is_true()) sink_(z3::implies(unsaid, zero));
    all_.from_initial[read] = source;
    sources.push_back(source);
  }

  void one_of(Id read, const std::vector<z3::expr>& sources) {
    sink_(z3::implies(event(read).guard, logic_.any(sources)));
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (std::size_t j = i + 1; j < sources.size(); ++j) forbid(sources[i], sources[j]);
  }

  void from_reads() {
    for (Id read = 0; read < n_; ++read) {
      if (!is(read, Kind::read)) continue;
      for (Id write = 0; write < n_; ++write) {
        if (!is(write, Kind::write)) continue;
        const z3::expr met = meet(read, write);
        if (met.is_false()) continue;
        std::vector<z3::expr> ways = {logic_.both(all_.from_initial[read], met)};
        for (Id source = 0; source < n_; ++source) {
          const z3::expr* rf = all_.rf.at(source, read);
          const z3::expr* co = all_.co.at(source, write);
          if (rf && co) ways.push_back(logic_.both(*rf, *co));
        }
        name(read, write, ways);
      }
    }
  }

  /// A variable equal to the disjunction: fr is used in both polarities, and often.
  void name(Id read, Id write, const std::vector<z3::expr>& ways) {
    const z3::expr value = logic_.any(ways);
    if (value.is_false()) return;
    const z3::expr variable = fresh("fr!", read, write);
    sink_(variable == value);
    all_.fr.set(read, write, variable);
  }

  /// No po-loc | rf | co | fr cycle. As co orders all writes of a location, it is enough that no
  /// chain of communication, which is rf, co;rf?, or fr;rf?, leads back in program order.
  void coherence() {
    all_.po.each([&](Id early, Id late, const z3::expr&) {
      if (is(early, Kind::fence) || is(late, Kind::fence)) return;
      for (const Relation* step : {&all_.co, &all_.fr}) {
        if (const z3::expr* back = step->at(late, early)) claim_not(*back);
        for (const auto& [middle, there] : step->row(late))
          if (const z3::expr* rf = all_.rf.at(middle, early)) forbid(there, *rf);
      }
      if (const z3::expr* rf = all_.rf.at(late, early)) claim_not(*rf);
    });
  }

  /// No write of another thread between what an atomic operation reads and what it writes.
  void atomicity() {
    for (Id write = 0; write < n_; ++write) {
      const std::optional<Id> read = event(write).partner;
      if (!read) continue;
      for (const auto& [other, after] : all_.fr.row(*read)) {
        const z3::expr* before = all_.co.at(other, write);
        if (before && !same_thread(other, write)) {
          forbid(logic_.both(event(write).guard, after), *before);
        }
      }
    }
  }

  void final_values() {
    for (const auto& [location, value] : graph_.finals()) {
      std::vector<z3::expr> writes;
      for (Id write = 0; write < n_; ++write) {
        if (!is(write, Kind::write)) continue;
        const z3::expr here = logic_.both(event(write).guard,
                                          logic_.equal(event(write).location, location));
        if (here.is_false()) continue;
        writes.push_back(here);
        std::vector<z3::expr> later;
        for (const auto& [other, co] : all_.co.row(write)) later.push_back(co);
        const z3::expr last = logic_.both(here, logic_.negation(logic_.any(later)));
        if (!last.is_false()) sink_(z3::implies(last, value == event(write).value));
      }
      z3::expr first = graph_.number(0);
      for (const auto& [known, held] : graph_.initials())
        if (Logic::same(known, location)) first = held;
      sink_(z3::implies(logic_.negation(logic_.any(writes)), value == first));
    }
  }

  Graph& graph_;
  Logic logic_;
  const Omitted& omitted_;
  const Algebra::Sink& sink_;
  Id n_;
  Communication all_;
};

}  // namespace

Communication communicate(Graph& graph, const Omitted& omitted, const Algebra::Sink& sink) {
  return Builder(graph, omitted, sink).build();
}

}  // namespace futexmc::proofs::lkmm
