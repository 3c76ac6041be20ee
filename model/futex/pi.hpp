// SPDX-License-Identifier: GPL-2.0-or-later
//
// Futexes with priority inheritance: kernel/futex/pi.c.
//
// A PI word holds its owner's TID, FUTEX_WAITERS if the owner has to call the kernel, and
// FUTEX_OWNER_DIED. While there are waiters a pi_state ties word, rt-mutex and owner together.
//
// Lock order: bucket lock, wait_lock, pi_lock. {word, pi_state} change under wait_lock; the bucket
// lock protects which entries of a chain have which pi_state.
#pragma once

#include "model/futex/futex.hpp"
#include "model/kernel/rtmutex.hpp"

namespace futexmc::model {

inline constexpr std::uint32_t FUTEX_WAITERS = 0x80000000;
inline constexpr std::uint32_t FUTEX_OWNER_DIED = 0x40000000;
inline constexpr std::uint32_t FUTEX_TID_MASK = 0x3fffffff;

struct futex_pi_state {
  Cell<int> list;  ///< on whose futex.pi_state_list it is: task plus one
  rt_mutex_base pi_mutex;
  Cell<int> owner;  ///< task plus one
  Cell<int> refcount;
  Cell<futex_key> key;
};

inline std::uint32_t task_pid_vnr(int task) {
  return static_cast<std::uint32_t>(scenario::tid_of(task));
}

/// What futex_lock_pi_atomic() found: 1 (the lock is taken), 0 (the pi_state to wait on, with a
/// reference) or a negative error.
struct PiAttached {
  int ret;
  futex_pi_state* pi_state;
};

// pi_state.cpp: life and owners of pi_states. wait_lock protects the owner, which is also read
// without.
/// False: -ENOMEM.
bool refill_pi_state_cache();
void get_pi_state(futex_pi_state& pi_state);
void put_pi_state(futex_pi_state* pi_state);
/// With wait_lock held. -1: none.
void pi_state_update_owner(futex_pi_state& pi_state, int new_owner);
int pi_state_owner(const futex_pi_state& pi_state);
/// Whether the current task is the owner, read without wait_lock.
bool pi_state_is_mine(const futex_pi_state& pi_state);
/// With the bucket lock held; for `task`, which is the current one but for requeue-PI.
PiAttached futex_lock_pi_atomic(UserWord& word, futex_hash_bucket& hb, const futex_key& key,
                                int task, bool set_waiters);

// pi_fixup.cpp. With the bucket lock held.
/// 1 if the current task has the lock in the end, 0 if not.
int fixup_pi_owner(UserWord& word, futex_q& q, bool locked);

// pi.cpp
int futex_lock_pi(UserWord& word, unsigned flags, bool timeout, bool trylock);
int futex_unlock_pi(UserWord& word, unsigned flags);
/// The seams' bases: a reference for a waiter that is taken off its chain, and its put.
void handoff_get_base(futex_q& q, futex_hash_bucket& hb, const futex_key& key);
void handoff_put_base(futex_q& q);
/// futex_lock_pi(), before it blocks: gives its own reference back.
void lock_pi_put_base(futex_bucket_ref& hbr);

}  // namespace futexmc::model
