// SPDX-License-Identifier: GPL-2.0-or-later
//
// One bucket with any number of waiters, wakers and others who write the word: the count of waiters
// and what it is for. Follows futex_q_lock(), futex_wait_setup(), futex_wake(), __futex_unqueue()
// and futex_rehash_private().
//
// The waiters all expect one value of one word; the word has that value or another one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/proofs/count/parameters.hpp"
#include "properties/proofs/system/facts.hpp"

namespace futexmc::properties::proofs::count {

class WaitersSystem {
 public:
  enum Field : std::uint8_t {
    count,     ///< hb->waiters
    counted,   ///< waiters that wait for the lock
    word,      ///< 0: what the waiters expect; 1: another value
    lock,      ///< what its holder does next: see Lock
    queued,    ///< waiters that queued themselves
    moved,     ///< waiters that a pivot put here
    unlocked,  ///< waiters that dropped the lock before they queue (knock-out)
    stored,    ///< wakers that have changed the word and not read the count
    decided,   ///< wakers that read a count above zero and wait for the lock
    fields
  };
  enum Lock : std::uint8_t {
    kFree = 0,
    kCompare,   ///< a waiter, about to compare the word
    kQueue,     ///< a waiter that found what it expects
    kRefuse,    ///< a waiter that did not, about to take itself off the count
    kWake,      ///< a waker, looking for waiters
    kWoken,     ///< a waker that took one off, about to count it off
    kTimedOut,  ///< a waiter that took itself off, about to count itself off
    kMove,      ///< a pivot that has counted a waiter, about to queue it
    kUnlock,
  };
  enum Guarantee : std::uint8_t { kCount, kSleepers };

  static constexpr std::size_t kFields = fields;
  static constexpr std::size_t kGuarantees = 2;

  template <class D>
  struct State {
    typename D::template Row<kFields> values;
    typename D::Int& operator[](Field field) { return values[field]; }
    const typename D::Int& operator[](Field field) const { return values[field]; }
  };

  explicit WaitersSystem(const Parameters& parameters) : parameters_(parameters) {}

  static std::span<const char* const> field_names() {
    static constexpr std::array<const char*, kFields> names = {
        "waiters", "counted", "word", "lock", "queued", "moved", "unlocked", "stored", "decided"};
    return names;
  }
  static std::span<const std::size_t> shown_fields() {
    static constexpr std::array<std::size_t, 3> shown = {count, word, queued};
    return shown;
  }
  static std::string show(long value) { return std::to_string(value); }

  template <class D>
  State<D> initial(const D& domain) const {
    State<D> zero{};
    if constexpr (requires { zero.values.push_back(domain.number(0)); }) {
      for (std::size_t i = 0; i < kFields; ++i) zero.values.push_back(domain.number(0));
    }
    return zero;
  }

  template <class D, class Sink>
  void rules(const D& d, const State<D>& s, Sink sink) const {
    waiting(d, s, sink);
    leaving(d, s, sink);
    waking(d, s, sink);
  }

  template <class D>
  std::vector<Fact<D>> facts(const D& d, const State<D>& s) const {
    using Bool = typename D::Bool;
    const auto one_if = [&d](const Bool& condition) {
      return D::choose(condition, d.number(1), d.number(0));
    };
    const Bool in_set_up = s[lock] == kCompare || s[lock] == kQueue || s[lock] == kRefuse;
    const Bool between = s[lock] == kWoken || s[lock] == kTimedOut || s[lock] == kMove;
    const auto there = s[queued] + s[moved];
    Bool natural = s[lock] >= kFree && s[lock] <= kUnlock && s[word] >= 0 && s[word] <= 1;
    for (const Field field : {counted, queued, moved, unlocked, stored, decided}) {
      natural = natural && s[field] >= 0;
    }
    const Bool waker = s[stored] + s[decided] > 0 || s[lock] == kWake || s[lock] == kWoken;
    return {
        {"natural numbers", natural, kGuarantees, kGuarantees},
        {"waiters queue under the lock", s[unlocked] == 0, kGuarantees, kGuarantees},
        {"who found what it expects and does no more, has a waker coming",
         D::implies(s[lock] == kQueue && s[word] == 1, s[stored] + s[decided] > 0), kGuarantees,
         kGuarantees},
        {"a bucket counts its waiters and those in set-up",
         s[count] >= there + s[counted] + one_if(in_set_up), kCount, kGuarantees},
        {"it counts nobody else but those coming and going",
         s[count] == there + s[counted] + one_if(in_set_up || between), kCount, kGuarantees},
        {"a waiter queued on a word that has changed has a waker coming",
         D::implies(s[queued] > 0 && s[word] == 1, waker), kSleepers, kGuarantees},
    };
  }

