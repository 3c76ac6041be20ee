// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules: lookups, gets and puts, of the current table and of replaced ones. Follows futex_hash(),
// futex_ref_get(), futex_ref_put() and futex_private_hash_put().
#pragma once

#include "properties/proofs/count/rule_maker.hpp"

namespace futexmc::properties::proofs::count {

template <class D, class Sink>
class ReferenceRules : RuleMaker<D, Sink> {
 public:
  using typename RuleMaker<D, Sink>::Int;
  using typename RuleMaker<D, Sink>::Bool;
  using typename RuleMaker<D, Sink>::Next;
  using typename RuleMaker<D, Sink>::K;
  using RuleMaker<D, Sink>::RuleMaker;

  void all() {
    look();
    for (const bool marked : {false, true}) {
      lookup(marked);
      get(marked);
      put_percpu(marked);
      old_lookup(marked);
      old_get(marked);
    }
    retry();
    put_atomic();
  }

 private:
  using RuleMaker<D, Sink>::without;
  using RuleMaker<D, Sink>::rule;
  using RuleMaker<D, Sink>::never;
  using RuleMaker<D, Sink>::is;
  using RuleMaker<D, Sink>::dead;
  using RuleMaker<D, Sink>::lookup_guarded;
  using RuleMaker<D, Sink>::get_guarded;
  using RuleMaker<D, Sink>::d_;
  using RuleMaker<D, Sink>::m_;
  using RuleMaker<D, Sink>::k_;
  using RuleMaker<D, Sink>::s_;

  Int busy_threads() const {
    return s_[loaded] + s_[loaded_m] + s_[percpu] + s_[percpu_m] + s_[inc] + s_[inc_m] + s_[held] +
           s_[old_loaded] + s_[old_loaded_m] + s_[old_inc] + s_[old_inc_m] + s_[old_percpu] +
           s_[old_held] + s_[stale] + s_[old_stale] + s_[reuse];
  }

  void look() {
    if (!without(K::allocate_rcu) && !without(K::slots_rcu)) return;
    rule("a reader finds the current table outside RCU", is(has, 1) && is(looking, 0),
         [this](Next& t) { t[looking] = s_[looking] + 1; });
    rule("a reader outside RCU leaves", s_[looking] > 0,
         [this](Next& t) { t[looking] = s_[looking] - 1; });
    rule("a reader of a replaced table, outside RCU, leaves", s_[old_looking] > 0,
         [this](Next& t) { t[old_looking] = s_[old_looking] - 1; });
  }

  void lookup(bool marked) {
    if (marked && !lookup_guarded()) return;
    const Field at = marked ? loaded_m : loaded;
    // Marked: its section was open already when the grace period began.
    rule(marked ? "futex_hash(): a lookup older than the grace period finds the current table"
                : "futex_hash(): a lookup finds the current table",
         is(has, 1) && is(global, 0) && busy_threads() < k_.threads &&
             (marked ? is(period, 1) : d_.truth(true)),
         [this, at](Next& t) { t[at] = s_[at] + 1; });
    rule(marked ? "a reader of the table leaves, marked" : "a reader of the table leaves",
         s_[at] > 0, [this, at](Next& t) { t[at] = s_[at] - 1; });
    const Bool percpu_state = without(K::get_state) ? d_.truth(true) : is(state, 0);
    const Field counts = marked ? percpu_m : percpu;
    rule(marked ? "futex_ref_get(): reads FR_PERCPU, marked" : "futex_ref_get(): reads FR_PERCPU",
         s_[at] > 0 && percpu_state, [this, at, counts](Next& t) {
           t[at] = s_[at] - 1;
           t[counts] = s_[counts] + 1;
         });
    if (without(K::get_state)) return;
    const Field looks = marked ? inc_m : inc;
    rule(marked ? "futex_ref_get(): reads FR_ATOMIC, marked" : "futex_ref_get(): reads FR_ATOMIC",
         s_[at] > 0 && is(state, 1), [this, at, looks](Next& t) {
           t[at] = s_[at] - 1;
           t[looks] = s_[looks] + 1;
         });
  }

