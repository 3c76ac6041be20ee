// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moving waiters from a plain word to a PI word, on whose rt-mutex they then wait. Follows
// kernel/futex/requeue.c: futex_proxy_trylock_atomic, requeue_pi_wake_futex, and futex_requeue()
// with requeue_pi set.
#include "model/futex/requeue_pi.hpp"
#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// Wakes a waiter that has the lock already. With both buckets locked.
void requeue_pi_wake_futex(futex_q& q, const futex_key& key, futex_hash_bucket& hb1,
                           futex_hash_bucket& hb2) {
  Scope scope("requeue_pi_wake_futex");
  checker::store_under(hb1.lock.lock, q.key, key);
  __futex_unqueue(q);
  warn_on(checker::load_under(hb1.lock.lock, q.rt_waiter) == nullptr,
          "requeue_pi_wake_futex(): there is no rt_waiter");
  checker::store_under(hb1.lock.lock, q.rt_waiter, nullptr);
  // It finds its bucket by lock_ptr, and is on no chain that a pivot would move.
  if (!knocked(Knockout::rq_handoff)) seams().handoff_get(q, hb2, key);
  write_plain(q.lock_ptr, &hb2.lock);
  const int task = checker::load_under(hb1.lock.lock, q.task) - 1;
  scope.at("task", task);
  futex_requeue_pi_complete(q, 1);  // from here on it may return
  wake_up_process(task);
}

bool is_requeue_pi_waiter(const futex_q& q, const checker::Lock& lock) {
  if (checker::load_under(lock, q.rt_waiter) == nullptr) return false;
  return knocked(Knockout::rq_twice) ||
         checker::load_as(q.pi_state, Order::plain,
                          [](futex_pi_state* pi_state) { return pi_state == nullptr; });
}

PiAttached attached(Scope& scope, int ret, futex_pi_state* pi_state = nullptr) {
  scope.returns(static_cast<std::uint64_t>(ret), checker::to_word(pi_state));
  return {ret, pi_state};
}

/// What both buckets' locks protect while waiters are moved.
struct Buckets {
  futex_hash_bucket& hb1;
  futex_hash_bucket& hb2;
  const futex_key& key1;
  const futex_key& key2;
};

PiAttached futex_proxy_trylock_atomic(UserWord& pifutex, const Buckets& on, bool set_waiters) {
  Scope scope("futex_proxy_trylock_atomic");
  const checker::Lock& lock = on.hb1.lock.lock;
  if (futex_get_value_locked(pifutex) == kUserFault) return attached(scope, -EFAULT);
  scope.at("read");
  futex_q* const top_waiter = futex_top_waiter(on.hb1, on.key1);
  if (top_waiter == nullptr) return attached(scope, 0);
  scope.at("top", top_waiter);
  if (!is_requeue_pi_waiter(*top_waiter, lock)) return attached(scope, -EINVAL);
  if (!futex_match(checker::load_under(lock, top_waiter->requeue_pi_key), on.key2) &&
      !knocked(Knockout::rq_target)) {
    return attached(scope, -EINVAL);
  }
  if (!futex_requeue_pi_prepare(*top_waiter, nullptr)) {
    // The retry must not meet it again: it may have to wait for this task's CPU.
    if (!knocked(Knockout::rq_leaving)) {
      plist_del(top_waiter->list, lock);
      futex_hb_waiters_dec(on.hb1);
    }
    return attached(scope, -EAGAIN);
  }
  const int task = checker::load_under(lock, top_waiter->task) - 1;
  scope.at("prepared", top_waiter, task);
  const PiAttached result = futex_lock_pi_atomic(pifutex, on.hb2, on.key2, task, set_waiters);
  if (result.ret == 1) {
    requeue_pi_wake_futex(*top_waiter, on.key2, on.hb1, on.hb2);
  } else if (result.ret < 0 && !knocked(Knockout::rq_rewind)) {
    futex_requeue_pi_complete(*top_waiter, result.ret);
  }
  return attached(scope, result.ret, result.pi_state);
}

/// One waiter on the first word, which is about to wait on the second: 1, 0 or an error as
/// rt_mutex_start_proxy_lock() gives it. Positive kSkip: it is on its way out.
constexpr int kSkip = 2;

int requeue_waiter(futex_q& q, const Buckets& on, futex_pi_state* pi_state) {
  Scope scope("futex_requeue");
  const checker::Lock& lock = on.hb1.lock.lock;
  if (!is_requeue_pi_waiter(q, lock)) return scope.returns(-EINVAL);
  if (!futex_match(checker::load_under(lock, q.requeue_pi_key), on.key2) &&
      !knocked(Knockout::rq_target)) {
    return scope.returns(-EINVAL);
  }
  if (pi_state == nullptr) checker::fault("lifetime", {"futex_requeue() uses a NULL pi_state"});
  get_pi_state(*pi_state);
  if (!futex_requeue_pi_prepare(q, pi_state)) {
    put_pi_state(pi_state);
    return scope.returns(kSkip);
  }
  rt_mutex_waiter& waiter = *checker::load_under(lock, q.rt_waiter);
  const int task = checker::load_under(lock, q.task) - 1;
  scope.at("start", &waiter, task);
  const int ret = rt_mutex_start_proxy_lock(pi_state->pi_mutex, waiter, task);
  if (ret == 1) {
    requeue_pi_wake_futex(q, on.key2, on.hb1, on.hb2);
  } else if (ret == 0) {
    if (knocked(Knockout::rq_complete_last)) futex_requeue_pi_complete(q, 0);
    requeue_futex(q, on.hb1, on.hb2, on.key2);
    if (!knocked(Knockout::rq_complete_last)) futex_requeue_pi_complete(q, 0);
  } else {
    // It would wait for itself.
    write_plain(q.pi_state, nullptr);
    put_pi_state(pi_state);
    if (!knocked(Knockout::rq_rewind)) futex_requeue_pi_complete(q, ret);
  }
  return scope.returns(ret);
}