  z3::expr assumptions(const Terms& terms) const { return terms.truth(true); }

  bool within_bounds(const State<Numbers>& /*from*/, const State<Numbers>& next) const {
    return next[counted] + next[queued] + next[moved] + next[unlocked] <= 2 &&
           next[stored] + next[decided] <= 2 && next[count] <= 4;
  }

 private:
  using K = model::Knockout;
  bool without(K what) const { return parameters_.without(what); }
  /// A rule's name: a story must not tell of a step that was removed.
  const char* told(K what, const char* whole, const char* less) const {
    return without(what) ? less : whole;
  }

  template <class D, class Sink>
  void waiting(const D& d, const State<D>& s, Sink& sink) const {
    using Next = State<D>;
    const bool early = without(K::value_check_locked);
    const bool counts = !without(K::wait_count) && !without(K::waiters_before_check);
    const char* const counted_early =
        counts ? "futex_wait_setup(): compares without the lock, futex_hb_waiters_inc()"
               : "futex_wait_setup(): compares without the lock";
    const char* const uncounted = told(K::wait_count, "futex_q_lock(): a waiter, not counted yet",
                                       "futex_q_lock(): a waiter, not counted");
    sink(early    ? counted_early
         : counts ? "futex_q_lock(): futex_hb_waiters_inc()"
                  : uncounted,
         Kind::normal, early ? s[word] == 0 : d.truth(true), [&](Next& t) {
           t[counted] = s[counted] + 1;
           if (counts) t[count] = s[count] + 1;
         });
    const bool compares = !early && !without(K::value_check);
    sink("futex_q_lock(): spin_lock()", Kind::normal, s[lock] == kFree && s[counted] > 0,
         [&](Next& t) {
           t[counted] = s[counted] - 1;
           t[lock] = d.number(compares ? kCompare : kQueue);
         });
    if (compares) {
      sink("futex_wait_setup(): the word is as expected", Kind::normal,
           s[lock] == kCompare && s[word] == 0, [&](Next& t) { t[lock] = d.number(kQueue); });
      sink("futex_wait_setup(): the word differs", Kind::normal,
           s[lock] == kCompare && s[word] == 1, [&](Next& t) { t[lock] = d.number(kRefuse); });
      const bool uncounts = !without(K::wait_uncount) && !without(K::waiters_before_check);
      sink(uncounts ? "futex_q_unlock(): futex_hb_waiters_dec()"
                    : "futex_q_unlock(): the count stays as it is",
           Kind::normal, s[lock] == kRefuse, [&](Next& t) {
             if (uncounts) t[count] = s[count] - 1;
             t[lock] = d.number(kUnlock);
           });
    }
    const auto queue = [&](Next& t) {
      t[queued] = s[queued] + 1;
      if (without(K::waiters_before_check)) t[count] = s[count] + 1;
    };
    if (!without(K::queue_locked)) {
      sink("futex_queue()", Kind::normal, s[lock] == kQueue, [&](Next& t) {
        queue(t);
        t[lock] = d.number(kUnlock);
      });
    } else {
      sink("futex_queue(): spin_unlock() first", Kind::normal, s[lock] == kQueue, [&](Next& t) {
        t[unlocked] = s[unlocked] + 1;
        t[lock] = d.number(kFree);
      });
      sink("futex_queue(): queues without the lock", Kind::normal, s[unlocked] > 0,
           [&](Next& t) {
             t[unlocked] = s[unlocked] - 1;
             queue(t);
           });
    }
    sink("spin_unlock()", Kind::normal, s[lock] == kUnlock,
         [&](Next& t) { t[lock] = d.number(kFree); });
  }

