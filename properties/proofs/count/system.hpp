// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reference count of the private hash, its pivot and who waits for it, as rules over State: what
// kernel/futex/core.c does, one visible operation a rule, for any number of threads and CPUs.
// Written once for numbers and for terms of the solver.
//
// A rule that no thread could ever be denied is not weakened by what is left out: readers may leave
// at any time, grace periods may begin at any time. Memory is sequentially consistent.
#pragma once

#include "properties/proofs/count/fields.hpp"
#include "properties/proofs/count/parameters.hpp"
#include "properties/proofs/system/facts.hpp"

namespace futexmc::properties::proofs::count {

/// The constants that the claims hold for every value of: see assumptions() in theorems.cpp.
template <class D>
struct Constants {
  typename D::Int threads;  ///< lookups and references at a time, at most
  typename D::Int bias;     ///< LONG_MAX
};

/// Calls `sink(name, kind, guard, update)` for each rule that the variant has; `update(next)`
/// changes a copy of the state, and means something only where the guard is true.
template <class D, class Sink>
class Rules {
 public:
  using Int = typename D::Int;
  using Bool = typename D::Bool;
  using Next = State<D>;

  Rules(const D& domain, const Parameters& parameters, const Constants<D>& constants,
        const State<D>& from, Sink& sink)
      : d_(domain), m_(parameters), k_(constants), s_(from), sink_(sink) {}

  void all() {
    allocate();
    lock();
    install();
    drop();
    begin();
    fold();
    replace();
    grace_periods();
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
    prctl();
  }

 private:
  using K = model::Knockout;
  bool without(K what) const { return m_.without(what); }
  template <class Update>
  void rule(const char* name, const Bool& guard, Update update) {
    sink_(name, Kind::normal, guard, update);
  }
  template <class Update>
  void never(const char* name, const Bool& guard, Update update) {
    sink_(name, Kind::excluded, guard, update);
  }
  Bool is(Field field, int value) const { return s_[field] == value; }
  Bool dead() const { return is(state, 1) && is(atomic, 0); }

  void allocate() {
    rule("futex_hash_allocate(): the counters are allocated, with the initial reference", is(ref, 0),
         [this](Next& t) {
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
    rule("futex_ref_drop(): mmget()", is(mutex, kDrop) && is(phase, kIdle), [this](Next& t) {
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
      rule("__futex_ref_atomic_begin(): atomic = LONG_MAX", is(phase, kBegin),
           [this, bias](Next& t) {
             t[atomic] = bias;
             t[phase] = d_.number(kBiased);
           });
    } else {
      rule("__futex_ref_atomic_begin(): atomic = LONG_MAX, late", is(phase, kUnbiased),
           [this, bias](Next& t) {
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
    rule("__futex_ref_atomic_end(): mmput_async()", s_[tails] > 0, [this](Next& t) {
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
           is(pivot, late ? kDead : kCookieTaken), [this, late, as_global](Next& t) {
             publish(t, late ? kPublished : kReplaced, as_global);
           });
      rule(as_global != 0 ? "__futex_pivot_hash(): the global hash is the first table"
                          : "__futex_pivot_hash(): publishes the first table",
           late ? first : is(pivot, kFirstCookie), [this, late, as_global](Next& t) {
             publish(t, late ? kFirst : kNone, as_global);
             if (!late) t[mutex] = d_.number(kDone);
           });
    }
    rule("__futex_pivot_hash(): get_state_synchronize_rcu()", is(pivot, late ? kPublished : kDead),
         [this, late](Next& t) { take_cookie(t, late ? kReplaced : kCookieTaken); });
    rule("__futex_pivot_hash(): get_state_synchronize_rcu() for the first table",
         late ? is(pivot, kFirst) : first,
         [this, late](Next& t) { take_cookie(t, late ? kNone : kFirstCookie); });
    rule("__futex_pivot_hash(): kvfree_rcu() of the old table", is(pivot, kReplaced),
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

  // What keeps a grace period waiting: every section, unless it was knocked out.
  bool lookup_guarded() const {
    return !without(K::lookup_rcu);
  }
  bool get_guarded() const { return !without(K::lookup_rcu) || !without(K::get_preempt); }

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
    });
    const Int waited = s_[loaded_m] + s_[old_loaded_m] + s_[percpu_m] + s_[inc_m] + s_[old_inc_m] +
                       s_[dec_m];
    rule("the grace period ends", is(period, 1) && waited == 0, [this](Next& t) {
      t[period] = d_.number(0);
      t[callback] = D::choose(is(callback, 2), d_.number(3), s_[callback]);
      t[freeing] = D::choose(is(freeing, 2), d_.number(3), s_[freeing]);
      t[batches] = D::choose(s_[batches] > 0, s_[batches] - 1, s_[batches]);
    });
  }

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
    rule("futex_pivot_pending(): still in use, woken meanwhile", is(mutex, kTest) && !(none || over),
         [this](Next& t) { t[mutex] = d_.number(kDone); });
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

  const D& d_;
  const Parameters& m_;
  const Constants<D>& k_;
  const State<D>& s_;
  Sink& sink_;
};

template <class D, class Sink>
void each_rule(const D& domain, const Parameters& parameters, const Constants<D>& constants,
               const State<D>& from, Sink sink) {
  Rules<D, Sink>(domain, parameters, constants, from, sink).all();
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
