// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules: who holds the mutex, the transition from per CPU to atomic, the pivot, grace periods.
// Follows futex_hash_allocate(), futex_pivot_hash(), __futex_pivot_hash(), futex_ref_{drop,rcu}()
// and __futex_ref_atomic_{begin,end}().
#pragma once

#include "properties/proofs/count/rule_maker.hpp"

namespace futexmc::properties::proofs::count {

template <class D, class Sink>
class TransitionRules : RuleMaker<D, Sink> {
 public:
  using typename RuleMaker<D, Sink>::Int;
  using typename RuleMaker<D, Sink>::Bool;
  using typename RuleMaker<D, Sink>::Next;
  using typename RuleMaker<D, Sink>::K;
  using RuleMaker<D, Sink>::RuleMaker;

  void all() {
    allocate();
    lock();
    install();
    drop();
    begin();
    fold();
    replace();
    grace_periods();
  }

 private:
  using RuleMaker<D, Sink>::without;
  using RuleMaker<D, Sink>::told;
  using RuleMaker<D, Sink>::rule;
  using RuleMaker<D, Sink>::is;
  using RuleMaker<D, Sink>::dead;
  using RuleMaker<D, Sink>::lookup_guarded;
  using RuleMaker<D, Sink>::get_guarded;
  using RuleMaker<D, Sink>::d_;
  using RuleMaker<D, Sink>::m_;
  using RuleMaker<D, Sink>::k_;
  using RuleMaker<D, Sink>::s_;

  void allocate() {
    rule(told(K::initial_ref,
              "futex_hash_allocate(): the counters are allocated, with the initial reference",
              "futex_hash_allocate(): the counters are allocated, all zero"),
         is(ref, 0), [this](Next& t) {
           t[ref] = d_.number(1);
           if (!without(K::initial_ref)) t[ahead] = s_[ahead] + 1;
         });
  }

  void lock() {
    rule("futex_hash_allocate(): mutex_lock()", is(mutex, kFree) && is(ref, 1),
         [this](Next& t) { t[mutex] = d_.number(kInstall); });
    rule("futex_pivot_hash(): mutex_lock()", is(mutex, kFree),
         [this](Next& t) { t[mutex] = d_.number(kLookup); });
    rule("futex_pivot_pending(): mutex_lock()", is(mutex, kFree) && s_[tests] > 0,
         [this](Next& t) { t[mutex] = d_.number(kTest); });
    rule("mutex_unlock()", is(mutex, kDone), [this](Next& t) { t[mutex] = d_.number(kFree); });
  }

  void install() {
    const bool tested = !without(K::busy_test) && !without(K::global_for_good);
    const Bool busy = is(mutex, kInstall) && is(has, 1) && is(global, 1);
    const Bool not_busy = is(mutex, kInstall) && !(is(has, 1) && is(global, 1) && d_.truth(tested));
    if (tested) {
      rule("futex_hash_allocate(): the global hash is current, -EBUSY", busy,
           [this](Next& t) { t[mutex] = d_.number(kDone); });
    }
    rule("futex_hash_allocate(): takes hash_new", not_busy && is(fresh, 1), [this](Next& t) {
      if (!without(K::install_new_cleared)) t[fresh] = d_.number(0);
      t[mutex] = D::choose(d_.truth(without(K::drop_once)) && is(has, 1), d_.number(kDrop),
                           d_.number(kTable));
    });
    rule("futex_hash_allocate(): no table waits", not_busy && is(fresh, 0), [this](Next& t) {
      t[mutex] = D::choose(is(has, 1), d_.number(kDrop), d_.number(kTable));
    });
    rule("futex_hash_allocate(): its table has been installed meanwhile",
         is(mutex, kInstall) && is(fresh, 0), [this](Next& t) { t[mutex] = d_.number(kDone); });
    rule("futex_pivot_hash(): no table waits", is(mutex, kLookup) && is(fresh, 0),
         [this](Next& t) { t[mutex] = d_.number(kDone); });
    rule("futex_pivot_hash(): takes hash_new", is(mutex, kLookup) && is(fresh, 1),
         [this](Next& t) {
           if (!without(K::pivot_new_cleared)) t[fresh] = d_.number(0);
           t[mutex] = d_.number(kTable);
         });
    rule("__futex_pivot_hash(): in use, hash_new = the new table",
         is(mutex, kTable) && is(has, 1) && is(pivot, kNone), [this](Next& t) {
           t[fresh] = d_.number(1);
           t[mutex] = d_.number(kDone);
         });
  }

