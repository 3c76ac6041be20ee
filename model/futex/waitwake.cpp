// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting and waking. Follows kernel/futex/waitwake.c: futex_wake, __futex_wake_mark,
// futex_wake_mark, futex_do_wait, futex_wait_setup, __futex_wait, futex_wait.
//
// What must hold, with X the bucket's waiters and Y the futex word:
//
//   waiter: X = 1; MB (A); read Y        waker: Y = 1; MB (B); read X
//
// A waiter that does not see the new word is seen by the waker.
#include "model/kernel/alloc.hpp"
#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

void __futex_wake_mark(futex_q& q) {
  Scope scope("__futex_wake_mark");
  if (knocked(Knockout::wake_unlink_first)) {
    const checker::Lock& lock = q.lock_ptr.peek()->lock;
    futex_hash_bucket& hb = bucket_of(*q.lock_ptr.peek());
    smp_store_release(q.lock_ptr, nullptr);
    plist_del(q.list, lock);
    futex_hb_waiters_dec(hb);
    return;
  }
  __futex_unqueue(q);
  if (knocked(Knockout::wake_lock_ptr)) return;
  if (knocked(Knockout::wake_release)) return WRITE_ONCE(q.lock_ptr, nullptr);
  // From this store on the waiter may return, and its futex_q is gone.
  smp_store_release(q.lock_ptr, nullptr);
}

}  // namespace

void futex_wake_mark(wake_q_head& wake_q, futex_q& q, const checker::Lock& lock) {
  Scope scope("futex_wake_mark");
  int task = checker::load_under(lock, q.task) - 1;
  if (task < 0) checker::fault("lifetime", {"futex_wake_mark() wakes a NULL task"});
  const bool pi = is_pi_waiter(q, lock);
  if (machine.uses_pi) warn_on(pi, "__futex_wake_mark(): refusing to wake PI futex");
  if (pi) return;
  scope.at("task", task);
  __futex_wake_mark(q);
  if (knocked(Knockout::wake_no_touch)) task = read_plain(q.task) - 1;
  wake_q.add(task);
}

bool is_pi_waiter(const futex_q& q, const checker::Lock& lock) {
  if (!machine.uses_pi) return false;
  Scope scope("is_pi_waiter");
  if (checker::load_under(lock, q.rt_waiter) != nullptr) return scope.returns(true);
  return scope.returns(checker::load_under(lock, q.pi_state) != nullptr);
}

void futex_do_wait(futex_q& q, hrtimer_sleeper* timeout) {
  Scope scope("futex_do_wait");
  if (knocked(Knockout::wait_state_first)) set_current_state(TASK_INTERRUPTIBLE);
  const bool start = timeout != nullptr && !knocked(Knockout::timer_start);
  if (start) hrtimer_sleeper_start_expires(*timeout);
  // Somebody who has taken the entry off has tried to wake us already.
  if (!plist_node_empty(q.list) || knocked(Knockout::wait_list_test)) {
    if (knocked(Knockout::wait_state_late)) set_current_state(TASK_INTERRUPTIBLE);
    const bool timer_test = timeout != nullptr && !knocked(Knockout::wait_timer_test);
    if (!timer_test || read_plain(timeout->task)) schedule();
  }
  if (!knocked(Knockout::wait_running)) __set_current_state(TASK_RUNNING);
}

namespace {

// One waiter of the chain: wakes it if it matches, and says whether it did; -EINVAL if it may not.
int wake_if_match(wake_q_head& wake_q, futex_q& q, const futex_key& key, unsigned bitset,
                   const checker::Lock& lock) {
  Scope scope("futex_wake");
  if (!futex_match(checker::load_under(lock, q.key), key) && !knocked(Knockout::wake_key)) {
    return scope.returns(0);
  }
  if (is_pi_waiter(q, lock) && !knocked(Knockout::wake_pi)) return scope.returns(-EINVAL);
  if ((checker::load_under(lock, q.bitset) & bitset) == 0 && !knocked(Knockout::wake_bitset)) {
    return scope.returns(0);
  }
  futex_wake_mark(wake_q, q, lock);
  return scope.returns(1);
}

}  // namespace

