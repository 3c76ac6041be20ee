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
  Plain(const Graph& graph, const Observed& observed, const Classes& classes,
        const Orders& orders, const Algebra& algebra)
      : graph_(graph),
        seen_(observed),
        is_(classes),
        o_(orders),
        algebra_(algebra),
        n_(observed.events.size()) {
    bounds();
  }

  /// No communication with a plain access against what is certainly visible or executed before.
  Relation incoherent() const {
    const Relation backwards_wr =
        algebra_.meet(racing(seen_.rf), algebra_.inverse(rw_xbstar_));
    const Relation backwards_rw = algebra_.meet(racing(seen_.fr), algebra_.inverse(wr_vis_));
    const Relation backwards_ww = algebra_.meet(racing(seen_.co), algebra_.inverse(ww_vis_));
    return algebra_.unite(backwards_wr, backwards_rw, backwards_ww);
  }

  Excused excused() const {
    // Visible, and the first write not too early, and the second not too late.
    Relation ww(n_);
    ww_vis_.each([&](std::size_t a, std::size_t b, Why visible) {
      Reasons& why = algebra_.reasons();
      const Why first = why.either(is_.marked[a], rw_xbstar_.at(a, b));
      const Why second = why.either(is_.marked[b], wr_vis_.at(a, b));
      ww.set(a, b, why.both(visible, first, second));
    });
    return {std::move(ww), algebra_.unite(wr_vis_, algebra_.inverse(rw_xbstar_)), rw_xbstar_,
            barrier()};
  }

 private:
  const Event& event(std::size_t i) const { return graph_.event(seen_.events[i]); }
  bool plain(std::size_t i) const { return is_.plain[i] != kNo; }

  Relation racing(const Relation& r) const {
    return algebra_.only(r, [this](std::size_t a, std::size_t b) {
      return event(a).thread != event(b).thread && (plain(a) || plain(b));
    });
  }

  Relation around(const Set& before, const Set& middle, const Set& after) const {
    return algebra_.then(algebra_.within(before, seen_.po, middle),
                         algebra_.within(middle, seen_.po, after));
  }

  /// What keeps two accesses of one thread apart.
  Relation barrier() const {
    const Set all(n_, kAlways);
    Set stops = fences(graph_, seen_, {Fence::barrier, Fence::rmb, Fence::wmb, Fence::mb,
                                       Fence::sync_rcu, Fence::before_atomic,
                                       Fence::after_atomic, Fence::rcu_lock, Fence::rcu_unlock});
    const Reasons& why = algebra_.reasons();
    for (std::size_t i = 0; i < n_; ++i)
      stops[i] = why.either(stops[i], why.either(is_.acquire[i], is_.release[i]));
    return algebra_.unite(around(all, stops, all), algebra_.to(seen_.po, is_.release),
                          algebra_.from(is_.acquire, seen_.po));
  }

  /// Where the life of a plain access begins and ends, seen from the marked ones around it.
  void bounds() {
    const Relation strong = algebra_.unite(o_.strong_fence, o_.rcu_fence);
    const Relation fence = algebra_.unite(o_.fence, o_.rcu_fence);
    const Set rmb = fences(graph_, seen_, {Fence::rmb});
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
        algebra_.only(xbstar, [this](std::size_t a, std::size_t b) {
          return event(a).thread == event(b).thread;
        });
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

  const Graph& graph_;
  const Observed& seen_;
  const Classes& is_;
  const Orders& o_;
  const Algebra& algebra_;
  std::size_t n_;
  Relation ww_vis_;
  Relation wr_vis_;
  Relation rw_xbstar_;
};

}  // namespace

void plain(const Graph& graph, const Observed& observed, const Classes& classes,
           const Orders& orders, const Omitted& omitted, const Algebra& algebra,
           const Report& report, Excused* excused) {
  const bool any = std::any_of(classes.plain.begin(), classes.plain.end(),
                               [](Why why) { return why != kNo; });
  if (!any) return;
  const Plain rules(graph, observed, classes, orders, algebra);
  if (!omitted.has(Axiom::plain_coherence)) {
    rules.incoherent().each(
        [&](std::size_t, std::size_t, Why why) { report(Axiom::plain_coherence, why); });
  }
  if (excused) *excused = rules.excused();
}

}  // namespace futexmc::proofs::lkmm
