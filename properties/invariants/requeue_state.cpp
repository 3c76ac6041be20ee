// SPDX-License-Identifier: GPL-2.0-or-later
//
// requeue-state: a waiter of FUTEX_WAIT_REQUEUE_PI and its state, while no bucket is locked.
#include <algorithm>

#include "model/futex/requeue_pi.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's

namespace {

/// What is wrong with the waiter, or null.
const char* wrong_with(const futex_q& q, bool in_tree) {
  const bool moved = q.key.peek() == q.requeue_pi_key.peek();
  switch (q.requeue_state.peek()) {
    case Q_REQUEUE_PI_IN_PROGRESS:
    case Q_REQUEUE_PI_WAIT: return " is left in the middle of a requeue";
    case Q_REQUEUE_PI_DONE:
      if (is_queued(q) && !moved) return " has been requeued and is on the first word";
      return is_queued(q) && q.pi_state.peek() == nullptr ? " has been requeued without a pi_state"
                                                          : nullptr;
    case Q_REQUEUE_PI_LOCKED:
      if (in_tree) return " has the lock and is queued for it";
      return is_queued(q) ? " has the lock and is on a chain" : nullptr;
    default:
      if (is_queued(q) && moved) return " has not been requeued and is on the second word";
      return in_tree ? " has not been requeued and is queued for the lock" : nullptr;
  }
}

}  // namespace

bool requeue_state(checker::Monitor& monitor) {
  const auto buckets = all_buckets();
  if (std::any_of(buckets.begin(), buckets.end(),
                  [](const auto* hb) { return hb->lock.lock.owner() != 0; })) {
    return false;
  }
  bool any = false;
  for (int task = 0; task < machine.user_tasks; ++task) {
    const auto id = static_cast<std::size_t>(task);
    const futex_q& q = *machine.q[id];
    if (!is_live(&q) || q.requeue_pi_key.peek().word == 0) continue;
    any = true;
    const rt_mutex_waiter& waiter = *machine.rt_waiter[id];
    const bool in_tree = is_live(&waiter) && waiter.tree.queued.peek();
    if (const char* const wrong = wrong_with(q, in_tree)) {
      monitor.violation("requeue-state", thread_name(task) + wrong);
    }
  }
  return any;
}

}  // namespace futexmc::properties
