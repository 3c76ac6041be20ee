// SPDX-License-Identifier: GPL-2.0-or-later
//
// Not posted: what would mend the finding that a requeued waiter reads its pi_state unordered. The
// state that futex_requeue_pi_wakeup_sync() returns is read by an acquire, wherever it was seen.
#include "model/futex/requeue_pi.hpp"
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

int wakeup_sync_acquire(futex_q& q) {
  Scope scope("futex_requeue_pi_wakeup_sync");
  futex_requeue_pi_wakeup_sync(q);
  scope.at("settled");
  return scope.returns(smp_load_acquire(q.requeue_state));
}

}  // namespace

void apply_requeue_pi_acquire(Seams& seams) {
  seams.requeue_pi_wakeup_sync = &wakeup_sync_acquire;
}

}  // namespace futexmc::model
