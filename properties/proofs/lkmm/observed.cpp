// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a solver's assignment says of an execution, each relation with the facts it rests on.
#include <map>
#include <optional>

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Observer {
 public:
  Observer(const Graph& graph, const Communication& communication, const z3::model& model,
           Reasons& reasons)
      : graph_(graph), com_(communication), model_(model), why_(reasons) {
    for (Id id = 0; id < graph.size(); ++id) {
      if (!holds(com_.executed[id])) continue;
      number_.emplace(id, o_.events.size());
      o_.events.push_back(id);
      o_.executed.push_back(why_.fact(com_.executed[id]));
    }
    n_ = o_.events.size();
  }

  Observed observe() {
    for (Relation* relation : {&o_.po, &o_.loc, &o_.rf, &o_.co, &o_.fr, &o_.rmw, &o_.sections}) {
      *relation = Relation(n_);
    }
    for (std::size_t i = 0; i < n_; ++i) locations_.push_back(word(event(i).location));
    program_order();
    same_location();
    coherence_order();
    reads();
    operations();
    sections();
    o_.address = dependencies(graph_.addresses());
    o_.data = dependencies(graph_.datas());
    o_.control = dependencies(graph_.controls());
    return std::move(o_);
  }

 private:
  bool holds(const z3::expr& e) const { return e.is_true() || model_.eval(e, true).is_true(); }
  std::uint64_t word(const z3::expr& e) const {
    std::uint64_t result = 0;
    (e.is_numeral() ? e : model_.eval(e, true)).is_numeral_u64(result);
    return result;
  }
  const Event& event(std::size_t i) const { return graph_.event(o_.events[i]); }
  bool is(std::size_t i, Kind kind) const { return event(i).kind == kind; }
  Why both(std::size_t a, std::size_t b) { return why_.both(o_.executed[a], o_.executed[b]); }

  void program_order() {
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = a + 1; b < n_; ++b)
        if (event(a).thread == event(b).thread) o_.po.set(a, b, both(a, b));
  }

  void same_location() {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) {
        if (a == b || is(a, Kind::fence) || is(b, Kind::fence)) continue;
        if (locations_[a] != locations_[b]) continue;
        const z3::expr same = graph_.logic().equal(event(a).location, event(b).location);
        o_.loc.set(a, b, why_.both(both(a, b), why_.fact(same)));
      }
    }
  }

  void coherence_order() {
    o_.loc.each([&](std::size_t a, std::size_t b, Why met) {
      if (!is(a, Kind::write) || !is(b, Kind::write)) return;
      const z3::expr* first = com_.co.at(o_.events[a], o_.events[b]);
      if (first && holds(*first)) o_.co.set(a, b, why_.both(met, why_.fact(*first)));
    });
  }

  /// Each read's source, and the writes that are after it.
  void reads() {
    for (std::size_t read = 0; read < n_; ++read) {
      if (!is(read, Kind::read)) continue;
      for (const auto& [source, rf] : com_.rfs.row(o_.events[read])) {
        if (!holds(rf)) continue;
        const std::size_t write = number_.at(source);
        const Why why = why_.fact(rf);
        o_.rf.set(write, read, why);
        for (const auto& [other, co] : o_.co.row(write)) {
          o_.fr.set(read, other, why_.both(why, co));
        }
      }
      const z3::expr& initial = com_.from_initial[o_.events[read]];
      if (!holds(initial)) continue;
      for (const auto& [other, met] : o_.loc.row(read)) {
        if (is(other, Kind::write)) o_.fr.set(read, other, why_.both(why_.fact(initial), met));
      }
    }
  }

  void operations() {
    o_.success.assign(n_, kAlways);
    for (std::size_t i = 0; i < n_; ++i) {
      if (event(i).can_fail || event(i).lock == LockPart::observe) o_.success[i] = kNo;
    }
    for (std::size_t write = 0; write < n_; ++write) {
      if (!event(write).partner) continue;
      const std::size_t read = number_.at(*event(write).partner);
      o_.rmw.set(read, write, o_.executed[write]);
      if (o_.success[read] == kNo) o_.success[read] = o_.executed[write];
    }
  }

  Relation dependencies(const std::vector<Dependency>& list) {
    Relation result(n_);
    for (const Dependency& d : list) {
      const auto from = number_.find(d.from);
      const auto to = number_.find(d.to);
      if (from == number_.end() || to == number_.end() || !holds(d.when)) continue;
      const Why why = why_.both(both(from->second, to->second), why_.fact(d.when));
      result.set(from->second, to->second,
                 why_.either(result.at(from->second, to->second), why));
    }
    return result;
  }

  bool is_section_end(Id id) const {
    const Event& e = graph_.event(id);
    return e.kind == Kind::fence &&
           (e.fence == Fence::rcu_lock || e.fence == Fence::rcu_unlock);
  }

  /// Each unlock with the lock that it matches. What is between them, executed or not, is part of
  /// the reason: with other sections in between they would not match.
  void sections() {
    std::map<int, std::vector<std::size_t>> open;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!is_section_end(o_.events[i])) continue;
      std::vector<std::size_t>& mine = open[event(i).thread];
      if (event(i).fence == Fence::rcu_lock) {
        mine.push_back(i);
      } else if (!mine.empty()) {
        const std::size_t lock = mine.back();
        mine.pop_back();
        o_.sections.set(lock, i, section(lock, i));
      }
    }
  }

  Why section(std::size_t lock, std::size_t unlock) {
    const Id first = o_.events[lock];
    const Id last = o_.events[unlock];
    Why why = both(lock, unlock);
    for (Id id = first + 1; id < last; ++id) {
      if (graph_.event(id).thread != event(lock).thread || !is_section_end(id)) continue;
      if (graph_.exclusive(first, id) || graph_.exclusive(id, last)) continue;
      const z3::expr& executed = com_.executed[id];
      why = why_.both(why, why_.fact(holds(executed) ? executed
                                                     : graph_.logic().negation(executed)));
    }
    return why;
  }

  const Graph& graph_;
  const Communication& com_;
  const z3::model& model_;
  Reasons& why_;
  Observed o_;
  std::size_t n_ = 0;
  std::map<Id, std::size_t> number_;
  std::vector<std::uint64_t> locations_;
};

}  // namespace

Observed observe(const Graph& graph, const Communication& communication, const z3::model& model,
                 Reasons& reasons) {
  return Observer(graph, communication, model, reasons).observe();
}

}  // namespace futexmc::proofs::lkmm