  template <class D, class Sink>
  void leaving(const D& d, const State<D>& s, Sink& sink) const {
    using Next = State<D>;
    const auto uncount = [&](Next& t, Lock next) {
      if (!without(K::unqueue_count)) t[count] = s[count] - 1;
      t[lock] = d.number(next);
    };
    for (const Field from : {queued, moved}) {
      sink(from == queued ? "futex_unqueue(): takes itself off"
                          : "futex_unqueue(): takes itself off, moved",
           Kind::normal, s[lock] == kFree && s[from] > 0, [&, from](Next& t) {
             t[from] = s[from] - 1;
             t[lock] = d.number(kTimedOut);
           });
      sink(from == queued ? "futex_wake(): takes a waiter off"
                          : "futex_wake(): takes a moved waiter off",
           Kind::normal, s[lock] == kWake && s[from] > 0, [&, from](Next& t) {
             t[from] = s[from] - 1;
             t[lock] = d.number(kWoken);
           });
    }
    sink(told(K::unqueue_count, "futex_unqueue(): futex_hb_waiters_dec()",
              "futex_unqueue(): the count stays as it is"),
         Kind::normal, s[lock] == kTimedOut, [&](Next& t) { uncount(t, kUnlock); });
    sink(told(K::unqueue_count, "futex_wake(): futex_hb_waiters_dec()",
              "futex_wake(): the count stays as it is"),
         Kind::normal, s[lock] == kWoken, [&](Next& t) { uncount(t, kWake); });
    sink(told(K::rehash_waiters, "futex_rehash_private(): counts a waiter that comes here",
              "futex_rehash_private(): a waiter comes here and is not counted"),
         Kind::normal, s[lock] == kFree, [&](Next& t) {
           if (!without(K::rehash_waiters)) t[count] = s[count] + 1;
           t[lock] = d.number(kMove);
         });
    sink("futex_rehash_private(): queues it", Kind::normal, s[lock] == kMove, [&](Next& t) {
      t[moved] = s[moved] + 1;
      t[lock] = d.number(kUnlock);
    });
  }

  template <class D, class Sink>
  void waking(const D& d, const State<D>& s, Sink& sink) const {
    using Next = State<D>;
    sink("a waker changes the word", Kind::normal, d.truth(true), [&](Next& t) {
      t[word] = d.number(1);
      t[stored] = s[stored] + 1;
    });
    sink("somebody gives the word its value back", Kind::normal, s[word] == 1,
         [&](Next& t) { t[word] = d.number(0); });
    if (!without(K::wake_pending)) {
      sink("futex_hb_waiters_pending(): none", Kind::normal, s[stored] > 0 && s[count] == 0,
           [&](Next& t) { t[stored] = s[stored] - 1; });
    }
    sink("futex_hb_waiters_pending(): some", Kind::normal,
         s[stored] > 0 && (without(K::wake_pending) ? d.truth(true) : !(s[count] == 0)),
         [&](Next& t) {
           t[stored] = s[stored] - 1;
           t[decided] = s[decided] + 1;
         });
    sink("futex_wake(): spin_lock()", Kind::normal, s[lock] == kFree && s[decided] > 0,
         [&](Next& t) {
           t[decided] = s[decided] - 1;
           t[lock] = d.number(kWake);
         });
    sink("futex_wake(): no waiter is left", Kind::normal,
         s[lock] == kWake && s[queued] + s[moved] == 0,
         [&](Next& t) { t[lock] = d.number(kUnlock); });
  }

  Parameters parameters_;
};

}  // namespace futexmc::properties::proofs::count
