// SPDX-License-Identifier: GPL-2.0-or-later
//
// From fences and dependencies to happens-before, propagation and RCU ordering.
#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Deriver {
 public:
  Deriver(Graph& graph, const Communication& communication, const Classes& classes,
          const Omitted& omitted, Algebra& algebra, const Algebra::Sink& sink)
      : graph_(graph),
        logic_(graph.context()),
        com_(communication),
        is_(classes),
        omitted_(omitted),
        algebra_(algebra),
        sink_(sink),
        n_(graph.size()),
        o_{no_, no_, no_, no_, no_, no_, no_, no_, no_, no_,
           no_, no_, no_, no_, no_, no_, no_, no_, no_} {}

  Orders build() {
    o_.rfi = internal(com_.rf);
    o_.rfe = external(com_.rf);
    overwrite_ = algebra_.unite(com_.co, com_.fr);
    dependencies();
    barriers();
    propagation_order();
    happens_before();
    executes_before();
    rcu();
    return std::move(o_);
  }

 private:
  bool same_thread(Id a, Id b) const { return graph_.event(a).thread == graph_.event(b).thread; }
  Relation internal(const Relation& r) const {
    return algebra_.only(r, [this](Id a, Id b) { return same_thread(a, b); });
  }
  Relation external(const Relation& r) const {
    return algebra_.only(r, [this](Id a, Id b) { return !same_thread(a, b); });
  }
  Relation unless(Part part, const Relation& r) const { return omitted_.has(part) ? no_ : r; }
  Relation marked(const Relation& r) const { return algebra_.within(is_.marked, r, is_.marked); }

  void irreflexive(const Relation& r) const {
    for (Id i = 0; i < n_; ++i)
      if (const z3::expr* loop = r.at(i, i)) sink_(logic_.negation(*loop));
  }

  Relation from_list(const std::vector<Dependency>& list) {
    Relation result(n_);
    for (const Dependency& d : list) {
      const z3::expr executed = logic_.guards(graph_.guard(d.from), graph_.guard(d.to));
      const z3::expr when = logic_.both(executed, d.when);
      const z3::expr* known = result.at(d.from, d.to);
      result.set(d.from, d.to, known ? logic_.either(*known, when) : when);
    }
    return result;
  }

  void dependencies() {
    const Relation data = from_list(graph_.datas());
    const Relation carry = omitted_.has(Part::carried)
                               ? algebra_.identity(Set(n_, logic_.yes()))
                               : algebra_.star(algebra_.then(data, o_.rfi));
    o_.address = unless(Part::address, algebra_.then(carry, from_list(graph_.addresses())));
    o_.control = unless(Part::control, algebra_.then(carry, from_list(graph_.controls())));
    o_.data = unless(Part::data, algebra_.then(carry, data));
  }

  /// [before] ; po ; [fence] ; po ; [after]
  Relation around(const Set& before, Fence fence, const Set& after) {
    const Set set = fences(graph_, {fence});
    return algebra_.then(algebra_.within(before, com_.po, set),
                         algebra_.within(set, com_.po, after));
  }

  void unlock_lock() {
    Relation handover = algebra_.within(is_.unlock, algebra_.unite(com_.po, com_.rf), is_.take);
    o_.unlock_lock =
        unless(Part::unlock_lock, algebra_.then(algebra_.to(com_.po, is_.unlock), handover,
                                                algebra_.from(is_.take, com_.po)));
  }

  Relation full_barriers() {
    const Relation& po = com_.po;
    const Set& m = is_.access;
    const Relation po_m = algebra_.within(m, algebra_.maybe(po), m);
    const Relation mb =
        unless(Part::mb, algebra_.unite(around(m, Fence::mb, m),
                                        algebra_.within(m, po, is_.full_read),
                                        algebra_.within(is_.full_write, po, m)));
    const Relation before =
        unless(Part::before_atomic,
               algebra_.then(around(m, Fence::before_atomic, is_.atomic), po_m));
    const Relation after = unless(
        Part::after_atomic, algebra_.then(po_m, around(is_.atomic, Fence::after_atomic, m)));
    const Relation spin = unless(
        Part::after_spinlock, algebra_.then(po_m, around(is_.hold, Fence::after_spinlock, m)));
    const Set handed = fences(graph_, {Fence::after_unlock_lock});
    const Relation lock =
        unless(Part::after_unlock_lock,
               algebra_.then(algebra_.within(m, o_.unlock_lock, handed),
                             algebra_.within(handed, po, m)));
    return algebra_.unite(mb, before, after, spin, lock);
  }

  void barriers() {
    const Relation& po = com_.po;
    unlock_lock();
    acq_po_ = unless(Part::acquire, algebra_.within(is_.acquire, po, is_.access));
    po_rel_ = unless(Part::release, algebra_.within(is_.access, po, is_.release));
    o_.rmb = unless(Part::rmb, around(is_.returning, Fence::rmb, is_.returning));
    o_.wmb = unless(Part::wmb, around(is_.write, Fence::wmb, is_.write));
    const Set sync = fences(graph_, {Fence::sync_rcu});
    const Relation gp =
        algebra_.then(algebra_.to(po, sync), algebra_.from(sync, algebra_.maybe(po)));
    o_.strong_fence = algebra_.unite(full_barriers(), gp);
    o_.nonrw_fence = algebra_.unite(o_.strong_fence, po_rel_, acq_po_);
    o_.fence = algebra_.unite(o_.nonrw_fence, o_.wmb, o_.rmb);
  }

  Relation preserved_program_order() {
    const Relation dep = algebra_.unite(o_.address, o_.data);
    const Relation to_write = algebra_.unite(
        algebra_.to(algebra_.unite(dep, o_.control), is_.write), internal(overwrite_),
        algebra_.then(algebra_.to(o_.address, is_.plain), o_.wmb));
    const Relation to_read =
        algebra_.unite(algebra_.to(o_.address, is_.read),
                       algebra_.then(algebra_.to(dep, is_.marked), o_.rfi));
    return algebra_.unite(to_read, to_write, o_.fence, internal(o_.unlock_lock));
  }

  void propagation_order() {
    Relation rmw(n_);
    for (Id id = 0; id < n_; ++id)
      if (const auto& read = graph_.event(id).partner) rmw.set(*read, id, graph_.guard(id));
    o_.rmw_sequence = omitted_.has(Part::rmw_sequence)
                          ? algebra_.identity(Set(n_, logic_.yes()))
                          : algebra_.star(algebra_.then(com_.rf, rmw));
    const Relation base = algebra_.unite(o_.strong_fence, po_rel_);
    const Relation carried = unless(
        Part::cumulativity, algebra_.then(algebra_.to(o_.rfe, is_.marked), base));
    const Relation cumul = algebra_.then(
        marked(algebra_.unite(base, carried, o_.wmb, o_.unlock_lock)), o_.rmw_sequence);
    o_.cumul_fence_star = algebra_.star(cumul);
    const Relation marked_start = algebra_.identity(is_.marked);
    const Relation seen = algebra_.unite(marked_start, algebra_.from(is_.marked, o_.rfe));
    const Relation overwritten =
        algebra_.unite(marked_start, algebra_.from(is_.marked, external(overwrite_)));
    o_.prop = algebra_.to(algebra_.then(overwritten, o_.cumul_fence_star, seen), is_.marked);
  }

  void happens_before() {
    const Relation here =
        algebra_.only(o_.prop, [this](Id a, Id b) { return a != b && same_thread(a, b); });
    o_.hb = marked(algebra_.unite(preserved_program_order(), o_.rfe, here));
  }

  /// The model forbids cycles of hb, and of pb, which is prop ; strong-fence ; hb*. Both together
  /// say that hb and prop ; strong-fence have no cycle, as a hb step of a mixed one belongs to the
  /// pb before it. For the same reason hb* ; pb* is the closure of the two, so one will do.
  void executes_before() {
    const Relation fenced =
        algebra_.to(algebra_.then(o_.prop, o_.strong_fence), is_.marked);
    o_.step = algebra_.unite(o_.hb, fenced);
    const Relation plus = algebra_.plus(o_.step);
    o_.step_star = algebra_.maybe(plus);
    const bool hb = !omitted_.has(Axiom::happens_before);
    const bool pb = !omitted_.has(Axiom::propagation);
    if (hb && pb) {
      irreflexive(plus);
    } else if (hb) {
      irreflexive(algebra_.plus(o_.hb));
    } else if (pb) {
      irreflexive(algebra_.then(fenced, o_.step_star));
    }
  }

  /// Chains with at least as many grace periods as read-side critical sections, as the least
  /// relation that has each grace period, and with two members their links: a grace period and a
  /// section, either way round, with or without a member between them, or two members.
  Relation rcu_order(const Relation& gp, const Relation& sections, const Relation& link) {
    const Relation gp_link = algebra_.then(gp, link);
    const Relation section_link = algebra_.then(sections, link);
    Relation base = algebra_.unite(gp, algebra_.then(gp_link, sections),
                                   algebra_.then(section_link, gp));
    // Candidates: whatever the rules reach if every condition held. Then one round of the rules
    // over variables for the candidates closes them.
    Relation all = algebra_.unite(base);
    for (;;) {
      const Relation next = grow(base, all, gp_link, section_link, gp, sections, link, false);
      if (next.pairs() == all.pairs()) break;
      all = next;
    }
    Relation variables(n_);
    all.each([&](Id a, Id b, const z3::expr&) {
      const std::string name = "rcu!" + std::to_string(a) + "!" + std::to_string(b);
      variables.set(a, b, graph_.context().bool_const(name.c_str()));
    });
    const Relation closed =
        grow(base, variables, gp_link, section_link, gp, sections, link, true);
    closed.each([&](Id a, Id b, const z3::expr& when) {
      const z3::expr& variable = *variables.at(a, b);
      if (!Logic::same(when, variable)) sink_(z3::implies(when, variable));
    });
    return variables;
  }

  Relation grow(const Relation& base, const Relation& order, const Relation& gp_link,
                const Relation& section_link, const Relation& gp, const Relation& sections,
                const Relation& link, bool rules) {
    const auto chain = [&](const Relation& a, const Relation& b) {
      return rules ? algebra_.then(a, b) : possible(a, b);
    };
    const Relation order_link = chain(order, link);
    const Relation opened = chain(chain(gp_link, order_link), sections);
    const Relation closed = chain(chain(section_link, order_link), gp);
    const Relation twice = chain(order_link, order);
    if (rules) return algebra_.unite(base, opened, closed, twice);
    Relation result = order;
    for (const Relation* part : {&opened, &closed, &twice})
      part->each([&](Id a, Id b, const z3::expr&) { result.set(a, b, logic_.yes()); });
    return result;
  }

  /// a ; b with every pair that is there at all.
  Relation possible(const Relation& a, const Relation& b) const {
    Relation result(n_);
    a.each([&](Id from, Id middle, const z3::expr&) {
      for (const auto& [to, when] : b.row(middle)) result.set(from, to, logic_.yes());
    });
    return result;
  }

  void rcu() {
    const Set sync = fences(graph_, {Fence::sync_rcu});
    Relation gp(n_);
    for (Id i = 0; i < n_; ++i)
      if (sync[i].is_true()) gp.set(i, i, graph_.guard(i));
    if (gp.empty()) return;
    const Relation& po = com_.po;
    const Relation sections = algebra_.inverse(rcu_sections(graph_, logic_));
    // Only links between grace periods and sections are ever used.
    const Set ends = fences(graph_, {Fence::sync_rcu, Fence::rcu_lock, Fence::rcu_unlock});
    const Relation link =
        algebra_.then(algebra_.then(algebra_.from(ends, algebra_.maybe(po)), o_.step_star), o_.prop,
                      algebra_.to(po, ends));
    const Relation order = rcu_order(gp, sections, link);
    o_.rcu_fence = algebra_.then(po, order, algebra_.maybe(po));
    o_.rb = algebra_.to(algebra_.then(o_.prop, o_.rcu_fence, o_.step_star), is_.marked);
    if (!omitted_.has(Axiom::rcu)) irreflexive(o_.rb);
  }

  Graph& graph_;
  Logic logic_;
  const Communication& com_;
  const Classes& is_;
  const Omitted& omitted_;
  Algebra& algebra_;
  const Algebra::Sink& sink_;
  Id n_;
  const Relation no_{n_};
  Orders o_;
  Relation overwrite_{n_};
  Relation acq_po_{n_};
  Relation po_rel_{n_};
};

}  // namespace

Orders derive(Graph& graph, const Communication& communication, const Classes& classes,
              const Omitted& omitted, Algebra& algebra, const Algebra::Sink& sink) {
  return Deriver(graph, communication, classes, omitted, algebra, sink).build();
}

}  // namespace futexmc::proofs::lkmm
