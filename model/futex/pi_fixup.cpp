// SPDX-License-Identifier: GPL-2.0-or-later
//
// After an attempt to take the rt-mutex: word, pi_state and rt-mutex must name the same owner.
// Follows kernel/futex/pi.c: fixup_pi_owner, fixup_pi_state_owner, __fixup_pi_state_owner.
#include "model/futex/pi.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

/// Puts `newtid` in the word, keeping FUTEX_OWNER_DIED: 0 or -EFAULT.
int write_owner(UserWord& word, std::uint32_t newtid) {
  Scope scope("__fixup_pi_state_owner");
  std::int64_t uval = futex_get_value_locked(word);
  if (uval == kUserFault) return scope.returns(-EFAULT);
  for (;;) {
    scope.at("word", uval);
    const auto old = static_cast<std::uint32_t>(uval);
    const std::uint32_t newval = (old & FUTEX_OWNER_DIED) | newtid;
    const std::int64_t before = futex_cmpxchg_value_locked(word, old, newval);
    if (before == kUserFault) return scope.returns(-EFAULT);
    if (before == uval) return scope.returns(0);
    uval = before;
  }
}

struct Fixup {
  enum Kind : std::uint8_t { done, write, retry } kind;
  int value;  ///< what to return; the new owner
};

/// Whose the word should be, or that there is nothing to do. `self`: it should be the current
/// task's; otherwise whoever has taken the rt-mutex instead.
Fixup whose(futex_pi_state& pi_state, int old_owner, bool self) {
  Scope scope("__fixup_pi_state_owner");
  Fixup fixup{Fixup::write, current_id()};
  if (self && old_owner == current_id()) {
    fixup = {Fixup::done, 1};
  } else if (!self && old_owner != current_id()) {
    fixup = {Fixup::done, 0};
  } else if (!self && __rt_mutex_futex_trylock(pi_state.pi_mutex)) {
    fixup = {Fixup::done, 1};
  } else if (!self) {
    // Without an owner it is about to be taken by one of higher priority: wait for that.
    const int owner = rt_mutex_owner(pi_state.pi_mutex);
    fixup = {owner < 0 && !knocked(Knockout::pi_fixup_no_owner) ? Fixup::retry : Fixup::write,
             owner};
  }
  scope.returns(static_cast<std::uint64_t>(fixup.kind), static_cast<std::uint64_t>(fixup.value));
  return fixup;
}

/// With wait_lock held too.
int __fixup_pi_state_owner(UserWord& word, futex_q& q, futex_pi_state& pi_state, bool self) {
  Scope scope("__fixup_pi_state_owner");
  const int old_owner = pi_state_owner(pi_state);
  for (;;) {
    scope.at("retry", old_owner);
    const Fixup fixup = whose(pi_state, old_owner, self);
    if (fixup.kind == Fixup::done) return scope.returns(fixup.value);
    scope.at("fix", old_owner, fixup.kind, fixup.value);
    int err = -EAGAIN;
    if (fixup.kind == Fixup::write) {
      std::uint32_t newtid = task_pid_vnr(fixup.value) | FUTEX_WAITERS;
      if (old_owner < 0) newtid |= FUTEX_OWNER_DIED;
      err = knocked(Knockout::pi_fixup_word) ? 0 : write_owner(word, newtid);
    }
    if (err == 0) {
      if (!knocked(Knockout::pi_fixup_owner)) pi_state_update_owner(pi_state, fixup.value);
      return scope.returns(static_cast<int>(self));
    }
    scope.at("error", old_owner, err);
    spin_unlock(pi_state.pi_mutex.wait_lock);
    spin_unlock(*lock_ptr_under_lock(q));
    if (err == -EFAULT) fault_in_user_writeable(word);  // it was there before
    futex_q_lockptr_lock(q);
    spin_lock(pi_state.pi_mutex.wait_lock);
    if (!knocked(Knockout::pi_fixup_recheck) && pi_state_owner(pi_state) != old_owner) {
      return scope.returns(static_cast<int>(self));
    }
  }
}

int fixup_pi_state_owner(UserWord& word, futex_q& q, futex_pi_state& pi_state, bool self) {
  Scope scope("fixup_pi_state_owner");
  spin_lock(pi_state.pi_mutex.wait_lock);
  const int ret = __fixup_pi_state_owner(word, q, pi_state, self);
  spin_unlock(pi_state.pi_mutex.wait_lock);
  return scope.returns(ret);
}

}  // namespace

int fixup_pi_owner(UserWord& word, futex_q& q, bool locked) {
  Scope scope("fixup_pi_owner");
  futex_pi_state& pi_state = *checker::load_under(lock_ptr_under_lock(q)->lock, q.pi_state);
  scope.at("pi_state", &pi_state);
  if (locked) {
    // Stolen, so that word and pi_state name another. The look without wait_lock is enough: only
    // the owner changes it from here on.
    if (pi_state_is_mine(pi_state) || knocked(Knockout::pi_fixup_stolen)) return scope.returns(1);
    return scope.returns(fixup_pi_state_owner(word, q, pi_state, true));
  }
  // Not taken, although word and pi_state name this task: somebody else has it.
  if (pi_state_is_mine(pi_state) && !knocked(Knockout::pi_fixup_lost)) {
    return scope.returns(fixup_pi_state_owner(word, q, pi_state, false));
  }
  const bool owner = rt_mutex_owner_unlocked(pi_state.pi_mutex) == current_id();
  warn_on(owner, "fixup_pi_owner(): the lock is owned after all");
  if (owner) return scope.returns(fixup_pi_state_owner(word, q, pi_state, true));
  return scope.returns(0);
}

}  // namespace futexmc::model