  void drop() {
    rule(told(K::drop_mmget, "futex_ref_drop(): mmget()", "futex_ref_drop(): without mmget()"),
         is(mutex, kDrop) && is(phase, kIdle), [this](Next& t) {
      if (!without(K::drop_mmget)) t[users] = s_[users] + 1;
      t[phase] = d_.number(kKept);
    });
    if (without(K::publish_grace_period)) {
      rule("futex_ref_drop(): begins at once", is(phase, kKept),
           [this](Next& t) { t[phase] = d_.number(kBegin); });
    } else {
      rule("futex_ref_drop(): a grace period has passed since the table was published",
           is(phase, kKept) && is(batches, 0),
           [this](Next& t) { t[phase] = d_.number(kBegin); });
      rule("futex_ref_drop(): no grace period has passed since the table was published",
           is(phase, kKept) && s_[batches] > 0,
           [this](Next& t) { t[phase] = d_.number(kEarly); });
      rule("futex_ref_drop(): call_rcu_hurry()", is(phase, kEarly), [this](Next& t) {
        t[phase] = d_.number(kWaitsEarly);
        t[callback] = d_.number(1);
        t[mutex] = d_.number(kTable);
      });
    }
    rule("futex_ref_rcu() is invoked",
         (is(phase, kWaitsEarly) || is(phase, kWaits)) && is(callback, 3), [this](Next& t) {
           t[callback] = d_.number(0);
           t[phase] = d_.number(kCalled);
         });
    const bool looks = !without(K::callback_state);
    if (looks && !without(K::publish_grace_period)) {
      rule("futex_ref_rcu(): the state is FR_PERCPU, begin", is(phase, kCalled) && is(state, 0),
           [this](Next& t) { t[phase] = d_.number(kBegin); });
    }
    rule("futex_ref_rcu(): fold", is(phase, kCalled) && (is(state, 1) || d_.truth(!looks)),
         [this](Next& t) { t[phase] = d_.number(kFolding); });
  }

  void begin() {
    const bool first = !without(K::bias_first);
    const Int bias = without(K::bias) ? d_.number(0) : k_.bias;
    if (first) {
      rule(told(K::bias, "__futex_ref_atomic_begin(): atomic = LONG_MAX",
                "__futex_ref_atomic_begin(): atomic = 0"),
           is(phase, kBegin), [this, bias](Next& t) {
             t[atomic] = bias;
             t[phase] = d_.number(kBiased);
           });
    } else {
      rule(told(K::bias, "__futex_ref_atomic_begin(): atomic = LONG_MAX, late",
                "__futex_ref_atomic_begin(): atomic = 0, late"),
           is(phase, kUnbiased), [this, bias](Next& t) {
             t[atomic] = bias;
             t[phase] = d_.number(kAtomic);
           });
    }
    rule("__futex_ref_atomic_begin(): state = FR_ATOMIC", is(phase, first ? kBiased : kBegin),
         [this, first](Next& t) {
           t[state] = d_.number(1);
           t[phase] = d_.number(first ? kAtomic : kUnbiased);
         });
    rule("__futex_ref_atomic_begin(): call_rcu_hurry()", is(phase, kAtomic), [this](Next& t) {
      const bool waits = !without(K::fold_grace_period);
      t[phase] = d_.number(waits ? kWaits : kFolding);
      if (waits) t[callback] = d_.number(1);
      if (waits) t[mutex] = D::choose(is(mutex, kDrop), d_.number(kTable), s_[mutex]);
    });
  }