  void get(bool marked) {
    const Field counts = marked ? percpu_m : percpu;
    const auto got = [this, counts](Next& t) {
      t[counts] = s_[counts] - 1;
      t[held] = s_[held] + 1;
    };
    rule(marked ? "futex_ref_get(): __this_cpu_inc(), marked" : "futex_ref_get(): __this_cpu_inc()",
         s_[counts] > 0, [this, got](Next& t) {
           got(t);
           t[ahead] = s_[ahead] + 1;
         });
    never(marked ? "futex_ref_get(): __this_cpu_inc() where the fold has been, marked"
                 : "futex_ref_get(): __this_cpu_inc() where the fold has been",
         s_[counts] > 0 && is(phase, kFolding), [this, got](Next& t) {
           got(t);
           t[behind] = s_[behind] + 1;
         });
    never(marked ? "futex_ref_get(): __this_cpu_inc() that the fold resets, marked"
                : "futex_ref_get(): __this_cpu_inc() that the fold resets",
         s_[counts] > 0 && is(phase, kFolding), got);
    if (without(K::get_state)) return;
    const Field looks = marked ? inc_m : inc;
    const bool tested = !without(K::get_not_zero);
    rule(marked ? "futex_ref_get(): atomic_long_inc_not_zero(), marked"
                : "futex_ref_get(): atomic_long_inc_not_zero()",
         s_[looks] > 0 && (tested ? !is(atomic, 0) : d_.truth(true)), [this, looks](Next& t) {
           t[looks] = s_[looks] - 1;
           t[held] = s_[held] + 1;
           t[atomic] = s_[atomic] + 1;
         });
    if (!tested) return;
    rule(marked ? "futex_ref_get(): the atomic is zero, fails, marked"
                : "futex_ref_get(): the atomic is zero, fails",
         s_[looks] > 0 && is(atomic, 0), [this, looks](Next& t) {
           t[looks] = s_[looks] - 1;
           if (retry_kept() != Retry::forgets) t[stale] = s_[stale] + 1;
         });
  }

  Retry retry_kept() const {
    return without(K::lookup_reset) ? Retry::keeps_if_global : m_.retry;
  }

  void old_lookup(bool marked) {
    if (marked && !lookup_guarded()) return;
    const Field at = marked ? old_loaded_m : old_loaded;
    rule(marked ? "a reader of a replaced table leaves, marked"
                : "a reader of a replaced table leaves",
         s_[at] > 0, [this, at](Next& t) { t[at] = s_[at] - 1; });
    if (without(K::get_state)) {
      rule(marked ? "futex_ref_get() on a replaced table: about to count per CPU, marked"
                  : "futex_ref_get() on a replaced table: about to count per CPU",
           s_[at] > 0, [this, at](Next& t) {
             t[at] = s_[at] - 1;
             t[old_percpu] = s_[old_percpu] + 1;
           });
      return;
    }
    const Field looks = marked ? old_inc_m : old_inc;
    rule(marked ? "futex_ref_get() on a replaced table: reads FR_ATOMIC, marked"
                : "futex_ref_get() on a replaced table: reads FR_ATOMIC",
         s_[at] > 0, [this, at, looks](Next& t) {
           t[at] = s_[at] - 1;
           t[looks] = s_[looks] + 1;
         });
  }

  void old_get(bool marked) {
    if (without(K::get_state)) return;
    const Field looks = marked ? old_inc_m : old_inc;
    const bool tested = !without(K::get_not_zero);
    never(marked ? "futex_ref_get() on a replaced table succeeds, marked"
                 : "futex_ref_get() on a replaced table succeeds",
          s_[looks] > 0 && (tested ? !is(atomic, 0) : d_.truth(true)), [this, looks](Next& t) {
            t[looks] = s_[looks] - 1;
            t[old_held] = s_[old_held] + 1;
            t[atomic] = s_[atomic] + 1;
          });
    if (!tested) return;
    rule(marked ? "futex_ref_get() on a replaced table: the atomic is zero, fails, marked"
                : "futex_ref_get() on a replaced table: the atomic is zero, fails",
         s_[looks] > 0 && is(atomic, 0), [this, looks](Next& t) {
           t[looks] = s_[looks] - 1;
           if (retry_kept() != Retry::forgets) t[old_stale] = s_[old_stale] + 1;
         });
  }

