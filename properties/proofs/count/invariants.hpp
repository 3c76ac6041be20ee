// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is true in every state of the counting protocol: the guarantees, and the facts that make
// them inductive. Written once for numbers and for terms of the solver, like the rules.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "properties/proofs/count/system.hpp"

namespace futexmc::properties::proofs::count {

/// The guarantees; each is a theorem.
enum class Guarantee : std::uint8_t { get, pivot, range, bias, freed, fold, transition, wake };
inline constexpr std::size_t kGuarantees = 8;

/// The state counts all replaced tables as one. That they are one is a fact on which the guarantee
/// that only unreferenced tables are freed rests.
inline constexpr const char* kOneGeneration = "nobody knows an older table when one is replaced";

template <class D>
class Facts {
 public:
  using Int = typename D::Int;
  using Bool = typename D::Bool;
  using Named = std::vector<std::pair<const char*, Bool>>;

  Facts(const D& domain, const Constants<D>& constants, const State<D>& of)
      : d_(domain), k_(constants), s_(of) {}

  /// The parts of the guarantee; all must be true.
  Named guarantee(Guarantee which) const {
    switch (which) {
      case Guarantee::get: return get();
      case Guarantee::pivot: return pivots();
      case Guarantee::range: return range();
      case Guarantee::bias: return biased();
      case Guarantee::freed: return freed();
      case Guarantee::fold: return fold();
      case Guarantee::transition: return transition();
      case Guarantee::wake: return wake();
    }
    return {};
  }

  /// Auxiliary; together with the guarantees they are inductive.
  Named invariants() const {
    Named all;
    domains(all);
    bounds(all);
    counts(all);
    sections(all);
    generations(all);
    control(all);
    return all;
  }

 private:
  Bool is(Field field, int value) const { return s_[field] == value; }
  Bool between(Field field, int low, int high) const {
    return s_[field] >= low && s_[field] <= high;
  }
  /// One of the phases from..to with FR_ATOMIC.
  Bool phase_in(int low, int high) const { return between(phase, low, high); }
  Bool flag(Field field) const { return between(field, 0, 1); }
  static Bool if_then(const Bool& a, const Bool& b) { return D::implies(a, b); }
  Int percpu_gets() const { return s_[percpu] + s_[percpu_m]; }
  Int percpu_puts() const { return s_[dec] + s_[dec_m]; }
  Int old_readers() const {
    return s_[old_loaded] + s_[old_loaded_m] + s_[old_inc] + s_[old_inc_m] + s_[old_percpu];
  }
  Int old_unmarked() const { return s_[old_loaded] + s_[old_inc] + s_[old_percpu]; }
  Bool dead() const { return is(state, 1) && is(atomic, 0); }
  Bool in_transition() const { return s_[phase] > kIdle; }
  /// From the bias on, until the counters have been added.
  Bool window() const {
    return is(phase, kBiased) || (is(phase, kCalled) && is(state, 1)) ||
           (phase_in(kAtomic, kAdding) && !is(phase, kUnbiased));
  }
  Bool cookie_taken() const { return is(pivot, kCookieTaken) || is(pivot, kCookieWaited); }
  Bool replacing() const { return is(pivot, kPublished) || is(pivot, kReplaced); }