  void fold() {
    rule("__futex_ref_atomic_end(): the counters are summed and reset", is(phase, kFolding),
         [this](Next& t) {
           const Int sum = without(K::fold_sum) ? d_.number(0) : s_[ahead];
           t[folded] = without(K::fold_initial) ? sum + 1 : sum;
           t[ahead] = without(K::fold_reset) ? s_[behind] + s_[ahead] : s_[behind];
           t[behind] = d_.number(0);
           const bool next = !without(K::next_ref) && !without(K::next_ref_first);
           t[phase] = d_.number(next ? kSummed : kAdding);
         });
    if (!without(K::next_ref) && !without(K::next_ref_first)) {
      rule("__futex_ref_atomic_end(): this_cpu_inc() for the next table", is(phase, kSummed),
           [this](Next& t) {
             t[ahead] = s_[ahead] + 1;
             t[phase] = d_.number(kAdding);
           });
    }
    rule("__futex_ref_atomic_end(): adds the sum, without bias and initial reference",
         is(phase, kAdding), [this](Next& t) {
           const Int bias = without(K::bias) ? d_.number(0) : k_.bias;
           const Int total = s_[atomic] + s_[folded] - bias - 1;
           t[atomic] = total;
           t[folded] = d_.number(0);
           t[phase] = d_.number(kDraining);
           t[tails] = s_[tails] + 1;
           t[mutex] = D::choose(is(mutex, kDrop), d_.number(kTable), s_[mutex]);
           if (without(K::next_ref_first)) t[late] = s_[late] + 1;
           if (!without(K::fold_wake)) {
             t[wakes] = D::choose(total == 0, s_[wakes] + 1, s_[wakes]);
           }
         });
    if (without(K::next_ref_first)) {
      rule("__futex_ref_atomic_end(): this_cpu_inc() for the next table, late", s_[late] > 0,
           [this](Next& t) {
             t[late] = s_[late] - 1;
             t[ahead] = s_[ahead] + 1;
           });
    }
    rule(told(K::end_mmput, "__futex_ref_atomic_end(): mmput_async()",
              "__futex_ref_atomic_end(): ends without mmput_async()"),
         s_[tails] > 0, [this](Next& t) {
      t[tails] = s_[tails] - 1;
      if (!without(K::end_mmput)) t[users] = s_[users] - 1;
    });
  }

  /// The new table becomes the current one, and whoever knows the old one an old reader.
  void publish(Next& t, long next_pivot, long as_global) {
    t[old_loaded] = s_[old_loaded] + s_[loaded];
    t[old_loaded_m] = s_[old_loaded_m] + s_[loaded_m];
    t[old_inc] = s_[old_inc] + s_[inc];
    t[old_inc_m] = s_[old_inc_m] + s_[inc_m];
    t[old_percpu] = s_[old_percpu] + s_[percpu] + s_[percpu_m];
    t[old_held] = s_[old_held] + s_[held];
    t[old_touch] = s_[old_touch] + s_[touch];
    t[old_stale] = s_[old_stale] + s_[stale];
    t[old_looking] = s_[old_looking] + s_[looking];
    for (const Field field : {loaded, loaded_m, inc, inc_m, percpu, percpu_m, held, dec, dec_m, put,
                              stored, store, touch, stale, looking, state, phase}) {
      t[field] = d_.number(0);
    }
    t[has] = d_.number(1);
    t[global] = d_.number(as_global);
    t[pivot] = d_.number(next_pivot);
  }

  void take_cookie(Next& t, long next_pivot) {
    t[batches] = s_[period] + 1;
    t[pivot] = d_.number(next_pivot);
    if (next_pivot == kNone) t[mutex] = d_.number(kDone);
  }

