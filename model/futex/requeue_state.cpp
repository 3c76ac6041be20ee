// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who has a waiter that is being moved: see requeue_pi.hpp.
#include "model/futex/requeue_pi.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// atomic_try_cmpxchg(): whether it was `old`, which otherwise is what it is.
bool try_cmpxchg(Cell<int>& state, int& old, int fresh, Order order = Order::full,
                 Loc loc = Loc::here()) {
  const int expected = old;
  old = checker::update(state, order, [expected, fresh](int& value) {
    const int before = value;
    if (before == expected) value = fresh;
    return before;
  }, "atomic_try_cmpxchg", loc);
  return old == expected;
}

}  // namespace

bool futex_requeue_pi_prepare(futex_q& q, futex_pi_state* pi_state) {
  Scope scope("futex_requeue_pi_prepare");
  int old = smp_load_acquire(q.requeue_state);
  do {
    scope.at("old", old);
    if (old == Q_REQUEUE_PI_IGNORE && !knocked(Knockout::rq_ignore)) return scope.returns(false);
    // The attempt to take the lock at once has begun already.
    if (old != Q_REQUEUE_PI_NONE) break;
  } while (!try_cmpxchg(q.requeue_state, old, Q_REQUEUE_PI_IN_PROGRESS));
  write_plain(q.pi_state, pi_state);
  return scope.returns(true);
}

void futex_requeue_pi_complete(futex_q& q, int locked) {
  Scope scope("futex_requeue_pi_complete");
  int old = smp_load_acquire(q.requeue_state);
  int fresh = 0;
  do {
    scope.at("old", old);
    if (old == Q_REQUEUE_PI_IGNORE) return;
    if (locked >= 0) {
      warn_on(old != Q_REQUEUE_PI_IN_PROGRESS && old != Q_REQUEUE_PI_WAIT,
              "futex_requeue_pi_complete(): the waiter is not being requeued");
      fresh = Q_REQUEUE_PI_DONE + locked;
    } else if (old == Q_REQUEUE_PI_IN_PROGRESS) {
      fresh = Q_REQUEUE_PI_NONE;
    } else {
      warn_on(old != Q_REQUEUE_PI_WAIT,
              "futex_requeue_pi_complete(): the waiter does not wait for the requeue");
      fresh = knocked(Knockout::rq_rewind_wait) ? int{Q_REQUEUE_PI_NONE} : int{Q_REQUEUE_PI_IGNORE};
    }
  } while (!try_cmpxchg(q.requeue_state, old, fresh,
                        knocked(Knockout::rq_release) ? Order::relaxed : Order::full));
}

int futex_requeue_pi_wakeup_sync(futex_q& q) {
  Scope scope("futex_requeue_pi_wakeup_sync");
  int old = checker::load(q.requeue_state,
                          knocked(Knockout::rq_acquire) ? Order::once : Order::acquire, Loc::here(),
                          "smp_load_acquire");
  int fresh = 0;
  do {
    scope.at("old", old);
    if (old >= Q_REQUEUE_PI_DONE) return scope.returns(old);
    fresh = old == Q_REQUEUE_PI_NONE ? int{Q_REQUEUE_PI_IGNORE} : int{Q_REQUEUE_PI_WAIT};
  } while (!try_cmpxchg(q.requeue_state, old, fresh));
  if (old == Q_REQUEUE_PI_IN_PROGRESS) {
    // A waiter that left now would take the pi_state, and its place in the queue, with it.
    if (knocked(Knockout::rq_wait)) return scope.returns(int{Q_REQUEUE_PI_IGNORE});
    checker::Operation op = checker::operation("atomic_cond_read_relaxed", q.requeue_state,
                                               checker::Access::read, Order::relaxed, Loc::here());
    op.guard = {.value = checker::to_word(int{Q_REQUEUE_PI_WAIT}),
                .cell = q.requeue_state.index(),
                .kind = checker::Guard::Kind::not_equal};
    checker::announce(op);
    checker::remember_done();
  }
  return scope.returns(checker::load(q.requeue_state, Order::relaxed, Loc::here(), "atomic_read"));
}

}  // namespace futexmc::model