  Named get() const {
    return {{"no reference is obtained on a replaced table", is(old_held, 0)}};
  }
  Named pivots() const {
    const Bool seen = is(pivot, kDead) || cookie_taken();
    return {{"a table is replaced only when nobody holds a reference",
             if_then(seen, is(held, 0) && percpu_gets() == 0)}};
  }
  Named range() const {
    return {{"the atomic does not go below zero", s_[atomic] >= 0},
            {"the per-CPU sum does not go below zero", s_[ahead] + s_[behind] >= 0},
            {"the folded sum is not negative", s_[folded] >= 0}};
  }
  Named biased() const {
    return {{"the biased atomic is not zero, as a 64-bit number either",
             if_then(window(), s_[atomic] > 0 && s_[atomic] < k_.bias + k_.bias + 2)}};
  }
  Named freed() const {
    const Bool gone = old_readers() == 0 && is(old_held, 0) && is(old_touch, 0) && is(reuse, 0) &&
                      is(old_looking, 0);
    // The first is of tables that may be freed at any moment, the second of those that were.
    return {{"nobody refers to a table that may be freed",
             if_then(is(freeing, 3) && !replacing(), gone)},
            {"nobody refers to a table that was freed",
             if_then(is(freeing, 0) && !replacing() && is(leaked, 0), gone)},
            {"every replaced table is freed", is(leaked, 0)}};
  }
  Named fold() const {
    return {{"the folded count is the references held",
             if_then(is(phase, kDraining), s_[atomic] == s_[held])},
            {"the per-CPU count is the references held and the initial one",
             if_then(is(has, 1) && is(state, 0),
                     s_[ahead] + s_[behind] == s_[held] + 1)}};
  }
  Named transition() const {
    return {{"a table is dropped only when it is counted per CPU and no drop is under way",
             if_then(is(mutex, kDrop) && is(phase, kIdle), is(state, 0) && is(callback, 0))},
            {"a drop that is under way is not repeated",
             if_then(is(mutex, kDrop), phase_in(kIdle, kBegin) || phase_in(kBiased, kAtomic) ||
                                           is(phase, kUnbiased)) &&
                 if_then(is(mutex, kTable) && is(has, 1) && is(pivot, kNone), in_transition())},
            {"the atomic is zero when it is about to be biased",
             if_then(is(phase, kBegin), is(atomic, 0))},
            {"the count is folded with FR_ATOMIC",
             if_then(phase_in(kFolding, kAdding), is(state, 1))},
            {"a transition keeps the mm, and nothing else does",
             s_[users] == s_[tails] + D::choose(phase_in(kKept, kAdding), d_.number(1),
                                                d_.number(0))},
            {"no table waits while none is being replaced",
             if_then(is(phase, kIdle) || is(mutex, kTable), is(fresh, 0))},
            {"the global hash is not replaced", if_then(is(global, 1), is(phase, kIdle) &&
                                                                          !is(mutex, kDrop))}};
  }
  Named wake() const {
    return {{"a prctl() that sleeps waits for a table in use, or is about to be woken",
             if_then(s_[sleeps] > 0, (in_transition() && !dead()) || s_[wakes] > 0)}};
  }

  void domains(Named& all) const {
    Bool natural = d_.truth(true);
    for (const Field field :
         {tails, late, loaded, loaded_m, percpu, percpu_m, inc, inc_m, held, dec, dec_m, put,
          old_loaded, old_loaded_m, old_inc, old_inc_m, old_percpu, old_held, touch, old_touch,
          stale, old_stale, reuse, looking, old_looking, tests, sleeps, outside, wakes, leaked,
          store}) {
      natural = natural && s_[field] >= 0;
    }
    all.emplace_back("natural numbers", natural);
    all.emplace_back("flags", flag(has) && flag(global) && flag(state) && flag(ref) &&
                                  flag(period) && flag(fresh) && flag(stored));
    all.emplace_back("ranges", between(phase, kIdle, kDraining) && between(callback, 0, 3) &&
                                   between(batches, 0, 2) && between(freeing, 0, 3) &&
                                   between(pivot, kNone, kFirstWaited) &&
                                   between(mutex, kFree, kTest));
    all.emplace_back("the next table's reference is counted before the fold ends", is(late, 0));
    all.emplace_back("puts are atomic", is(stored, 0));
    all.emplace_back("prctl() queues before it tests", is(outside, 0));
    all.emplace_back("nothing is leaked", is(leaked, 0));
    all.emplace_back("no get counts per CPU on a replaced table", is(old_percpu, 0));
    all.emplace_back("the bias comes first", !is(phase, kUnbiased));
    all.emplace_back("a table kept is used with the global hash only",
                     if_then(s_[reuse] > 0, is(global, 1)));
    all.emplace_back("nobody reads after a put", is(touch, 0) && is(old_touch, 0));
    all.emplace_back("every reader is in a section", is(looking, 0) && is(old_looking, 0));
    all.emplace_back("no lookup keeps a table", is(stale, 0) && is(old_stale, 0) && is(reuse, 0));
  }

