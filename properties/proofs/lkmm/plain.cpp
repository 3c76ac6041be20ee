// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plain accesses: the compiler may move and repeat them within bounds, so only what is visible for
// certain counts. And data races, which an execution has or has not.
#include <algorithm>

#include "properties/proofs/lkmm/orders.hpp"

namespace futexmc::proofs::lkmm {
namespace {

class Plain {
 public:
  Plain(Graph& graph, const Communication& communication, const Classes& classes,
        const Orders& orders, Algebra& algebra)
      : graph_(graph),
        logic_(graph.context()),
        com_(communication),
        is_(classes),
        o_(orders),
        algebra_(algebra),
        n_(graph.size()) {
    bounds();
  }

  /// No communication with a plain access against what is certainly visible or executed before.
  Relation incoherent() {
    const Relation backwards_wr = algebra_.meet(racing(com_.rf), algebra_.inverse(rw_xbstar_));
    const Relation backwards_rw = algebra_.meet(racing(com_.fr), algebra_.inverse(wr_vis_));
    const Relation backwards_ww = algebra_.meet(racing(com_.co), algebra_.inverse(ww_vis_));
    return algebra_.unite(backwards_wr, backwards_rw, backwards_ww);
  }

  z3::expr data_race() {
    // Visible, and the first write not too early, and the second not too late.
    Relation nonrace(n_);
    ww_vis_.each([&](Id a, Id b, const z3::expr& visible) {
      const z3::expr first = logic_.either(is_.marked[a], held(rw_xbstar_, a, b));
      const z3::expr second = logic_.either(is_.marked[b], held(wr_vis_, a, b));
      nonrace.set(a, b, logic_.both(visible, logic_.both(first, second)));
    });
    const Relation ww = algebra_.minus(racing(com_.co), nonrace);
    const Relation wr = algebra_.minus(algebra_.minus(racing(reads_later()), wr_vis_),
                                       algebra_.inverse(rw_xbstar_));
    const Relation rw = algebra_.minus(racing(com_.fr), rw_xbstar_);
    return some({&ww, &wr, &rw});
  }

  /// A plain write and a marked access of one location that nothing keeps apart in their thread.
  z3::expr mixed_accesses() {
    const Relation apart = barrier();
    const Relation near = algebra_.minus(algebra_.meet(com_.po, com_.loc), apart);
    Set plain_write = is_.plain;
    Set marked_access = is_.marked;
    for (Id i = 0; i < n_; ++i) {
      plain_write[i] = logic_.both(is_.plain[i], is_.write[i]);
      marked_access[i] = logic_.both(is_.marked[i], is_.access[i]);
    }
    const Relation before = algebra_.within(plain_write, near, marked_access);
    const Relation after = algebra_.within(marked_access, near, plain_write);
    return some({&before, &after});
  }

 private:
  z3::expr held(const Relation& r, Id a, Id b) const {
    const z3::expr* when = r.at(a, b);
    return when ? *when : logic_.no();
  }
  bool plain(Id id) const { return is_.plain[id].is_true(); }
  bool same_thread(Id a, Id b) const { return graph_.event(a).thread == graph_.event(b).thread; }

  Relation racing(const Relation& r) const {
    return algebra_.only(
        r, [this](Id a, Id b) { return !same_thread(a, b) && (plain(a) || plain(b)); });
  }

  z3::expr some(const std::vector<const Relation*>& of) const {
    std::vector<z3::expr> ways;
    for (const Relation* r : of)
      r->each([&](Id, Id, const z3::expr& when) { ways.push_back(when); });
    return logic_.any(ways);
  }

  /// co? ; rf, exactly.
  Relation reads_later() const {
    Relation result = com_.rf;
    com_.co.each([&](Id from, Id middle, const z3::expr& co) {
      for (const auto& [to, rf] : com_.rf.row(middle)) {
        const z3::expr way = logic_.both(co, rf);
        const z3::expr* known = result.at(from, to);
        result.set(from, to, known ? logic_.either(*known, way) : way);
      }
    });
    return result;
  }

  Relation around(const Set& before, const Set& middle, const Set& after) {
    return algebra_.then(algebra_.within(before, com_.po, middle),
                         algebra_.within(middle, com_.po, after));
  }