int futex_wait_setup(UserWord& word, unsigned flags, std::int64_t val, futex_q& q,
                     const futex_key* key2) {
  Scope scope("futex_wait_setup");
  const int invalid = check_address(word, flags);
  if (invalid != 0) return scope.returns(invalid);
  const futex_key key = get_futex_key(word, flags);
  q.key.poke(key);
  const int precheck = seams().wait_precheck(word, val, flags);
  if (precheck < 0) return scope.returns(precheck);
  for (;;) {
    scope.at("retry", precheck);
    class_hbr hbr(key);
    futex_hash_bucket& hb = *hbr.hb();
    if (knocked(Knockout::wait_ref)) hbr.put();
    futex_q_lock(q, hb);
    if (knocked(Knockout::state_after_check)) set_current_state(TASK_INTERRUPTIBLE);
    const int ret = seams().wait_check(word, val);
    scope.at("checked", ret, hbr.hb(), hbr.fph());
    if (ret != 0) {
      if (ret != -EFAULT || !knocked(Knockout::fault_unlock)) futex_q_unlock(hb);
      if (ret != -EFAULT) return scope.returns(ret);
      if (knocked(Knockout::fault_retry)) return scope.returns(ret);
      get_user_differs(word, val);  // brings the page in; the value is read again
      if (!is_mapped(word)) return scope.returns(-EFAULT);
      continue;
    }
    if (key2 != nullptr && futex_match(key, *key2)) {
      futex_q_unlock(hb);
      return scope.returns(-EINVAL);
    }
    // Before anybody can find the entry, or a wakeup would be lost.
    const bool late = knocked(Knockout::wait_state_first) || knocked(Knockout::wait_state_late) ||
                      knocked(Knockout::state_after_check);
    if (knocked(Knockout::wait_state_barrier)) __set_current_state(TASK_INTERRUPTIBLE);
    else if (!late) set_current_state(TASK_INTERRUPTIBLE);
    futex_queue(q, hb);
    return scope.returns(0);
  }
}

int __futex_wait(UserWord& word, unsigned flags, std::int64_t val, hrtimer_sleeper* to,
                 unsigned bitset) {
  Scope scope("__futex_wait");
  if (bitset == 0) return scope.returns(-EINVAL);
  futex_q& q = *machine.q[checker::rt.current_id];
  begin_scope(q);
  int ret = 0;
  for (;;) {
    scope.at("retry");
    q.bitset.poke(bitset);
    ret = futex_wait_setup(word, flags, val, q, nullptr);
    if (ret != 0) break;
    futex_do_wait(q, to);
    const bool woken = futex_unqueue(q) == 0;
    if (woken && !knocked(Knockout::wait_woken_first)) break;
    const bool expires = to != nullptr && !knocked(Knockout::wait_timeout_check);
    if (expires && !read_plain(to->task)) ret = -ETIMEDOUT;
    if (ret != 0) break;
    const bool interruptible = !knocked(Knockout::wait_signal_check);
    if (interruptible && signal_pending()) ret = -ERESTARTSYS;
    if (ret != 0 || woken) break;
    if (knocked(Knockout::wait_spurious)) ret = -ERESTARTSYS;
    if (ret != 0) break;
    // Woken spuriously: wait again.
  }
  scope.at("waited", ret);
  end_scope(q);
  return scope.returns(ret);
}

futex_key get_futex_key(const UserWord& word, unsigned flags) {
  for (std::size_t i = 0; i < machine.word.size(); ++i) {
    if (machine.word[i] == &word) {
      return {static_cast<std::uint32_t>(i + 1), (flags & FLAGS_SHARED) != 0 ? 1U : 0U};
    }
  }
  return {};
}

int check_address(const UserWord& word, unsigned flags) {
  const auto& words = machine.scenario->words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (machine.word[i] != &word) continue;
    if (words[i].mapping == scenario::Mapping::misaligned) return -EINVAL;
    // A private key is the address, whatever is there.
    const bool shared = (flags & FLAGS_SHARED) != 0;
    return shared && words[i].mapping == scenario::Mapping::unmapped ? -EFAULT : 0;
  }
  return 0;
}