  void bounds(Named& all) const {
    all.emplace_back("putters hold references",
                     s_[held] >= percpu_puts() + s_[put] + s_[stored]);
    all.emplace_back("threads", s_[loaded] + s_[loaded_m] + percpu_gets() + s_[inc] + s_[inc_m] +
                                        s_[held] <=
                                    k_.threads);
    all.emplace_back("threads, those with replaced tables included",
                     s_[loaded] + s_[loaded_m] + percpu_gets() + s_[inc] + s_[inc_m] + s_[held] +
                             old_readers() + s_[old_held] + s_[stale] + s_[old_stale] + s_[reuse] <=
                         k_.threads);
    all.emplace_back("marks need a grace period",
                     if_then(is(period, 0), s_[loaded_m] + s_[percpu_m] + s_[inc_m] + s_[dec_m] +
                                                    s_[old_loaded_m] + s_[old_inc_m] ==
                                                0));
  }

  void counts(Named& all) const {
    const Bool before = is(state, 0) && !is(phase, kBiased);
    all.emplace_back("the counters exist before a table", if_then(is(has, 1), is(ref, 1)));
    all.emplace_back("per CPU", if_then(is(state, 0), s_[ahead] == s_[held] + s_[ref] &&
                                                          is(behind, 0) && is(folded, 0)));
    all.emplace_back("the atomic is unused", if_then(before, is(atomic, 0)));
    all.emplace_back("the atomic is biased", if_then(is(phase, kBiased), s_[atomic] == k_.bias));
    const Bool unsummed = is(state, 1) && phase_in(kCalled, kFolding);
    all.emplace_back("biased", if_then(unsummed, s_[atomic] + s_[ahead] == k_.bias + s_[held] + 1 &&
                                                     is(behind, 0) && is(folded, 0)));
    all.emplace_back("per-CPU counts are bounded",
                     if_then(unsummed, s_[ahead] + percpu_gets() <= k_.threads + 1 &&
                                           s_[ahead] >= percpu_puts() + 1));
    all.emplace_back("summed", if_then(phase_in(kSummed, kAdding),
                                       s_[atomic] + s_[folded] == k_.bias + s_[held] + 1 &&
                                           s_[folded] >= 1 && s_[folded] <= k_.threads + 1 &&
                                           is(behind, 0)));
    all.emplace_back("reset", if_then(is(phase, kSummed), is(ahead, 0)));
    all.emplace_back("the next table's reference",
                     if_then(is(phase, kAdding) || is(phase, kDraining),
                             is(ahead, 1) && is(behind, 0)));
    all.emplace_back("folded", if_then(is(phase, kDraining),
                                       s_[atomic] == s_[held] && is(folded, 0)));
    // The same where references on replaced tables exist: what a variant with that fault keeps.
    const Int everywhere = s_[held] + s_[old_held];
    all.emplace_back("the atomic is unused, replaced tables included",
                     if_then(before, is(atomic, 0) && is(old_held, 0)));
    all.emplace_back("the atomic is biased, replaced tables included",
                     if_then(is(phase, kBiased), s_[atomic] == k_.bias + s_[old_held]));
    all.emplace_back("biased, replaced tables included",
                     if_then(unsummed, s_[atomic] + s_[ahead] == k_.bias + everywhere + 1 &&
                                           is(behind, 0) && is(folded, 0)));
    all.emplace_back("summed, replaced tables included",
                     if_then(phase_in(kSummed, kAdding),
                             s_[atomic] + s_[folded] == k_.bias + everywhere + 1 &&
                                 s_[folded] >= 1 && s_[folded] <= k_.threads + 1 &&
                                 is(behind, 0)));
    all.emplace_back("folded, replaced tables included",
                     if_then(is(phase, kDraining), s_[atomic] == everywhere && is(folded, 0)));
    all.emplace_back("dead", if_then(is(pivot, kDead) || cookie_taken(), dead()));
    all.emplace_back("no table, no reader",
                     if_then(is(has, 0), s_[loaded] + s_[loaded_m] + percpu_gets() + s_[inc] +
                                                     s_[inc_m] + s_[held] ==
                                                 0 &&
                                             is(global, 0)));
    all.emplace_back("the atomic's readers came with FR_ATOMIC",
                     if_then(is(state, 0), is(inc, 0) && is(inc_m, 0) && is(put, 0)));
  }

  void sections(Named& all) const {
    const Int unmarked = s_[percpu] + s_[dec];
    const Int any = percpu_gets() + percpu_puts();
    all.emplace_back("the grace period waits for who counts per CPU",
                     if_then(is(phase, kWaits) && is(callback, 2), unmarked == 0 && is(period, 1)));
    all.emplace_back("nobody counts per CPU after it",
                     if_then((is(phase, kWaits) && is(callback, 3)) ||
                                 (is(state, 1) && is(phase, kCalled)) ||
                                 phase_in(kFolding, kDraining),
                             any == 0));
  }

