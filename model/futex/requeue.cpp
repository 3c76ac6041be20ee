// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moving waiters from one word to another. Follows kernel/futex/requeue.c: requeue_futex,
// futex_requeue; futex.h: double_lock_hb, double_unlock_hb.
//
// Invariants
//  1. An entry changes chain, lock_ptr and key under the locks of both buckets.
//  2. The target bucket counts one waiter more from before the first word is compared until after
//     the entries are on its chain: a waker that changes that word, and then wakes the target, does
//     not miss them.
#include <functional>
#include <utility>

#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {

void double_lock_hb(futex_hash_bucket& hb1, futex_hash_bucket& hb2) {
  Scope scope("double_lock_hb");
  futex_hash_bucket* first = &hb1;
  futex_hash_bucket* second = &hb2;
  // Whoever takes two bucket locks takes them in the same order.
  if (std::greater<>()(first, second) && !knocked(Knockout::double_lock_order)) {
    std::swap(first, second);
  }
  spin_lock(first->lock);
  if (first != second || knocked(Knockout::double_lock_same)) spin_lock(second->lock);
}

void double_unlock_hb(futex_hash_bucket& hb1, futex_hash_bucket& hb2) {
  Scope scope("double_unlock_hb");
  spin_unlock(hb1.lock);
  if (&hb1 != &hb2) spin_unlock(hb2.lock);
}

void requeue_futex(futex_q& q, futex_hash_bucket& hb1, futex_hash_bucket& hb2,
                   const futex_key& key2) {
  Scope scope("requeue_futex");
  if (&hb1 != &hb2 || knocked(Knockout::requeue_same_bucket)) {
    plist_del(q.list, hb1.lock.lock);
    if (!knocked(Knockout::requeue_uncount)) futex_hb_waiters_dec(hb1);
    if (!knocked(Knockout::requeue_waiters)) futex_hb_waiters_inc(hb2);
    chain_add(q, hb2, false);
    if (!knocked(Knockout::requeue_lock_ptr)) write_plain(q.lock_ptr, &hb2.lock);
  }
  if (!knocked(Knockout::requeue_key)) checker::store_under(hb2.lock.lock, q.key, key2);
}

namespace {

void lock_buckets(futex_hash_bucket& hb1, futex_hash_bucket& hb2) {
  if (knocked(Knockout::requeue_target_lock)) spin_lock(hb1.lock);
  else double_lock_hb(hb1, hb2);
}

void unlock_buckets(futex_hash_bucket& hb1, futex_hash_bucket& hb2) {
  if (knocked(Knockout::requeue_target_lock)) spin_unlock(hb1.lock);
  else double_unlock_hb(hb1, hb2);
}

/// What has become of the waiters so far. Lives on the caller's stack.
struct Progress {
  wake_q_head wake_q;
  int task_count = 0;
  int error = 0;  ///< 0 or -EINVAL, which ends it
};

std::uint64_t summary(const Progress& progress) {
  return static_cast<std::uint64_t>(progress.error != 0 ? progress.error : progress.task_count);
}

// One waiter of the chain: woken or moved if it waits on the first word.
void wake_or_requeue(futex_q& q, futex_hash_bucket& hb1, futex_hash_bucket& hb2,
                     const futex_key& key1, const futex_key& key2, int nr_wake,
                     Progress& progress) {
  Scope scope("futex_requeue");
  const bool match = futex_match(checker::load_under(hb1.lock.lock, q.key), key1);
  if (!match && !knocked(Knockout::requeue_match)) return;
  if (is_pi_waiter(q, hb1.lock.lock)) {
    progress.error = -EINVAL;
  } else if (++progress.task_count <= nr_wake) {
    futex_wake_mark(progress.wake_q, q, hb1.lock.lock);
  } else {
    requeue_futex(q, hb1, hb2, key2);
  }
  scope.returns(progress.wake_q.identity(), summary(progress));
}

// 0, -EAGAIN if the word does not hold what it must, or -EFAULT.
int compare(const UserWord& word, std::uint32_t cmpval) {
  bool differs = false;
  if (!get_user_inatomic(word, cmpval, differs)) return -EFAULT;
  return differs && !knocked(Knockout::requeue_cmp) ? -EAGAIN : 0;
}

// With both locks held.
void requeue_chain(futex_hash_bucket& hb1, futex_hash_bucket& hb2, const futex_key& key1,
                   const futex_key& key2, int nr_wake, int nr_requeue, Progress& progress) {
  Scope scope("futex_requeue");
  const bool limited = !knocked(Knockout::requeue_limit);
  list_head* at = checker::load_under(hb1.lock.lock, hb1.chain.next);
  for (;;) {
    scope.at("chain", at, progress.wake_q.identity(), summary(progress));
    if (at == &hb1.chain || progress.error != 0) break;
    list_head* const next = checker::load_under(hb1.lock.lock, linked(at).next);
    if (limited && progress.task_count - nr_wake >= nr_requeue) break;
    wake_or_requeue(entry_of(linked(at)), hb1, hb2, key1, key2, nr_wake, progress);
    at = next;
  }
  scope.returns(progress.wake_q.identity(), summary(progress));
}

}  // namespace