/// With both buckets locked. The number woken and moved is `task_count`; the result is the last
/// one's, or 0.
int requeue_chain(const Buckets& on, futex_pi_state* pi_state, int nr_wake, int nr_requeue,
                  int& task_count) {
  Scope scope("futex_requeue");
  const checker::Lock& lock = on.hb1.lock.lock;
  list_head* at = checker::load_under(lock, on.hb1.chain.next);
  int ret = 0;
  for (;;) {
    scope.at("chain", at, task_count, ret);
    if (at == &on.hb1.chain || task_count - nr_wake >= nr_requeue) break;
    list_head* const next = checker::load_under(lock, linked(at).next);
    futex_q& q = entry_of(linked(at));
    at = next;
    if (!futex_match(checker::load_under(lock, q.key), on.key1)) continue;
    const int moved = requeue_waiter(q, on, pi_state);
    if (moved == kSkip) continue;
    ret = moved;
    if (ret < 0) break;
    ++task_count;
  }
  scope.returns(static_cast<std::uint64_t>(ret), static_cast<std::uint64_t>(task_count));
  return ret;
}

/// With both buckets locked: the word's test, the lock for the first waiter, the others.
int requeue_pi(UserWord& word1, UserWord& word2, const Buckets& on, int nr_wake, int nr_requeue,
               std::uint32_t cmpval, int& task_count) {
  Scope scope("futex_requeue");
  const std::int64_t value = futex_get_value_locked(word1);
  if (value == kUserFault) return scope.returns(kFirstFaulted);
  if (value != cmpval) return scope.returns(kDiffers);
  scope.at("compared");
  const PiAttached first = futex_proxy_trylock_atomic(word2, on, nr_requeue > 0);
  scope.at("first", first.ret, first.pi_state);
  if (first.ret < 0) return scope.returns(first.ret);
  task_count = first.ret;
  const int ret = requeue_chain(on, first.pi_state, nr_wake, nr_requeue, task_count);
  scope.at("moved", ret, task_count, first.pi_state);
  if (!knocked(Knockout::rq_put)) put_pi_state(first.pi_state);
  scope.returns(static_cast<std::uint64_t>(ret), static_cast<std::uint64_t>(task_count));
  return ret;
}

}  // namespace

int futex_cmp_requeue_pi(UserWord& word1, UserWord& word2, unsigned flags, int nr_wake,
                         int nr_requeue, std::uint32_t cmpval) {
  Scope scope("futex_requeue");
  if (nr_wake < 0 || nr_requeue < 0) return scope.returns(-EINVAL);
  seams().other_entry();
  const bool same = !knocked(Knockout::rq_same);
  if (&word1 == &word2 && same) return scope.returns(-EINVAL);
  if (nr_wake != 1) return scope.returns(-EINVAL);
  if (!refill_pi_state_cache()) return scope.returns(-ENOMEM);
  for (UserWord* const word : {&word1, &word2}) {
    const int invalid = check_address(*word, flags);
    if (invalid != 0) return scope.returns(invalid);
  }
  const futex_key key1 = get_futex_key(word1, flags);
  const futex_key key2 = get_futex_key(word2, flags);
  for (;;) {
    scope.at("retry");
    class_hbr hbr1(key1);
    scope.at("first", hbr1.hb(), hbr1.fph());
    class_hbr hbr2(key2);
    const Buckets on{*hbr1.hb(), *hbr2.hb(), key1, key2};
    scope.at("found", &on.hb1, hbr1.fph(), &on.hb2, hbr2.fph());
    futex_hb_waiters_inc(on.hb2);
    double_lock_hb(on.hb1, on.hb2);
    int task_count = 0;
    const int ret = requeue_pi(word1, word2, on, nr_wake, nr_requeue, cmpval, task_count);
    scope.at("done", &on.hb1, hbr1.fph(), &on.hb2, hbr2.fph(), ret, task_count);
    futex_hb_waiters_dec(on.hb2);
    double_unlock_hb(on.hb1, on.hb2);
    scope.at("unlocked", &on.hb1, hbr1.fph(), &on.hb2, hbr2.fph(), ret, task_count);
    bool again = ret == -EAGAIN;
    if (ret == kFirstFaulted) {
      get_user(word1);
      again = is_mapped(word1);
    } else if (ret == -EFAULT) {
      again = fault_in_user_writeable(word2) == 0;
    }
    if (again) continue;
    if (ret == kFirstFaulted) return scope.returns(-EFAULT);
    if (ret == kDiffers) return scope.returns(-EAGAIN);
    // That the last waiter got the lock at once gives 1, whatever the number: so does the kernel.
    return scope.returns(ret != 0 ? ret : task_count);
  }
}

}  // namespace futexmc::model