  Relation barrier() {
    const Set all(n_, logic_.yes());
    Set stops = fences(graph_, {Fence::barrier, Fence::rmb, Fence::wmb, Fence::mb,
                                Fence::sync_rcu, Fence::before_atomic, Fence::after_atomic,
                                Fence::rcu_lock, Fence::rcu_unlock});
    for (Id i = 0; i < n_; ++i)
      stops[i] = logic_.any({stops[i], is_.acquire[i], is_.release[i]});
    return algebra_.unite(around(all, stops, all), algebra_.to(com_.po, is_.release),
                          algebra_.from(is_.acquire, com_.po));
  }

  /// Where the life of a plain access begins and ends, seen from the marked ones around it.
  void bounds() {
    const Relation strong = algebra_.unite(o_.strong_fence, o_.rcu_fence);
    const Relation fence = algebra_.unite(o_.fence, o_.rcu_fence);
    const Set rmb = fences(graph_, {Fence::rmb});
    const auto marked_then = [this](const Relation& r) {
      return algebra_.from(is_.marked, algebra_.maybe(r));
    };
    const Relation w_pre = marked_then(algebra_.unite(o_.address, fence));
    const Relation r_pre =
        marked_then(algebra_.unite(o_.address, o_.nonrw_fence,
                                   around(is_.returning, rmb, is_.not_noreturn)));
    const Relation w_post =
        algebra_.then(algebra_.to(algebra_.maybe(fence), is_.marked), o_.rmw_sequence);
    const Relation r_post = algebra_.to(
        algebra_.maybe(algebra_.unite(o_.nonrw_fence,
                                      around(is_.not_noreturn, rmb, is_.returning))),
        is_.marked);

    const Relation xbstar = algebra_.star(algebra_.unite(o_.step, o_.rb));
    const Relation strong_xb = algebra_.then(strong, xbstar);
    const Relation here =
        algebra_.only(xbstar, [this](Id a, Id b) { return same_thread(a, b); });
    const Relation seen = algebra_.to(
        algebra_.then(o_.cumul_fence_star, algebra_.maybe(o_.rfe)), is_.marked);
    const Relation vis = algebra_.then(
        seen, algebra_.unite(algebra_.then(algebra_.to(strong, is_.marked), xbstar), here));
    const Relation visible = algebra_.then(w_post, vis);
    ww_vis_ = algebra_.unite(fence, algebra_.then(strong_xb, w_pre),
                             algebra_.then(visible, w_pre));
    wr_vis_ = algebra_.unite(fence, algebra_.then(strong_xb, r_pre),
                             algebra_.then(visible, r_pre));
    rw_xbstar_ = algebra_.unite(fence, algebra_.then(algebra_.then(r_post, xbstar), w_pre));
  }

  Graph& graph_;
  Logic logic_;
  const Communication& com_;
  const Classes& is_;
  const Orders& o_;
  Algebra& algebra_;
  Id n_;
  Relation ww_vis_{n_};
  Relation wr_vis_{n_};
  Relation rw_xbstar_{n_};
};

}  // namespace

Races plain(Graph& graph, const Communication& communication, const Classes& classes,
            const Orders& orders, const Omitted& omitted, Algebra& algebra,
            const Algebra::Sink& sink) {
  const Logic& logic = graph.logic();
  const bool any = std::any_of(graph.events().begin(), graph.events().end(), [](const Event& e) {
    return e.kind != Kind::fence && e.order == Order::plain;
  });
  if (!any) return {logic.no(), logic.no()};
  Plain rules(graph, communication, classes, orders, algebra);
  if (!omitted.has(Axiom::plain_coherence)) {
    rules.incoherent().each(
        [&](Id, Id, const z3::expr& when) { sink(logic.negation(when)); });
  }
  return {rules.data_race(), rules.mixed_accesses()};
}

Races order(Graph& graph, const Communication& communication, const Omitted& omitted,
            const Algebra::Sink& sink) {
  const Classes classes = classify(graph);
  Algebra algebra(graph.logic(), graph.size(), sink);
  const Orders orders = derive(graph, communication, classes, omitted, algebra, sink);
  return plain(graph, communication, classes, orders, omitted, algebra, sink);
}

}  // namespace futexmc::proofs::lkmm
