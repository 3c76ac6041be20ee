// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state behind a PI word. Follows kernel/futex/pi.c: refill_pi_state_cache, alloc_pi_state,
// pi_state_update_owner, get_pi_state, put_pi_state, attach_to_pi_state, handle_exit_race,
// attach_to_pi_owner, lock_pi_update_atomic, futex_lock_pi_atomic.
#include "model/futex/pi.hpp"
#include "model/kernel/alloc.hpp"
#include "model/variant.hpp"

namespace futexmc::model {

bool refill_pi_state_cache() {
  Scope scope("refill_pi_state_cache");
  task_struct& p = current();
  if (p.pi_state_cache.peek() != nullptr) {
    checker::recall(1);
    return scope.returns(true);
  }
  futex_pi_state* const pi_state = kzalloc_pi_state();
  if (pi_state == nullptr) return scope.returns(false);
  pi_state->refcount.poke(1);
  p.pi_state_cache.poke(pi_state);
  return scope.returns(true);
}

namespace {

futex_pi_state& alloc_pi_state() {
  task_struct& p = current();
  futex_pi_state* const pi_state = p.pi_state_cache.peek();
  checker::recall(checker::to_word(pi_state));
  warn_on(pi_state == nullptr, "alloc_pi_state(): the cache is empty");
  if (pi_state == nullptr) checker::fault("lifetime", {"alloc_pi_state() uses a NULL pi_state"});
  p.pi_state_cache.poke(nullptr);
  return *pi_state;
}

}  // namespace

int pi_state_owner(const futex_pi_state& pi_state) {
  return checker::load_under(pi_state.pi_mutex.wait_lock.lock, pi_state.owner) - 1;
}

bool pi_state_is_mine(const futex_pi_state& pi_state) {
  return checker::load_as(pi_state.owner, Order::plain,
                          [](int owner) { return owner == current_id() + 1; });
}

void pi_state_update_owner(futex_pi_state& pi_state, int new_owner) {
  Scope scope("pi_state_update_owner");
  const int old_owner = pi_state_owner(pi_state);
  if (old_owner >= 0) {
    task_struct& p = task_of(old_owner);
    spin_lock(p.pi_lock);
    warn_on(checker::load_under(p.pi_lock.lock, pi_state.list) == 0,
            "pi_state_update_owner(): the pi_state is on no list");
    checker::store_under(p.pi_lock.lock, pi_state.list, 0);
    spin_unlock(p.pi_lock);
  }
  if (new_owner >= 0) {
    task_struct& p = task_of(new_owner);
    spin_lock(p.pi_lock);
    warn_on(checker::load_under(p.pi_lock.lock, pi_state.list) != 0,
            "pi_state_update_owner(): the pi_state is on a list already");
    checker::store_under(p.pi_lock.lock, pi_state.list, new_owner + 1);
    write_plain(pi_state.owner, new_owner + 1);
    spin_unlock(p.pi_lock);
  }
}

void get_pi_state(futex_pi_state& pi_state) {
  const bool got = checker::update(pi_state.refcount, Order::full, [](int& count) {
    if (count == 0) return false;
    ++count;
    return true;
  }, "refcount_inc_not_zero");
  warn_on(!got, "get_pi_state(): the pi_state is being freed");
}

void put_pi_state(futex_pi_state* pi_state) {
  Scope scope("put_pi_state");
  if (pi_state == nullptr) return;
  const bool last = checker::update(pi_state->refcount, Order::full, [](int& count) {
    return --count == 0;
  }, "refcount_dec_and_test");
  if (!last) return;
  if (read_plain(pi_state->owner) != 0) {
    spin_lock(pi_state->pi_mutex.wait_lock);
    pi_state_update_owner(*pi_state, -1);
    rt_mutex_proxy_unlock(pi_state->pi_mutex);
    spin_unlock(pi_state->pi_mutex.wait_lock);
  }
  scope.at("last");
  task_struct& p = current();
  const bool cached = p.pi_state_cache.peek() != nullptr;
  checker::recall(static_cast<std::uint64_t>(cached));
  if (cached) return kfree(*pi_state);
  pi_state->owner.poke(0);
  pi_state->refcount.poke(1);
  p.pi_state_cache.poke(pi_state);
}

namespace {

PiAttached attached(Scope& scope, int ret, futex_pi_state* pi_state = nullptr) {
  scope.returns(static_cast<std::uint64_t>(ret), checker::to_word(pi_state));
  return {ret, pi_state};
}

/// Whether {word, owner} are in a state that the kernel leaves them in: 0 or -EINVAL.
int check_owner(std::uint32_t uval, int owner) {
  const std::uint32_t pid = uval & FUTEX_TID_MASK;
  if ((uval & FUTEX_OWNER_DIED) != 0) {
    if (owner < 0) return pid != 0 ? -EINVAL : 0;
    if (pid == 0) return 0;
  } else if (owner < 0) {
    return -EINVAL;
  }
  return pid != task_pid_vnr(owner) ? -EINVAL : 0;
}

int read_refcount(const futex_pi_state& pi_state, Loc loc = Loc::here()) {
  return checker::load(pi_state.refcount, Order::relaxed, loc, "refcount_read");
}

PiAttached attach_to_pi_state(UserWord& word, std::uint32_t uval, futex_pi_state* pi_state) {
  Scope scope("attach_to_pi_state");
  if (pi_state == nullptr) return attached(scope, -EINVAL);  // waits on a word that is not PI
  warn_on(read_refcount(*pi_state) == 0, "attach_to_pi_state(): the pi_state is being freed");
  scope.at("lock");
  spin_lock(pi_state->pi_mutex.wait_lock);
  int ret = 0;
  // The word was read without wait_lock.
  const std::int64_t again = futex_get_value_locked(word);
  if (again == kUserFault) ret = -EFAULT;
  else if (again != uval && !knocked(Knockout::pi_attach_recheck)) ret = -EAGAIN;
  else ret = check_owner(uval, pi_state_owner(*pi_state));
  scope.at("checked", ret);
  if (ret == 0 && !knocked(Knockout::pi_attach_ref)) get_pi_state(*pi_state);
  spin_unlock(pi_state->pi_mutex.wait_lock);
  return attached(scope, ret, ret == 0 ? pi_state : nullptr);
}

// Nobody can see the pi_state yet.
futex_pi_state& __attach_to_pi_owner(int owner, const futex_key& key) {
  Scope scope("__attach_to_pi_owner");
  futex_pi_state& pi_state = alloc_pi_state();
  rt_mutex_init_proxy_locked(pi_state.pi_mutex, owner);
  pi_state.key.poke(key);
  warn_on(pi_state.list.peek() != 0, "__attach_to_pi_owner(): the pi_state is on a list already");
  pi_state.list.poke(owner + 1);
  pi_state.owner.poke(owner + 1);
  return *scope.returns(&pi_state);
}

/// There is no such task: unless the word has changed, that is an error.
int handle_exit_race(UserWord& word, std::uint32_t uval) {
  Scope scope("handle_exit_race");
  const std::int64_t again = futex_get_value_locked(word);
  if (again == kUserFault) return scope.returns(-EFAULT);
  return scope.returns(again != uval ? -EAGAIN : -ESRCH);
}

PiAttached attach_to_pi_owner(UserWord& word, std::uint32_t uval, const futex_key& key) {
  Scope scope("attach_to_pi_owner");
  const auto owner = static_cast<int>(uval & FUTEX_TID_MASK) - 1;
  if (owner < 0) return attached(scope, -EAGAIN);
  if (owner >= machine.user_tasks) return attached(scope, handle_exit_race(word, uval));
  spin_lock(task_of(owner).pi_lock);
  futex_pi_state& pi_state = __attach_to_pi_owner(owner, key);
  spin_unlock(task_of(owner).pi_lock);
  return attached(scope, 0, &pi_state);
}

int lock_pi_update_atomic(UserWord& word, std::uint32_t uval, std::uint32_t newval) {
  Scope scope("lock_pi_update_atomic");
  const std::int64_t before = futex_cmpxchg_value_locked(word, uval, newval);
  if (before == kUserFault) return scope.returns(-EFAULT);
  return scope.returns(before != uval ? -EAGAIN : 0);
}

/// The word has no owner: takes it, and keeps the mark of one that died.
PiAttached take_over(UserWord& word, std::uint32_t uval, const futex_key& key, int task,
                     bool set_waiters) {
  Scope scope("futex_lock_pi_atomic");
  std::uint32_t newval = (uval & FUTEX_OWNER_DIED) | task_pid_vnr(task);
  if (set_waiters) newval |= FUTEX_WAITERS;
  const int ret = lock_pi_update_atomic(word, uval, newval);
  if (ret != 0) return attached(scope, ret);
  if (!set_waiters) return attached(scope, 1);
  spin_lock(task_of(task).pi_lock);
  futex_pi_state& pi_state = __attach_to_pi_owner(task, key);
  spin_unlock(task_of(task).pi_lock);
  return attached(scope, 1, &pi_state);
}

}  // namespace

PiAttached futex_lock_pi_atomic(UserWord& word, futex_hash_bucket& hb, const futex_key& key,
                                int task, bool set_waiters) {
  Scope scope("futex_lock_pi_atomic");
  const std::int64_t value = futex_get_value_locked(word);
  if (value == kUserFault) return attached(scope, -EFAULT);
  const auto uval = static_cast<std::uint32_t>(value);
  const bool mine = (uval & FUTEX_TID_MASK) == task_pid_vnr(task);
  if (mine && !knocked(Knockout::pi_lock_self)) return attached(scope, -EDEADLK);
  scope.at("read", uval);
  const futex_q* const top_waiter = futex_top_waiter(hb, key);
  scope.at("top", uval, top_waiter);
  PiAttached result{};
  if (top_waiter != nullptr && !knocked(Knockout::pi_lock_attach)) {
    futex_pi_state* const pi_state = checker::load_under(hb.lock.lock, top_waiter->pi_state);
    result = attach_to_pi_state(word, uval, pi_state);
  } else if ((uval & FUTEX_TID_MASK) == 0) {
    result = take_over(word, uval, key, task, set_waiters);
  } else {
    // The first waiter. From here on the owner has to call the kernel, where it waits for the
    // bucket lock.
    const std::uint32_t newval = uval | FUTEX_WAITERS;
    const int ret = knocked(Knockout::pi_lock_waiters) ? 0
                                                       : lock_pi_update_atomic(word, uval, newval);
    result = ret != 0 ? PiAttached{ret, nullptr} : attach_to_pi_owner(word, newval, key);
  }
  return attached(scope, result.ret, result.pi_state);
}

void note_user_change(const UserWord& word, std::int64_t before, std::int64_t after) {
  if (!machine.uses_pi || (before & FUTEX_WAITERS) == 0 || before == after) return;
  std::size_t object = 0;
  while (object < machine.word.size() && machine.word[object] != &word) ++object;
  Cell<std::uint64_t>& meddled = machine.mm->meddled;
  checker::rt.writes |= checker::footprint(meddled.index());
  meddled.poke(meddled.peek() | 1ULL << object);
}

}  // namespace futexmc::model