  void generations(Named& all) const {
    all.emplace_back("references are on the current table", is(old_held, 0));
    all.emplace_back(kOneGeneration,
                     if_then(is(pivot, kDead) || cookie_taken(),
                             old_readers() == 0 && is(old_held, 0) && is(old_touch, 0) &&
                                 is(old_stale, 0) && is(reuse, 0) && is(old_looking, 0)));
    all.emplace_back("the cookie is satisfied without old readers",
                     if_then(is(batches, 0) && !is(pivot, kPublished), old_readers() == 0));
    all.emplace_back("the cookie's last grace period waits for old readers",
                     if_then(is(batches, 1) && is(period, 1) && !is(pivot, kPublished),
                             old_unmarked() == 0));
    all.emplace_back("the cookie's first grace period is in progress",
                     if_then(is(batches, 2), is(period, 1)));
    all.emplace_back("no old readers once a transition has begun",
                     if_then(is(phase, kBegin) || phase_in(kCalled, kDraining),
                             old_readers() == 0));
    all.emplace_back("the early grace period waits for old readers",
                     if_then(is(phase, kWaitsEarly) && is(callback, 2),
                             old_unmarked() == 0 && is(period, 1)) &&
                         if_then(is(phase, kWaitsEarly) && is(callback, 3), old_readers() == 0));
    all.emplace_back("the old table's grace period waits for old readers",
                     if_then(is(freeing, 2), is(period, 1)) &&
                         if_then(is(freeing, 2) && !replacing(), old_unmarked() == 0));
    all.emplace_back("the old table goes without old readers",
                     if_then((is(freeing, 3) || is(freeing, 0)) && !replacing(),
                             old_readers() == 0));
  }

  void control(Named& all) const {
    const Bool by_phase = D::same(is(state, 1), phase_in(kAtomic, kDraining) ||
                                                    (is(phase, kCalled) && is(state, 1)));
    all.emplace_back("the state follows the phase", by_phase);
    all.emplace_back("callbacks wait where they are queued",
                     D::same(s_[callback] > 0, is(phase, kWaitsEarly) || is(phase, kWaits)));
    all.emplace_back("a drop holds the mutex",
                     if_then(is(phase, kKept) || is(phase, kEarly), is(mutex, kDrop)) &&
                         if_then(is(mutex, kDrop),
                                 is(has, 1) && is(global, 0) && is(fresh, 0) && is(pivot, kNone)));
    all.emplace_back("who drops is not yet waiting",
                     if_then(is(mutex, kDrop), phase_in(kIdle, kBegin) ||
                                                   phase_in(kBiased, kAtomic)));
    all.emplace_back("a table waits while one is being replaced",
                     if_then(in_transition() && !is(mutex, kTable) && !is(mutex, kDrop),
                             is(fresh, 1)));
    all.emplace_back("no other table waits",
                     if_then(!in_transition() || is(mutex, kTable), is(fresh, 0)));
    all.emplace_back("who has a table replaces the current one",
                     if_then(is(mutex, kTable) && is(has, 1) && is(pivot, kNone),
                             in_transition()));
    all.emplace_back("only a current table is replaced",
                     if_then(in_transition(), is(has, 1) && is(global, 0)));
    all.emplace_back("a pivot holds the mutex", if_then(s_[pivot] > kNone, is(mutex, kTable)));
    all.emplace_back("a pivot ends the transition",
                     D::same(is(pivot, kDead) || cookie_taken(),
                             s_[pivot] > kNone && in_transition()));
    all.emplace_back("the pivot follows the fold",
                     if_then(is(pivot, kDead) || cookie_taken(), is(phase, kDraining)));
    all.emplace_back("the first table comes to none",
                     if_then(is(pivot, kFirstCookie) || is(pivot, kFirstWaited), is(has, 0)) &&
                         if_then(is(pivot, kFirst) || replacing(), is(has, 1)));
    all.emplace_back("who may install has counters",
                     if_then(is(mutex, kInstall) || is(mutex, kTable), is(ref, 1)));
    all.emplace_back("who tests is queued", if_then(is(mutex, kTest), s_[tests] > 0));
  }

  const D& d_;
  const Constants<D>& k_;
  const State<D>& s_;
};

}  // namespace futexmc::properties::proofs::count