int wait_precheck_base(UserWord& word, std::int64_t val, unsigned /*flags*/) {
  if (knocked(Knockout::value_check_locked)) {
    return get_user_differs(word, val) ? -EWOULDBLOCK : 0;
  }
  return 0;
}

int wait_check_base(UserWord& word, std::int64_t val) {
  if (knocked(Knockout::value_check_locked) || knocked(Knockout::value_check)) return 0;
  if (knocked(Knockout::check_no_fault)) return get_user_differs(word, val) ? -EWOULDBLOCK : 0;
  bool differs = false;
  if (!get_user_inatomic(word, val, differs)) return -EFAULT;
  return differs ? -EWOULDBLOCK : 0;
}

int futex_wait(UserWord& word, unsigned flags, std::uint32_t val, bool timeout, unsigned bitset) {
  Scope scope("futex_wait");
  if (bitset == 0) return scope.returns(-EINVAL);
  current().futex_wait.poke(true);
  seams().wait_entry();
  scope.at("entered");
  hrtimer_sleeper* const to = timeout ? &current().timeout : nullptr;
  if (to != nullptr) to->task.poke(true);  // futex_setup_timer()
  const int ret = __futex_wait(word, flags, val, to, bitset);
  scope.at("waited", ret, timeout);
  current().futex_wait.poke(false);
  if (to != nullptr && !knocked(Knockout::timer_cancel)) hrtimer_cancel(*to);
  if (to != nullptr) warn_on(to->armed.peek(), "destroy_hrtimer_on_stack(): the timer is active");
  if (to == nullptr || ret != -ERESTARTSYS || knocked(Knockout::wait_restart_block)) {
    return scope.returns(ret);
  }
  return scope.returns(-ERESTART_RESTARTBLOCK);  // as set_restart_fn(futex_wait_restart) does
}

int futex_wake(UserWord& word, unsigned flags, int nr_wake, unsigned bitset) {
  Scope scope("futex_wake");
  if (bitset == 0) return scope.returns(-EINVAL);
  const int invalid = check_address(word, flags);
  if (invalid != 0) return scope.returns(invalid);
  const futex_key key = get_futex_key(word, flags);
  const bool strict = (flags & FLAGS_STRICT) != 0 && !knocked(Knockout::wake_strict);
  if (strict && nr_wake == 0) return scope.returns(0);
  seams().wake_gate();
  scope.at("entered");
  class_hbr hbr(key);
  futex_hash_bucket& hb = *hbr.hb();
  if (knocked(Knockout::wake_ref)) hbr.put();
  if (!knocked(Knockout::wake_pending) && !futex_hb_waiters_pending(hb)) return scope.returns(0);
  wake_q_head wake_q;
  int ret = 0;
  const bool locked = !knocked(Knockout::wake_lock);
  if (locked) spin_lock(hb.lock);
  list_head* at = checker::load_under(hb.lock.lock, hb.chain.next);
  for (;;) {
    scope.at("chain", &hb, hbr.fph(), at, wake_q.identity(), ret);
    if (at == &hb.chain) break;
    list_head* const next = checker::load_under(hb.lock.lock, linked(at).next);
    const int woken = wake_if_match(wake_q, entry_of(linked(at)), key, bitset, hb.lock.lock);
    if (woken < 0) {
      ret = woken;  // whoever has been woken before is, uncounted
      break;
    }
    if (woken != 0 && ++ret >= nr_wake && !knocked(Knockout::wake_limit)) break;
    at = next;
  }
  scope.at("unlock", &hb, hbr.fph(), wake_q.identity(), ret);
  if (knocked(Knockout::wake_unlocked)) wake_up_q(wake_q);
  if (locked) spin_unlock(hb.lock);
  scope.at("wake", hbr.fph(), wake_q.identity(), ret);
  wake_up_q(wake_q);
  return scope.returns(ret);
}

}  // namespace futexmc::model