  void retry() {
    never("futex_ref_put() on a replaced table: atomic_long_dec_and_test()", s_[old_held] > 0,
          [this](Next& t) {
            t[old_held] = s_[old_held] - 1;
            t[atomic] = s_[atomic] - 1;
            last_put(t, t[atomic]);
          });
    if (without(K::get_state)) {
      never("futex_ref_get() on a replaced table: __this_cpu_inc()", s_[old_percpu] > 0,
            [this](Next& t) {
              t[old_percpu] = s_[old_percpu] - 1;
              t[old_held] = s_[old_held] + 1;
              t[ahead] = s_[ahead] + 1;
            });
    }
    if (retry_kept() == Retry::forgets) return;
    rule("futex_hash(): starts again and finds the current table", s_[stale] > 0,
         [this](Next& t) { t[stale] = s_[stale] - 1; });
    const bool always = retry_kept() == Retry::keeps;
    if (!always) {
      rule("futex_hash(): starts again and forgets the replaced table",
           s_[old_stale] > 0 && is(global, 0),
           [this](Next& t) { t[old_stale] = s_[old_stale] - 1; });
    }
    rule("futex_hash(): starts again with the replaced table",
         s_[old_stale] > 0 && (always ? d_.truth(true) : is(global, 1)), [this](Next& t) {
           t[old_stale] = s_[old_stale] - 1;
           t[reuse] = s_[reuse] + 1;
         });
    rule("futex_ref_get() on a replaced table: the atomic is zero, fails again",
         s_[reuse] > 0 && is(atomic, 0), [this](Next& t) {
           t[reuse] = s_[reuse] - 1;
           t[old_stale] = s_[old_stale] + 1;
         });
    never("futex_ref_get() on a replaced table succeeds, started again",
          s_[reuse] > 0 && !is(atomic, 0), [this](Next& t) {
            t[reuse] = s_[reuse] - 1;
            t[old_held] = s_[old_held] + 1;
            t[atomic] = s_[atomic] + 1;
          });
  }

  Int idle_references() const {
    return s_[held] - s_[dec] - s_[dec_m] - s_[put] - s_[stored];
  }

  void put_percpu(bool marked) {
    if (marked && without(K::put_preempt)) return;
    const Field counts = marked ? dec_m : dec;
    const Bool percpu_state = without(K::put_state) ? d_.truth(true) : is(state, 0);
    rule(marked ? "futex_ref_put(): reads FR_PERCPU in a section older than the grace period"
                : "futex_ref_put(): reads FR_PERCPU",
         idle_references() > 0 && percpu_state && (marked ? is(period, 1) : d_.truth(true)),
         [this, counts](Next& t) { t[counts] = s_[counts] + 1; });
    const auto gone = [this, counts](Next& t) {
      t[counts] = s_[counts] - 1;
      t[held] = s_[held] - 1;
    };
    rule(marked ? "futex_ref_put(): __this_cpu_dec(), marked" : "futex_ref_put(): __this_cpu_dec()",
         s_[counts] > 0, [this, gone](Next& t) {
           gone(t);
           t[ahead] = s_[ahead] - 1;
         });
    never(marked ? "futex_ref_put(): __this_cpu_dec() where the fold has been, marked"
                : "futex_ref_put(): __this_cpu_dec() where the fold has been",
         s_[counts] > 0 && is(phase, kFolding), [this, gone](Next& t) {
           gone(t);
           t[behind] = s_[behind] - 1;
         });
    never(marked ? "futex_ref_put(): __this_cpu_dec() that the fold resets, marked"
                : "futex_ref_put(): __this_cpu_dec() that the fold resets",
         s_[counts] > 0 && is(phase, kFolding), gone);
  }

  void last_put(Next& t, const Int& left) {
    if (!without(K::put_wake)) t[wakes] = D::choose(left == 0, s_[wakes] + 1, s_[wakes]);
    if (m_.touch_after_put) t[touch] = D::choose(left == 0, s_[touch] + 1, s_[touch]);
  }

  void put_atomic() {
    if (!without(K::put_state)) {
      rule("futex_ref_put(): reads FR_ATOMIC", idle_references() > 0 && is(state, 1),
           [this](Next& t) { t[put] = s_[put] + 1; });
    }
    if (!without(K::put_atomic)) {
      rule("futex_ref_put(): atomic_long_dec_and_test()", s_[put] > 0, [this](Next& t) {
        t[put] = s_[put] - 1;
        t[held] = s_[held] - 1;
        t[atomic] = s_[atomic] - 1;
        last_put(t, t[atomic]);
      });
    } else {
      rule("futex_ref_put(): reads the atomic", s_[put] > 0 && is(stored, 0), [this](Next& t) {
        t[put] = s_[put] - 1;
        t[stored] = d_.number(1);
        t[store] = s_[atomic];
      });
      rule("futex_ref_put(): writes the atomic, less one", s_[stored] > 0, [this](Next& t) {
        t[stored] = d_.number(0);
        t[held] = s_[held] - 1;
        t[atomic] = s_[store] - 1;
        last_put(t, t[atomic]);
        t[store] = d_.number(0);
      });
    }
    if (!m_.touch_after_put) return;
    rule("futex_private_hash_put(): reads the table after the put", s_[touch] > 0,
         [this](Next& t) { t[touch] = s_[touch] - 1; });
    never("futex_private_hash_put(): reads a replaced table after the put", s_[old_touch] > 0,
          [this](Next& t) { t[old_touch] = s_[old_touch] - 1; });
  }
};

}  // namespace futexmc::properties::proofs::count
