// SPDX-License-Identifier: GPL-2.0-or-later
//
// From fences and dependencies to happens-before, propagation and RCU ordering.
#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Deriver {
 public:
  Deriver(const Graph& graph, const Observed& observed, const Classes& classes,
          const Omitted& omitted, const Algebra& algebra, const Report& report)
      : graph_(graph),
        seen_(observed),
        is_(classes),
        omitted_(omitted),
        algebra_(algebra),
        report_(report),
        n_(observed.events.size()) {}

  Orders build() {
    o_.rfi = internal(seen_.rf);
    o_.rfe = external(seen_.rf);
    overwrite_ = algebra_.unite(seen_.co, seen_.fr);
    dependencies();
    barriers();
    propagation_order();
    happens_before();
    executes_before();
    rcu();
    return std::move(o_);
  }

 private:
  const Event& event(std::size_t i) const { return graph_.event(seen_.events[i]); }
  bool same_thread(std::size_t a, std::size_t b) const {
    return event(a).thread == event(b).thread;
  }
  Relation internal(const Relation& r) const {
    return algebra_.only(r, [this](std::size_t a, std::size_t b) { return same_thread(a, b); });
  }
  Relation external(const Relation& r) const {
    return algebra_.only(r, [this](std::size_t a, std::size_t b) { return !same_thread(a, b); });
  }
  Relation unless(Part part, const Relation& r) const { return omitted_.has(part) ? no_ : r; }
  Relation marked(const Relation& r) const { return algebra_.within(is_.marked, r, is_.marked); }

  void irreflexive(Axiom axiom, const Relation& r) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (const Why loop = r.at(i, i); loop != kNo) report_(axiom, loop);
  }

  void dependencies() {
    const Relation& data = seen_.data;
    const Relation carry = omitted_.has(Part::carried)
                               ? algebra_.identity(Set(n_, kAlways))
                               : algebra_.star(algebra_.then(data, o_.rfi));
    o_.address = unless(Part::address, algebra_.then(carry, seen_.address));
    o_.control = unless(Part::control, algebra_.then(carry, seen_.control));
    o_.data = unless(Part::data, algebra_.then(carry, data));
  }

  /// [before] ; po ; [fence] ; po ; [after]
  Relation around(const Set& before, Fence fence, const Set& after) {
    const Set set = fences(graph_, seen_, {fence});
    return algebra_.then(algebra_.within(before, seen_.po, set),
                         algebra_.within(set, seen_.po, after));
  }

  void unlock_lock() {
    Relation handover = algebra_.within(is_.unlock, algebra_.unite(seen_.po, seen_.rf), is_.take);
    o_.unlock_lock =
        unless(Part::unlock_lock, algebra_.then(algebra_.to(seen_.po, is_.unlock), handover,
                                                algebra_.from(is_.take, seen_.po)));
  }

  Relation full_barriers() {
    const Relation& po = seen_.po;
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
    const Set handed = fences(graph_, seen_, {Fence::after_unlock_lock});
    const Relation lock =
        unless(Part::after_unlock_lock,
               algebra_.then(algebra_.within(m, o_.unlock_lock, handed),
                             algebra_.within(handed, po, m)));
    return algebra_.unite(mb, before, after, spin, lock);
  }

  void barriers() {
    const Relation& po = seen_.po;
    unlock_lock();
    acq_po_ = unless(Part::acquire, algebra_.within(is_.acquire, po, is_.access));
    po_rel_ = unless(Part::release, algebra_.within(is_.access, po, is_.release));
    o_.rmb = unless(Part::rmb, around(is_.returning, Fence::rmb, is_.returning));
    o_.wmb = unless(Part::wmb, around(is_.write, Fence::wmb, is_.write));
    const Set sync = fences(graph_, seen_, {Fence::sync_rcu});
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
    o_.rmw_sequence = omitted_.has(Part::rmw_sequence)
                          ? algebra_.identity(Set(n_, kAlways))
                          : algebra_.star(algebra_.then(seen_.rf, seen_.rmw));
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
        algebra_.only(o_.prop, [this](std::size_t a, std::size_t b) {
          return a != b && same_thread(a, b);
        });
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
      irreflexive(Axiom::happens_before, plus);
    } else if (hb) {
      irreflexive(Axiom::happens_before, algebra_.plus(o_.hb));
    } else if (pb) {
      irreflexive(Axiom::propagation, algebra_.then(fenced, o_.step_star));
    }
  }

  /// Chains with at least as many grace periods as read-side critical sections: the least relation
  /// that has each grace period, and with two members their links; a grace period and a section,
  /// either way round, with or without a member between them; or two members.
  Relation rcu_order(const Relation& gp, const Relation& sections, const Relation& link) const {
    const Relation gp_link = algebra_.then(gp, link);
    const Relation section_link = algebra_.then(sections, link);
    Relation order = algebra_.unite(gp, algebra_.then(gp_link, sections),
                                    algebra_.then(section_link, gp));
    for (std::size_t pairs = 0; pairs != count(order);) {
      pairs = count(order);
      const Relation order_link = algebra_.then(order, link);
      order = algebra_.unite(order, algebra_.then(algebra_.then(gp_link, order_link), sections),
                             algebra_.then(algebra_.then(section_link, order_link), gp),
                             algebra_.then(order_link, order));
    }
    return order;
  }

  static std::size_t count(const Relation& relation) {
    std::size_t pairs = 0;
    relation.each([&](std::size_t, std::size_t, Why) { ++pairs; });
    return pairs;
  }

  void rcu() {
    o_.rb = Relation(n_);
    o_.rcu_fence = Relation(n_);
    const Relation gp = algebra_.within(seen_.executed, algebra_.identity(fences(
                                            graph_, seen_, {Fence::sync_rcu})), seen_.executed);
    if (gp.empty()) return;
    const Relation& po = seen_.po;
    const Relation sections = algebra_.inverse(seen_.sections);
    // Only links between grace periods and sections are ever used.
    const Set ends = fences(graph_, seen_,
                            {Fence::sync_rcu, Fence::rcu_lock, Fence::rcu_unlock});
    const Relation link =
        algebra_.then(algebra_.then(algebra_.from(ends, algebra_.maybe(po)), o_.step_star), o_.prop,
                      algebra_.to(po, ends));
    const Relation order = rcu_order(gp, sections, link);
    o_.rcu_fence = algebra_.then(po, order, algebra_.maybe(po));
    o_.rb = algebra_.to(algebra_.then(o_.prop, o_.rcu_fence, o_.step_star), is_.marked);
    if (!omitted_.has(Axiom::rcu)) irreflexive(Axiom::rcu, o_.rb);
  }

  const Graph& graph_;
  const Observed& seen_;
  const Classes& is_;
  const Omitted& omitted_;
  const Algebra& algebra_;
  const Report& report_;
  std::size_t n_;
  const Relation no_{n_};
  Orders o_;
  Relation overwrite_;
  Relation acq_po_;
  Relation po_rel_;
};

}  // namespace

Orders derive(const Graph& graph, const Observed& observed, const Classes& classes,
              const Omitted& omitted, const Algebra& algebra, const Report& report) {
  return Deriver(graph, observed, classes, omitted, algebra, report).build();
}

}  // namespace futexmc::proofs::lkmm