int futex_requeue(UserWord& word1, unsigned flags1, UserWord& word2, unsigned flags2, int nr_wake,
                  int nr_requeue, const std::uint32_t* cmpval) {
  Scope scope("futex_requeue");
  const bool negative = nr_wake < 0 || nr_requeue < 0;
  if (negative && !knocked(Knockout::requeue_negative)) return scope.returns(-EINVAL);
  seams().other_entry();
  for (const int invalid : {check_address(word1, flags1), check_address(word2, flags2)}) {
    if (invalid != 0) return scope.returns(invalid);
  }
  const futex_key key1 = get_futex_key(word1, flags1);
  const futex_key key2 = get_futex_key(word2, flags2);
  Progress progress;
  int ret = 0;
  for (bool again = true; again;) {
    scope.at("retry");
    class_hbr hbr1(key1);
    scope.at("first", hbr1.hb(), hbr1.fph());
    class_hbr hbr2(key2);
    futex_hash_bucket& hb1 = *hbr1.hb();
    futex_hash_bucket& hb2 = *hbr2.hb();
    scope.at("found", &hb1, hbr1.fph(), &hb2, hbr2.fph());
    if (knocked(Knockout::requeue_refs)) {
      hbr1.put();
      hbr2.put();
    }
    // Before anything is looked at: a waker of the target does not take the lock for nobody.
    const bool counted = !knocked(Knockout::requeue_count);
    if (counted) futex_hb_waiters_inc(hb2);
    lock_buckets(hb1, hb2);
    ret = cmpval != nullptr ? compare(word1, *cmpval) : 0;
    again = ret == -EFAULT;
    scope.at("compared", ret, &hb1, hbr1.fph(), &hb2, hbr2.fph());
    if (ret == 0) {
      requeue_chain(hb1, hb2, key1, key2, nr_wake, nr_requeue, progress);
      ret = progress.error;
    }
    const bool uncounted = again ? !knocked(Knockout::requeue_fault_uncount)
                                 : !knocked(Knockout::requeue_early_uncount);
    if (counted && uncounted) futex_hb_waiters_dec(hb2);
    unlock_buckets(hb1, hb2);
    if (again) {
      get_user_differs(word1, *cmpval);  // brings the page in
      again = is_mapped(word1);
    }
    scope.at("unlocked", ret, again, hbr1.fph(), hbr2.fph(), &hb1, &hb2, progress.wake_q.identity(),
             progress.task_count);
  }
  scope.at("wake", ret, progress.wake_q.identity(), progress.task_count);
  wake_up_q(progress.wake_q);
  return scope.returns(ret != 0 ? ret : progress.task_count);
}

}  // namespace futexmc::model
