// SPDX-License-Identifier: GPL-2.0-or-later
//
// Locking and unlocking a PI word. Follows kernel/futex/pi.c: futex_lock_pi, wake_futex_pi,
// __futex_unlock_pi.
#include "model/futex/pi.hpp"
#include "model/kernel/alloc.hpp"
#include "model/variant.hpp"

namespace futexmc::model {

void handoff_get_base(futex_q& q, futex_hash_bucket& hb, const futex_key& key) {
  if (!seams().has_private_hash) return;
  Scope scope("futex_unlock_pi");
  if (!futex_key_is_private(key) || knocked(Knockout::pi_handoff)) return;
  futex_private_hash* const fph = futex_private_hash_of(*machine.mm);
  checker::announce(checker::under(hb.lock.lock, checker::operation(
      "write", q.drop_fph, checker::Access::write, Order::plain, Loc::here())));
  q.drop_fph.poke(fph);
  if (fph != nullptr) note_handed_over(*fph, q.task.peek() - 1);
  checker::remember_done();
}

void handoff_put_base(futex_q& q) {
  if (seams().has_private_hash) futex_private_hash_put(read_immutable(q.drop_fph));
}

void lock_pi_put_base(futex_bucket_ref& hbr) {
  futex_private_hash_put(hbr.fph);
  hbr.fph = nullptr;
}

namespace {

/// With the entry queued and the bucket locked, which it unlocks: waits for the rt-mutex.
int wait_for_pi_mutex(futex_hash_bucket& hb, futex_pi_state& pi_state, rt_mutex_waiter& waiter,
                      hrtimer_sleeper* to) {
  Scope scope("futex_lock_pi");
  rt_mutex_base& pi_mutex = pi_state.pi_mutex;
  // Whoever finds the entry under the bucket lock then finds the waiter under wait_lock.
  if (knocked(Knockout::pi_lock_handover)) {
    spin_unlock(hb.lock);
    spin_lock(pi_mutex.wait_lock);
  } else {
    spin_lock(pi_mutex.wait_lock);
    spin_unlock(hb.lock);
  }
  int ret = __rt_mutex_start_proxy_lock(pi_mutex, waiter, current_id());
  spin_unlock(pi_mutex.wait_lock);
  scope.at("started", ret);
  if (ret == 1) return scope.returns(0);
  if (ret == 0) {
    if (to != nullptr && !knocked(Knockout::pi_timer_start)) hrtimer_sleeper_start_expires(*to);
    ret = rt_mutex_wait_proxy_lock(pi_mutex, to, waiter);
    scope.at("waited", ret);
  }
  const bool cleanup = ret != 0 && !knocked(Knockout::pi_cleanup);
  if (cleanup && !rt_mutex_cleanup_proxy_lock(pi_mutex, waiter)) ret = 0;
  return scope.returns(ret);
}

/// With the bucket locked and the pi_state attached: the rest.
int block_on_pi_mutex(UserWord& word, futex_q& q, class_hbr& hbr, hrtimer_sleeper* to,
                      bool trylock) {
  Scope scope("futex_lock_pi");
  futex_hash_bucket& hb = *hbr.hb();
  futex_pi_state& pi_state = *q.pi_state.peek();
  checker::recall(checker::to_word(&pi_state));
  __futex_queue(q, hb);
  scope.at("queued", hbr.hb(), hbr.fph(), &pi_state);
  int ret = 0;
  if (trylock) {
    ret = rt_mutex_futex_trylock(pi_state.pi_mutex) ? 0 : -EWOULDBLOCK;
  } else {
    // A resize must not wait for one who sleeps. The bucket stays while its lock is held: who
    // replaces the table will want that.
    if (knocked(Knockout::pi_put_unlocked)) spin_unlock(hb.lock);
    if (!knocked(Knockout::pi_put_early)) hbr.lock_pi_put();
    if (knocked(Knockout::pi_put_unlocked)) spin_lock(hb.lock);
    scope.at("put", hbr.hb(), hbr.fph(), &pi_state);
    ret = wait_for_pi_mutex(hb, pi_state, *machine.rt_waiter[checker::rt.current_id], to);
    scope.at("waited", hbr.hb(), hbr.fph(), ret);
    futex_q_lockptr_lock(q);
  }
  const int res = fixup_pi_owner(word, q, ret == 0);
  if (res != 0) ret = res < 0 ? res : 0;
  scope.at("fixed", hbr.hb(), hbr.fph(), ret);
  futex_unqueue_pi(q);
  spin_unlock(*lock_ptr_under_lock(q));
  seams().handoff_put(q);
  return scope.returns(ret);
}

int lock_pi(UserWord& word, unsigned flags, futex_q& q, hrtimer_sleeper* to, bool trylock) {
  Scope scope("futex_lock_pi");
  const int invalid = check_address(word, flags);
  if (invalid != 0) return scope.returns(invalid);
  const futex_key key = get_futex_key(word, flags);
  q.key.poke(key);
  for (;;) {
    scope.at("retry");
    class_hbr hbr(key);
    futex_hash_bucket& hb = *hbr.hb();
    futex_q_lock(q, hb);
    const PiAttached attached = futex_lock_pi_atomic(word, hb, key, current_id(), false);
    scope.at("attached", hbr.hb(), hbr.fph(), attached.ret, attached.pi_state);
    if (attached.ret == 0) {
      warn_on(attached.pi_state == nullptr, "futex_lock_pi(): there is no pi_state");
      q.pi_state.poke(attached.pi_state);  // the entry is not queued yet
      return scope.returns(block_on_pi_mutex(word, q, hbr, to, trylock));
    }
    futex_q_unlock(hb);
    if (attached.ret == 1) return scope.returns(0);
    const bool again = attached.ret == -EFAULT ? fault_in_user_writeable(word) == 0
                                               : attached.ret == -EAGAIN;
    if (!again) return scope.returns(attached.ret);
  }
}

}  // namespace

int futex_lock_pi(UserWord& word, unsigned flags, bool timeout, bool trylock) {
  Scope scope("futex_lock_pi");
  seams().other_entry();
  if (!refill_pi_state_cache()) return scope.returns(-ENOMEM);
  current().futex_wait.poke(true);
  hrtimer_sleeper* const to = timeout ? &current().timeout : nullptr;
  if (to != nullptr) to->task.poke(true);  // futex_setup_timer()
  futex_q& q = *machine.q[checker::rt.current_id];
  begin_scope(q);
  rt_mutex_waiter& waiter = rt_mutex_init_waiter();
  int ret = lock_pi(word, flags, q, to, trylock);
  scope.at("done", ret);
  current().futex_wait.poke(false);
  end_scope(q);
  end_scope(waiter);
  if (to != nullptr) hrtimer_cancel(*to);
  if (ret == -EINTR) ret = -ERESTARTNOINTR;
  return scope.returns(ret);
}

namespace {

/// __futex_unlock_pi()'s own: begin again, with the word read anew.
constexpr int kRetry = 1;

/// With wait_lock held, which it drops: hands the lock to the first waiter.
int wake_futex_pi(UserWord& word, std::uint32_t uval, futex_pi_state& pi_state,
                  rt_mutex_waiter& top_waiter) {
  Scope scope("wake_futex_pi");
  rt_mutex_base& pi_mutex = pi_state.pi_mutex;
  const int new_owner = task_of_waiter(pi_mutex, top_waiter);
  const std::uint32_t newval = FUTEX_WAITERS | task_pid_vnr(new_owner);
  const std::int64_t before = futex_cmpxchg_value_locked(word, uval, newval);
  int ret = 0;
  if (before == kUserFault) {
    ret = -EFAULT;
  } else if (before != uval) {
    // Unless a waiter has just set its bit, somebody has meddled with the word.
    const bool waiters_set = (before & FUTEX_TID_MASK) == uval;
    ret = waiters_set && !knocked(Knockout::pi_unlock_again) ? -EAGAIN : -EINVAL;
  }
  scope.at("word", ret, new_owner);
  wake_q_head wake_q;
  bool postunlock = false;
  if (ret == 0) {
    if (!knocked(Knockout::pi_unlock_owner)) pi_state_update_owner(pi_state, new_owner);
    postunlock = __rt_mutex_futex_unlock(pi_mutex, wake_q);
  }
  scope.at("unlock", ret, postunlock, wake_q.identity());
  spin_unlock(pi_mutex.wait_lock);
  if (postunlock) rt_mutex_postunlock(wake_q);
  return scope.returns(ret);
}

/// There are no waiters, and who is about to be one waits for the bucket lock.
int unlock_without_waiters(UserWord& word, std::uint32_t uval) {
  Scope scope("futex_unlock_pi");
  if (knocked(Knockout::pi_unlock_cmpxchg)) {
    checker::store(word, 0, Order::full);
    return scope.returns(0);
  }
  const std::int64_t before = futex_cmpxchg_value_locked(word, uval, 0);
  if (before == kUserFault) return scope.returns(-EFAULT);
  return scope.returns(before == uval ? 0 : -EAGAIN);
}

/// With the bucket locked, and a waiter in it: unlocks it.
int unlock_to(UserWord& word, std::uint32_t uval, futex_hash_bucket& hb, futex_pi_state& pi_state,
              rt_mutex_waiter& waiter) {
  Scope scope("futex_unlock_pi");
  if (!knocked(Knockout::pi_unlock_ref)) get_pi_state(pi_state);
  spin_unlock(hb.lock);
  const int ret = wake_futex_pi(word, uval, pi_state, waiter);
  scope.at("woken", ret);
  if (!knocked(Knockout::pi_unlock_ref)) put_pi_state(&pi_state);
  return scope.returns(ret == -EAGAIN ? kRetry : ret);
}

/// With the bucket locked, which it unlocks.
int unlock_in(UserWord& word, std::uint32_t uval, const futex_key& key, futex_hash_bucket& hb) {
  Scope scope("futex_unlock_pi");
  const checker::Lock& lock = hb.lock.lock;
  for (;;) {
    scope.at("retry_hb");
    futex_q* const top_waiter = futex_top_waiter(hb, key);
    scope.at("top", top_waiter);
    if (top_waiter == nullptr) {
      const int ret = unlock_without_waiters(word, uval);
      spin_unlock(hb.lock);
      return scope.returns(ret);
    }
    futex_pi_state* const pi_state = checker::load_under(lock, top_waiter->pi_state);
    const bool mine = pi_state != nullptr && (knocked(Knockout::pi_unlock_mine) ||
                                              pi_state_is_mine(*pi_state));
    if (!mine) {  // no PI word's waiter, or the word lies
      spin_unlock(hb.lock);
      return scope.returns(-EINVAL);
    }
    scope.at("lock", top_waiter, pi_state);
    spin_lock(pi_state->pi_mutex.wait_lock);
    rt_mutex_waiter* const waiter = rt_mutex_top_waiter(pi_state->pi_mutex);
    if (waiter != nullptr) return scope.returns(unlock_to(word, uval, hb, *pi_state, *waiter));
    // The waiter is on its way out. Nobody must find its pi_state any more, and it has to find its
    // bucket.
    scope.at("leaving", top_waiter, pi_state);
    if (knocked(Knockout::pi_unlock_leaving)) {
      spin_unlock(pi_state->pi_mutex.wait_lock);
      const int ret = unlock_without_waiters(word, uval);
      spin_unlock(hb.lock);
      return scope.returns(ret);
    }
    seams().handoff_get(*top_waiter, hb, key);
    __futex_unqueue(*top_waiter);
    spin_unlock(pi_state->pi_mutex.wait_lock);
  }
}

}  // namespace

int futex_unlock_pi(UserWord& word, unsigned flags) {
  Scope scope("futex_unlock_pi");
  seams().other_entry();
  for (;;) {
    scope.at("retry");
    const std::int64_t value = get_user(word);
    if (value == kUserFault) return scope.returns(-EFAULT);
    const auto uval = static_cast<std::uint32_t>(value);
    const bool named = (uval & FUTEX_TID_MASK) == task_pid_vnr(current_id());
    if (!named && !knocked(Knockout::pi_unlock_perm)) return scope.returns(-EPERM);
    if (knocked(Knockout::pi_unlock_blind) && (uval & FUTEX_WAITERS) == 0) {
      checker::store(word, 0, Order::full);
      return scope.returns(0);
    }
    const int invalid = check_address(word, flags);
    if (invalid != 0) return scope.returns(invalid);
    const futex_key key = get_futex_key(word, flags);
    class_hbr hbr(key);
    scope.at("found", uval, hbr.hb(), hbr.fph());
    futex_hash_bucket& hb = *hbr.hb();
    spin_lock(hb.lock);
    const int ret = unlock_in(word, uval, key, hb);
    scope.at("tried", hbr.hb(), hbr.fph(), ret);
    const bool again = ret == -EFAULT ? fault_in_user_writeable(word) == 0 : ret == kRetry;
    if (!again) return scope.returns(ret);
  }
}

}  // namespace futexmc::model
