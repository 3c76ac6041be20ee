// SPDX-License-Identifier: GPL-2.0-or-later
//
// FUTEX_WAIT_REQUEUE_PI and FUTEX_CMP_REQUEUE_PI, and the state by which the two agree on who does
// what. Follows kernel/futex/requeue.c.
//
// A waiter sleeps on a plain word. The requeuer gives it the lock of the PI word, or queues it for
// that lock on its behalf; meanwhile it may wake by itself, for a timeout or a signal.
//
//   NONE -> IN_PROGRESS -> DONE, LOCKED      the requeuer's way
//   NONE -> IGNORE                           the waiter is leaving, the requeuer must let it be
//   IN_PROGRESS -> WAIT -> DONE, LOCKED, IGNORE   the waiter waits until the requeuer is done
//   IN_PROGRESS -> NONE                      the requeuer has failed
#pragma once

#include "model/futex/pi.hpp"

namespace futexmc::model {

enum : int {
  Q_REQUEUE_PI_NONE = 0,
  Q_REQUEUE_PI_IGNORE,
  Q_REQUEUE_PI_IN_PROGRESS,
  Q_REQUEUE_PI_WAIT,
  Q_REQUEUE_PI_DONE,
  Q_REQUEUE_PI_LOCKED,
};

// requeue_state.cpp
/// The requeuer begins; false if the waiter is leaving.
bool futex_requeue_pi_prepare(futex_q& q, futex_pi_state* pi_state);
/// The requeuer is done: `locked` is 1, 0 or an error.
void futex_requeue_pi_complete(futex_q& q, int locked);
/// The waiter, woken: IGNORE, DONE or LOCKED.
int futex_requeue_pi_wakeup_sync(futex_q& q);

// wait_requeue_pi.cpp
int futex_wait_requeue_pi(UserWord& word, unsigned flags, std::uint32_t val, bool timeout,
                          UserWord& word2);

// requeue_pi.cpp
/// Results that are the model's own: the first word faulted, or does not hold what it must.
inline constexpr int kFirstFaulted = -10000;
inline constexpr int kDiffers = -10001;
int futex_cmp_requeue_pi(UserWord& word1, UserWord& word2, unsigned flags, int nr_wake,
                         int nr_requeue, std::uint32_t cmpval);

}  // namespace futexmc::model
