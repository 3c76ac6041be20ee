// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a solver may choose: who reads from whom, and in which order the writes of a location are.
#include <optional>

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Builder {
 public:
  Builder(Graph& graph, const Omitted& omitted, const Sink& sink)
      : graph_(graph),
        logic_(graph.context()),
        omitted_(omitted),
        sink_(sink),
        n_(graph.size()),
        all_{Pairs(n_), Pairs(n_), Pairs(n_), std::vector<z3::expr>(n_, logic_.no()), {}} {}

  Communication build() {
    for (const z3::expr& formula : graph_.required()) sink_(formula);
    for (Id id = 0; id < n_; ++id) all_.executed.push_back(named(id));
    coherence_order();
    reads_from();
    if (!omitted_.has(Axiom::coherence)) {
      coherence();
      if (!omitted_.has(Axiom::atomicity)) atomicity();
    }
    final_values();
    return std::move(all_);
  }

 private:
  const Event& event(Id id) const { return graph_.event(id); }
  bool is(Id id, Kind kind) const { return event(id).kind == kind; }
  bool same_thread(Id a, Id b) const { return event(a).thread == event(b).thread; }
  z3::expr together(Id a, Id b) {
    if (graph_.exclusive(a, b)) return logic_.no();
    if (logic_.guards(event(a).guard, event(b).guard).is_false()) return logic_.no();
    return logic_.both(all_.executed[a], all_.executed[b]);
  }

  z3::expr fresh(const char* prefix, Id a, Id b) const {
    const std::string name = prefix + std::to_string(a) + "!" + std::to_string(b);
    return graph_.context().bool_const(name.c_str());
  }

  /// A guard by a name of its own, so that a solver takes it in once.
  z3::expr named(Id id) const {
    const z3::expr& guard = event(id).guard;
    if (guard.is_true() || guard.is_false() || guard.is_const()) return guard;
    z3::expr name = fresh("executed!", id, id);
    sink_(name == guard);
    return name;
  }

  void claim_not(const z3::expr& e) {
    if (!e.is_false()) sink_(logic_.negation(e));
  }
  void imply(const z3::expr& a, const z3::expr& b) {
    if (!a.is_false() && !b.is_true()) sink_(z3::implies(a, b));
  }

  /// Both executed accesses of one location, or false.
  z3::expr meet(Id a, Id b) {
    if (a == b || is(a, Kind::fence) || is(b, Kind::fence)) return logic_.no();
    const z3::expr place = logic_.equal(event(a).location, event(b).location);
    return place.is_false() ? place : logic_.both(together(a, b), place);
  }

  void coherence_order() {
    for (Id a = 0; a < n_; ++a) {
      if (!is(a, Kind::write)) continue;
      for (Id b = a + 1; b < n_; ++b) {
        if (!is(b, Kind::write) || meet(a, b).is_false()) continue;
        if (same_thread(a, b) && !omitted_.has(Axiom::coherence)) {
          all_.co.set(a, b, logic_.yes());
          continue;
        }
        const z3::expr first = fresh("co!", a, b);
        all_.co.set(a, b, first);
        all_.co.set(b, a, !first);
      }
    }
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
        imply(source, logic_.both(met, equal));
        all_.rf.set(write, read, source);
        all_.rfs.set(read, write, source);
        sources.push_back(source);
      }
      from_initial(read, sources);
      one_of(read, sources);
    }
  }

  void from_initial(Id read, std::vector<z3::expr>& sources) {
    const z3::expr source = fresh("rf!initial", read, read);
    imply(source, all_.executed[read]);
    z3::expr unsaid = source;  // and at none of the locations with a value
    for (const auto& [location, value] : graph_.initials()) {
      const z3::expr here = logic_.equal(event(read).location, location);
      const z3::expr holds = logic_.equal(event(read).value, value);
      imply(logic_.both(source, here), holds);
      unsaid = logic_.both(unsaid, logic_.negation(here));
    }
    imply(unsaid, logic_.equal(event(read).value, graph_.number(0)));
    all_.from_initial[read] = source;
    sources.push_back(source);
  }

  void one_of(Id read, const std::vector<z3::expr>& sources) {
    imply(all_.executed[read], logic_.any(sources));
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (std::size_t j = i + 1; j < sources.size(); ++j)
        claim_not(logic_.both(sources[i], sources[j]));
  }

  /// The shortest cycles of coherence, those of one read and one write of its thread. The others
  /// are found as they are proposed.
  void coherence() {
    for (Id read = 0; read < n_; ++read) {
      if (!is(read, Kind::read)) continue;
      for (Id write = 0; write < n_; ++write) {
        if (!is(write, Kind::write) || !same_thread(read, write)) continue;
        const z3::expr met = meet(read, write);
        if (met.is_false()) continue;
        if (write < read) claim_not(logic_.both(all_.from_initial[read], met));
        for (const auto& [source, rf] : all_.rfs.row(read)) {
          if (source == write || graph_.exclusive(source, write)) continue;
          const z3::expr* order = write < read ? all_.co.at(write, source)
                                               : all_.co.at(source, write);
          imply(logic_.both(rf, met), order ? *order : logic_.no());
        }
      }
    }
  }

  /// No two atomic operations read one write. What else atomicity forbids is found as it is
  /// proposed.
  void atomicity() {
    std::vector<Id> reads;
    for (Id write = 0; write < n_; ++write) {
      const std::optional<Id> read = event(write).partner;
      if (read && Logic::same(event(*read).guard, event(write).guard)) reads.push_back(*read);
    }
    for (const Id a : reads) {
      for (const Id b : reads) {
        if (b <= a) continue;
        const z3::expr met = meet(a, b);
        if (met.is_false()) continue;
        for (const auto& [source, rf] : all_.rfs.row(a)) {
          if (const z3::expr* also = all_.rf.at(source, b)) claim_not(logic_.both(rf, *also));
        }
        claim_not(logic_.both(logic_.both(all_.from_initial[a], all_.from_initial[b]), met));
      }
    }
  }

  void final_values() {
    for (const auto& [location, value] : graph_.finals()) {
      std::vector<z3::expr> writes;
      for (Id write = 0; write < n_; ++write) {
        if (!is(write, Kind::write)) continue;
        const z3::expr here =
            logic_.both(all_.executed[write], logic_.equal(event(write).location, location));
        if (here.is_false()) continue;
        writes.push_back(here);
        std::vector<z3::expr> later;
        for (const auto& [other, co] : all_.co.row(write)) {
          const z3::expr there =
              logic_.both(all_.executed[other], logic_.equal(event(other).location, location));
          later.push_back(logic_.both(there, co));
        }
        const z3::expr last = logic_.both(here, logic_.negation(logic_.any(later)));
        imply(last, value == event(write).value);
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
  const Sink& sink_;
  Id n_;
  Communication all_;
};

}  // namespace

Communication communicate(Graph& graph, const Omitted& omitted, const Sink& sink) {
  return Builder(graph, omitted, sink).build();
}

}  // namespace futexmc::proofs::lkmm