  void replace() {
    const bool late = !m_.cookie_first;
    const Bool seen = without(K::dead_test) ? is(state, 1) : dead();
    const Bool first = is(mutex, kTable) && is(has, 0) && is(pivot, kNone);
    rule("__futex_pivot_hash(): futex_ref_is_dead()",
         is(mutex, kTable) && is(has, 1) && is(pivot, kNone) && seen,
         [this](Next& t) { t[pivot] = d_.number(kDead); });
    for (const long as_global : {0L, 1L}) {
      rule(as_global != 0 ? "__futex_pivot_hash(): publishes the global hash"
                          : "__futex_pivot_hash(): publishes the new table",
           late ? is(pivot, kDead) : is(pivot, kCookieTaken) || is(pivot, kCookieWaited),
           [this, late, as_global](Next& t) {
             publish(t, late ? kPublished : kReplaced, as_global);
           });
      rule(as_global != 0 ? "__futex_pivot_hash(): the global hash is the first table"
                          : "__futex_pivot_hash(): publishes the first table",
           late ? first : is(pivot, kFirstCookie) || is(pivot, kFirstWaited),
           [this, late, as_global](Next& t) {
             publish(t, late ? kFirst : kNone, as_global);
             if (!late) t[mutex] = d_.number(kDone);
           });
    }
    rule("__futex_pivot_hash(): get_state_synchronize_rcu()", is(pivot, late ? kPublished : kDead),
         [this, late](Next& t) { take_cookie(t, late ? kReplaced : kCookieTaken); });
    rule("__futex_pivot_hash(): get_state_synchronize_rcu() for the first table",
         late ? is(pivot, kFirst) : first,
         [this, late](Next& t) { take_cookie(t, late ? kNone : kFirstCookie); });
    rule(told(K::pivot_free_old, "__futex_pivot_hash(): kvfree_rcu() of the old table",
              "__futex_pivot_hash(): the old table is forgotten"),
         is(pivot, kReplaced),
         [this](Next& t) {
           t[pivot] = d_.number(kNone);
           t[mutex] = d_.number(kDone);
           if (without(K::pivot_free_old)) t[leaked] = s_[leaked] + 1;
           else t[freeing] = d_.number(without(K::free_grace_period) ? 0 : 1);
         });
    if (!without(K::pivot_free_old) && !without(K::free_grace_period)) {
      rule("the old table is freed", is(freeing, 3),
           [this](Next& t) { t[freeing] = d_.number(0); });
    }
  }

  void grace_periods() {
    const auto mark = [this](Next& t, Field plain, Field marked, bool guarded) {
      if (!guarded) return;
      t[marked] = s_[marked] + s_[plain];
      t[plain] = d_.number(0);
    };
    rule("a grace period begins", is(period, 0), [this, mark](Next& t) {
      t[period] = d_.number(1);
      mark(t, loaded, loaded_m, lookup_guarded());
      mark(t, old_loaded, old_loaded_m, lookup_guarded());
      mark(t, percpu, percpu_m, get_guarded());
      mark(t, inc, inc_m, get_guarded());
      mark(t, old_inc, old_inc_m, get_guarded());
      mark(t, dec, dec_m, !without(K::put_preempt));
      t[callback] = D::choose(is(callback, 1), d_.number(2), s_[callback]);
      t[freeing] = D::choose(is(freeing, 1), d_.number(2), s_[freeing]);
      if (!m_.cookie_in_section) return;
      const Int first = D::choose(is(pivot, kFirstCookie), d_.number(kFirstWaited), s_[pivot]);
      t[pivot] = D::choose(is(pivot, kCookieTaken), d_.number(kCookieWaited), first);
    });
    const Int waited = s_[loaded_m] + s_[old_loaded_m] + s_[percpu_m] + s_[inc_m] + s_[old_inc_m] +
                       s_[dec_m];
    const Bool section = is(pivot, kCookieWaited) || is(pivot, kFirstWaited);
    rule("the grace period ends", is(period, 1) && waited == 0 && !section, [this](Next& t) {
      t[period] = d_.number(0);
      t[callback] = D::choose(is(callback, 2), d_.number(3), s_[callback]);
      t[freeing] = D::choose(is(freeing, 2), d_.number(3), s_[freeing]);
      t[batches] = D::choose(s_[batches] > 0, s_[batches] - 1, s_[batches]);
    });
  }
};

}  // namespace futexmc::properties::proofs::count
