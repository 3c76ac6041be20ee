// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reference count of the private hash, its pivot and who waits for it, as rules over State:
// what kernel/futex/core.c does, one visible operation a rule, for any number of threads and CPUs.
// Written once for numbers and for terms of the solver.
//
// What is left out denies no thread anything: readers may leave at any time, grace periods may
// begin at any time. Memory is sequentially consistent.
#pragma once

#include "properties/proofs/count/references.hpp"
#include "properties/proofs/count/transition.hpp"

namespace futexmc::properties::proofs::count {

/// Rules of who waits in prctl() until its table is installed, and of who wakes. Follows
/// futex_pivot_pending(), wait_woken() and wake_up_var().
template <class D, class Sink>
class WaitRules : RuleMaker<D, Sink> {
 public:
  using typename RuleMaker<D, Sink>::Bool;
  using typename RuleMaker<D, Sink>::Next;
  using typename RuleMaker<D, Sink>::K;
  using RuleMaker<D, Sink>::RuleMaker;

  void prctl() {
    const bool queued_first = !without(K::prctl_enqueue);
    if (queued_first) {
      rule("prctl(): add_wait_queue()", d_.truth(true),
           [this](Next& t) { t[tests] = s_[tests] + 1; });
    }
    const Bool none = without(K::pending_none) ? d_.truth(false) : is(fresh, 0);
    const Bool over = without(K::pending_dead) ? d_.truth(false) : dead();
    const auto tested = [this](Next& t) {
      t[tests] = s_[tests] - 1;
      t[mutex] = d_.number(kDone);
    };
    rule("futex_pivot_pending(): the wait is over", is(mutex, kTest) && (none || over), tested);
    rule("futex_pivot_pending(): still in use, about to sleep", is(mutex, kTest) && !(none || over),
         [this, tested](Next& t) {
           tested(t);
           t[sleeps] = s_[sleeps] + 1;
         });
    rule("futex_pivot_pending(): still in use, woken meanwhile",
         is(mutex, kTest) && !(none || over), [this](Next& t) { t[mutex] = d_.number(kDone); });
    if (!queued_first) {
      rule("prctl(): tests before it queues, still in use", is(mutex, kFree) && !(none || over),
           [this](Next& t) { t[outside] = s_[outside] + 1; });
      rule("prctl(): add_wait_queue(), after the test", s_[outside] > 0, [this](Next& t) {
        t[outside] = s_[outside] - 1;
        t[sleeps] = s_[sleeps] + 1;
      });
    }
    rule("wake_up_var(): wakes a prctl()",
         s_[wakes] > 0 && s_[sleeps] > 0, [this](Next& t) {
           t[sleeps] = s_[sleeps] - 1;
           t[tests] = s_[tests] + 1;
         });
    rule("wait_woken(): wakes for no reason", s_[sleeps] > 0, [this](Next& t) {
      t[sleeps] = s_[sleeps] - 1;
      t[tests] = s_[tests] + 1;
    });
    // Those that sleep for the next transition came too late for this wake, and need none.
    const Bool legitimate = !is(phase, kIdle) && !dead();
    rule("wake_up_var(): done",
         s_[wakes] > 0 && (is(sleeps, 0) || legitimate || s_[wakes] > 1 ||
                           d_.truth(without(K::woken_flag))),
         [this](Next& t) { t[wakes] = s_[wakes] - 1; });
  }

 private:
  using RuleMaker<D, Sink>::without;
  using RuleMaker<D, Sink>::rule;
  using RuleMaker<D, Sink>::is;
  using RuleMaker<D, Sink>::dead;
  using RuleMaker<D, Sink>::d_;
  using RuleMaker<D, Sink>::s_;
};

/// Calls `sink(name, kind, guard, update)` for each rule that the variant has; `update(next)`
/// changes a copy of the state, and means something only where the guard is true.
template <class D, class Sink>
void each_rule(const D& domain, const Parameters& parameters, const Constants<D>& constants,
               const State<D>& from, Sink sink) {
  TransitionRules<D, Sink>(domain, parameters, constants, from, sink).all();
  ReferenceRules<D, Sink>(domain, parameters, constants, from, sink).all();
  WaitRules<D, Sink>(domain, parameters, constants, from, sink).prctl();
}

/// A process without a private hash; every other state comes from this one.
template <class D>
State<D> initial_state(const D& domain) {
  State<D> zero{};
  if constexpr (requires { zero.values.push_back(domain.number(0)); }) {
    for (std::size_t i = 0; i < kFields; ++i) zero.values.push_back(domain.number(0));
  }
  return zero;
}

}  // namespace futexmc::properties::proofs::count
