// SPDX-License-Identifier: GPL-2.0-or-later
//
// Properties of waiters and the buckets they queue on: waiter-count, reachability, queued-sleeper.
#include <algorithm>

#include "model/kernel/sched.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's

namespace {

/// Of a task with several entries each must be queued: one that is not was taken off by a waker.
bool is_all_queued(std::size_t task) {
  const auto& entries = machine.waiters[task];
  return std::all_of(entries.begin(), entries.end(), [](const futex_q* q) {
    return q == nullptr || !is_live(q) || is_queued(*q);
  });
}

}  // namespace

bool waiter_count(checker::Monitor& monitor) {
  bool any = false;
  for (const futex_hash_bucket* hb : all_buckets()) {
    if (hb->lock.lock.owner() != 0) continue;
    auto at_least = static_cast<int>(chain_of(*hb).size());
    for (int task = 0; task < machine.user_tasks; ++task) {
      const futex_q* const q = machine.task[static_cast<std::size_t>(task)]->set_up.peek();
      at_least += q != nullptr && q->lock_ptr.peek() == &hb->lock;
    }
    any |= at_least != 0;
    if (hb->waiters.peek() < at_least) {
      monitor.violation("waiter-count", "a bucket counts fewer waiters than it has");
    }
  }
  return any;
}

// A count that stays too high only costs wakers the lock, until it wraps.
void waiter_count_left(const checker::FinalState& state, checker::Monitor& monitor) {
  if (state.any_faulted) return;
  for (const std::size_t task : state.blocked) {
    if (!is_live(machine.q[task]) || !is_all_queued(task)) return;
  }
  for (const futex_hash_bucket* hb : all_buckets()) {
    if (hb->waiters.peek() > static_cast<int>(chain_of(*hb).size())) {
      monitor.violation("waiter-count", "a bucket counts more waiters than it has");
    }
  }
}

bool reachability(checker::Monitor& monitor) {
  if (machine.mm->phash.rehashing.peek() != 0) return false;
  bool any = false;
  for_each_q([&](int task, const futex_q& q) {
    if (!is_live(&q) || !is_queued(q)) return;
    const futex_hash_bucket& hb = bucket_for(q.key.peek());
    const spinlock_t* const lock_ptr = q.lock_ptr.peek();
    if (hb.lock.lock.owner() != 0 || (lock_ptr != nullptr && lock_ptr->lock.owner() != 0)) return;
    any = true;
    const std::vector<const futex_q*> chain = chain_of(hb);
    if (std::find(chain.begin(), chain.end(), &q) == chain.end()) {
      monitor.violation("reachability", thread_name(task) + " is queued where no lookup finds it");
    } else if (lock_ptr != &hb.lock) {
      monitor.violation("reachability", "lock_ptr of " + thread_name(task) +
                                            " is not its bucket's lock");
    }
  });
  return any;
}

void queued_sleeper(checker::Monitor& monitor) {
  for (int task = 0; task < machine.user_tasks; ++task) {
    const checker::Thread& thread = checker::thread_record(static_cast<std::size_t>(task));
    if (thread.status == checker::Status::faulted) return;
    if (thread.status == checker::Status::ready && !asleep(task)) return;
  }
  for (int task = 0; task < machine.user_tasks; ++task) {
    const auto id = static_cast<std::size_t>(task);
    if (!asleep(task) || !machine.task[id]->futex_wait.peek()) continue;
    if (!is_live(machine.q[id]) || !is_all_queued(id)) {
      monitor.violation("queued-sleeper", thread_name(task) + " sleeps and is on no chain");
    }
  }
}

}  // namespace futexmc::properties
