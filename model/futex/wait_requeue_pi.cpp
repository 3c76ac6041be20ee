// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting on a plain word to own a PI word. Follows kernel/futex/requeue.c:
// handle_early_requeue_pi_wakeup, futex_wait_requeue_pi.
#include "model/futex/requeue_pi.hpp"
#include "model/kernel/alloc.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// Woken before anybody moved it: leaves the first word.
int early_wakeup(futex_q& q, hrtimer_sleeper* timeout) {
  Scope scope("handle_early_requeue_pi_wakeup");
  const futex_key key = read_plain(q.key);
  scope.at("key", key);
  const class_hbr hbr(key);
  futex_hash_bucket& hb = *hbr.hb();
  scope.at("found", hbr.hb(), hbr.fph());
  spin_lock(hb.lock);
  warn_on(lock_ptr_under_lock(q) != &hb.lock,
          "handle_early_requeue_pi_wakeup(): the bucket is not the waiter's");
  const bool queued = checker::load_under_as(hb.lock.lock, q.list.next,
                                             [&q](list_head* next) { return next != &q.list; });
  if (queued || knocked(Knockout::rq_early_test)) {
    plist_del(q.list, hb.lock.lock);
    futex_hb_waiters_dec(hb);
  }
  int ret = -EWOULDBLOCK;  // spuriously, for all that is known
  if (timeout != nullptr && !read_plain(timeout->task)) ret = -ETIMEDOUT;
  else if (signal_pending()) ret = -ERESTARTNOINTR;
  scope.at("unlock", hbr.hb(), hbr.fph(), ret);
  spin_unlock(hb.lock);
  return scope.returns(ret);
}

/// The requeuer took the lock for it. If it was stolen, word and pi_state still name another.
int locked_by_requeue(UserWord& word2, futex_q& q) {
  Scope scope("futex_wait_requeue_pi");
  futex_pi_state* const pi_state = read_plain(q.pi_state);
  if (pi_state == nullptr || pi_state_is_mine(*pi_state)) return scope.returns(0);
  scope.at("fix", pi_state);
  futex_q_lockptr_lock(q);
  const int ret = knocked(Knockout::rq_fixup) ? 1 : fixup_pi_owner(word2, q, true);
  scope.at("fixed", ret, pi_state);
  put_pi_state(pi_state);
  spin_unlock(*lock_ptr_under_lock(q));
  return scope.returns(ret < 0 ? ret : 0);
}

/// The requeuer has queued it for the lock.
int wait_for_lock(UserWord& word2, futex_q& q, hrtimer_sleeper* to) {
  Scope scope("futex_wait_requeue_pi");
  futex_pi_state* const pi_state = read_plain(q.pi_state);
  if (pi_state == nullptr) checker::fault("lifetime", {"futex_wait_requeue_pi() uses a NULL "
                                                       "pi_state"});
  scope.at("wait", pi_state);
  rt_mutex_waiter& waiter = *machine.rt_waiter[checker::rt.current_id];
  int ret = rt_mutex_wait_proxy_lock(pi_state->pi_mutex, to, waiter);
  scope.at("waited", pi_state, ret);
  if (ret != 0 && !rt_mutex_cleanup_proxy_lock(pi_state->pi_mutex, waiter)) ret = 0;
  scope.at("cleaned", pi_state, ret);
  futex_q_lockptr_lock(q);
  const int res = fixup_pi_owner(word2, q, ret == 0);
  if (res != 0) ret = res < 0 ? res : 0;
  scope.at("fixed", ret);
  futex_unqueue_pi(q);
  spin_unlock(*lock_ptr_under_lock(q));
  // The call cannot be made again: the word has changed.
  return scope.returns(ret == -EINTR ? -EWOULDBLOCK : ret);
}

int wait_requeue_pi(UserWord& word, unsigned flags, std::uint32_t val, futex_q& q,
                    hrtimer_sleeper* to, UserWord& word2) {
  Scope scope("futex_wait_requeue_pi");
  const int invalid = check_address(word2, flags);
  if (invalid != 0) return scope.returns(invalid);
  const futex_key key2 = get_futex_key(word2, flags);
  q.rt_waiter.poke(machine.rt_waiter[checker::rt.current_id]);
  q.requeue_pi_key.poke(key2);
  const bool differ = !knocked(Knockout::rq_same);
  const int ret = futex_wait_setup(word, flags, val, q, differ ? &key2 : nullptr);
  if (ret != 0) return scope.returns(ret);
  scope.at("wait");
  futex_do_wait(q, to);
  int result = 0;
  switch (seams().requeue_pi_wakeup_sync(q)) {
    case Q_REQUEUE_PI_IGNORE: result = early_wakeup(q, to); break;
    case Q_REQUEUE_PI_LOCKED: result = locked_by_requeue(word2, q); break;
    case Q_REQUEUE_PI_DONE: result = wait_for_lock(word2, q, to); break;
    default: warn_on(true, "futex_wait_requeue_pi(): the requeue is neither done nor off"); break;
  }
  scope.at("woken", result);
  seams().handoff_put(q);
  return scope.returns(result);
}

}  // namespace

int futex_wait_requeue_pi(UserWord& word, unsigned flags, std::uint32_t val, bool timeout,
                          UserWord& word2) {
  Scope scope("futex_wait_requeue_pi");
  if (&word == &word2 && !knocked(Knockout::rq_same)) return scope.returns(-EINVAL);
  current().futex_wait.poke(true);
  seams().other_entry();
  scope.at("entered");
  hrtimer_sleeper* const to = timeout ? &current().timeout : nullptr;
  if (to != nullptr) to->task.poke(true);  // futex_setup_timer()
  futex_q& q = *machine.q[checker::rt.current_id];
  begin_scope(q);
  rt_mutex_waiter& waiter = rt_mutex_init_waiter();
  const int ret = wait_requeue_pi(word, flags, val, q, to, word2);
  scope.at("done", ret);
  current().futex_wait.poke(false);
  end_scope(q);
  end_scope(waiter);
  if (to != nullptr) hrtimer_cancel(*to);
  return scope.returns(ret);
}

}  // namespace futexmc::model
