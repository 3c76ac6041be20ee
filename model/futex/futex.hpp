// SPDX-License-Identifier: GPL-2.0-or-later
//
// The futex subsystem: data structures and functions, named as in kernel/futex/futex.h (v7.3).
//
// Structures are supersets: a field that only some versions have says which.
#pragma once

#include <array>
#include <cerrno>

#include "model/kernel/lock.hpp"
#include "model/kernel/plist.hpp"
#include "model/kernel/uaccess.hpp"

namespace futexmc::model {

class wake_q_head;

/// The kernel's own error numbers for a system call that a signal interrupted; not seen by users.
inline constexpr int ERESTARTSYS = 512;
inline constexpr int ERESTARTNOINTR = 513;
inline constexpr int ERESTART_RESTARTBLOCK = 516;

inline constexpr unsigned FLAGS_SIZE_32 = 0x0002, FLAGS_SIZE_MASK = 0x0003;
inline constexpr unsigned FLAGS_SHARED = 0x0010, FLAGS_CLOCKRT = 0x0020, FLAGS_STRICT = 0x0100;
inline constexpr unsigned FLAGS_ROBUST_UNLOCK = 0x0400;
inline constexpr unsigned FUTEX_BITSET_MATCH_ANY = 0xffffffff;
inline constexpr unsigned FH_CUSTOM = 1;
enum { FR_PERCPU = 0, FR_ATOMIC = 1 };

/// union futex_key: which word, and whether the key is private to the mm.
struct futex_key {
  std::uint32_t word;  ///< plus one
  std::uint32_t shared;
  bool operator==(const futex_key&) const = default;
};
inline bool futex_key_is_private(const futex_key& key) { return !key.shared; }
inline bool futex_match(const futex_key& a, const futex_key& b) { return a == b; }

struct futex_hash_bucket {
  Cell<int> waiters;
  spinlock_t lock;
  plist_head chain;
  Cell<futex_private_hash*> priv;  ///< the back pointer, of versions before bucket-ref
};

struct futex_private_hash {
  Cell<int> state;
  Cell<unsigned> hash_mask;
  Cell<bool> custom;
  Cell<mm_struct*> mm;
  std::array<futex_hash_bucket, kMaxSlots> queues;
  Cell<int> holders;  ///< the model's: references taken and not given back, the initial one aside
};

/// The per-CPU half of the reference count, `unsigned int __percpu *ref`.
///
/// Only sums of it can be observed: which CPU counted does not matter until the fold, and then only
/// on which side of the fold's position the count lands. So the state's identity has two sums, and
/// the counters themselves are for show (hence not hashed).
struct percpu_ref {
  std::array<Cell<int, false>, kMaxCpus> counter;
  Cell<int> ahead;     ///< sum of what the fold has still to read, and of what it has read
  Cell<int> behind;    ///< sum over the counters that it has read and reset
  Cell<int> position;  ///< 2 * CPU, plus one between reading that CPU's counter and resetting it
};

struct futex_mm_phash {
  Cell<futex_private_hash*> hash;
  Cell<futex_private_hash*> hash_new;
  mutex lock;
  Cell<long> atomic;
  Cell<int> batches;  ///< see get_state_synchronize_rcu()
  Cell<bool> has_ref;  ///< ref != NULL
  percpu_ref ref;
  Cell<int> rehashing;  ///< the model's: a pivot is moving waiters
  Cell<int, false> looked;  ///< the model's: kLookedAt*, which checks have been evaluated
  Cell<int> folding;    ///< the model's: per-CPU counts are on their way into the atomic
};

struct mm_struct {
  futex_mm_phash phash;  ///< mm->futex.phash
  Cell<int> users;       ///< mm_users held by transitions in progress (mmget/mmput_async)
  Cell<int> nr_threads;  ///< signal->nr_threads
  Cell<std::uint64_t> meddled;  ///< the model's: words that user space changed against the rules
};

struct rt_mutex_waiter;  // kernel/rtmutex.hpp
struct futex_pi_state;   // futex/pi.hpp

/// v7.3's, without `wake` and `wake_data`: all are woken by futex_wake_mark(). Comes into being as
/// futex_q_init says, see begin_scope().
struct futex_q {
  plist_node list;
  Cell<int> task;  ///< task number plus one
  Cell<spinlock_t*> lock_ptr;
  Cell<futex_key> key;
  Cell<unsigned> bitset;
  Cell<futex_pi_state*> pi_state;
  Cell<rt_mutex_waiter*> rt_waiter;
  Cell<futex_key> requeue_pi_key;  ///< the key itself, where the kernel points at it; word 0: NULL
  Cell<int> requeue_state;         ///< Q_REQUEUE_PI_*
  Cell<futex_private_hash*> drop_fph;
};

/// The waiter that an entry of a chain belongs to: container_of(node, struct futex_q, list).
inline futex_q& entry_of(list_head& node) { return *reinterpret_cast<futex_q*>(&node); }

/// Calls `visit(task, entry)` for each futex_q that the scenario's threads have, live or not.
template <class Visit>
void for_each_q(Visit visit) {
  for (int task = 0; task < machine.user_tasks; ++task) {
    for (futex_q* q : machine.waiters[static_cast<std::size_t>(task)]) {
      if (q != nullptr) visit(task, *q);
    }
  }
}

struct futex_bucket_ref {
  futex_hash_bucket* hb;
  futex_private_hash* fph;
};

/// Bits of futex_mm_phash::looked, for properties that are checked at operations.
inline constexpr int kLookedAtWarn = 1, kLookedAtSizes = 2, kLookedAtSleep = 4;

/// WARN_ON_ONCE() and lockdep assertions: reports `message` as property `warn` and goes on.
void warn_on(bool condition, const char* message);

// core.cpp: tables and references
bool futex_private_hash_get(futex_private_hash* fph);
void futex_private_hash_put(futex_private_hash* fph);
/// The seam's base: see Seams::private_hash_put.
void futex_private_hash_put_base(futex_private_hash* fph);
futex_bucket_ref futex_hash(const futex_key& key);
futex_bucket_ref futex_hash_base(const futex_key& key);
/// The seam's base: see Seams::private_hash.
futex_private_hash* private_hash_base(mm_struct& mm);
void hbr_put_base(const futex_bucket_ref& hbr);
/// `fph_p`: where to store the private table used, if not null. Left alone when there is none.
futex_hash_bucket* __futex_hash(const futex_key& key, futex_private_hash* fph,
                                futex_private_hash** fph_p);
futex_hash_bucket* __futex_hash_private(const futex_key& key, futex_private_hash* fph,
                                        unsigned hash_mask);
futex_hash_bucket* global_bucket(const futex_key& key);
void futex_pivot_hash(mm_struct& mm);
/// With mm->futex.phash.lock held. False if the current table is still in use: the new one waits.
bool __futex_pivot_hash(mm_struct& mm, futex_private_hash& fresh);
void pivot_publish_base(mm_struct& mm, futex_private_hash& fph);
bool futex_ref_get(futex_private_hash* fph);
bool futex_ref_put(futex_private_hash* fph);
bool futex_ref_is_dead(futex_private_hash* fph);
void futex_ref_drop(futex_private_hash* fph);
/// The model's books: a reference of the current task's is `task`'s from now on.
void note_handed_over(futex_private_hash& fph, int task);
/// The callback of mm->futex.phash.rcu.
void futex_ref_rcu();

// hash_size.cpp: who asks for a table, of which size
int futex_hash_allocate(unsigned slots, unsigned flags);
int futex_hash_allocate_default();
int futex_hash_get_slots();
/// Sleeps until the pending table can be installed, or has been.
void wait_for_pivot(mm_struct& mm, checker::Label caller);
/// clamp(roundup_pow_of_two(per_thread * threads), minimum, maximum)
unsigned futex_default_slots(unsigned threads, unsigned minimum, unsigned per_thread,
                             unsigned maximum);

// size_policy.cpp
/// `kept` is preferred to `given_up`, which may be null: reports `size-policy` if the rules say
/// otherwise. `which` says what was given up.
void note_size_choice(const futex_private_hash& kept, const futex_private_hash* given_up,
                      const char* which);

// queue.cpp: waiters on a bucket (core.c)
void futex_q_lock(futex_q& q, futex_hash_bucket& hb);
void futex_q_unlock(futex_hash_bucket& hb);
/// Leaves the bucket locked.
void __futex_queue(futex_q& q, futex_hash_bucket& hb);
void futex_queue(futex_q& q, futex_hash_bucket& hb);
/// plist_add(&q->list, &hb->chain): behind the last entry of the same or a higher priority. `own`:
/// see plist_add().
void chain_add(futex_q& q, futex_hash_bucket& hb, bool own);
int futex_unqueue(futex_q& q);
void __futex_unqueue(futex_q& q);
/// Takes the lock that lock_ptr points at, which a pivot may change meanwhile.
void futex_q_lockptr_lock(futex_q& q);
/// With the bucket locked: takes a PI waiter off, unless an unlocker has, and lets its pi_state go.
void futex_unqueue_pi(futex_q& q);
/// With the bucket locked: the first waiter of `key`, or null.
futex_q* futex_top_waiter(futex_hash_bucket& hb, const futex_key& key);
/// Reads lock_ptr where the lock that it points at should be held.
spinlock_t* lock_ptr_under_lock(futex_q& q);
void futex_hb_waiters_inc(futex_hash_bucket& hb);
void futex_hb_waiters_dec(futex_hash_bucket& hb);
bool futex_hb_waiters_pending(futex_hash_bucket& hb);

// waitwake.cpp
/// With a timer for its own, if `timeout`.
int futex_wait(UserWord& word, unsigned flags, std::uint32_t val, bool timeout, unsigned bitset);
/// Gives -ERESTARTSYS when a signal ended the wait; the current task's entry exists.
int __futex_wait(UserWord& word, unsigned flags, std::int64_t val, hrtimer_sleeper* to,
                 unsigned bitset);
int futex_wake(UserWord& word, unsigned flags, int nr_wake, unsigned bitset);
/// Takes the entry, which is on the chain that `lock` protects, off it, and puts its task on the
/// queue. The entry may be gone afterwards.
void futex_wake_mark(wake_q_head& wake_q, futex_q& q, const checker::Lock& lock);
/// 0 when the entry is queued, with the bucket lock released; else the error, with nothing held.
/// `key2`: which the word's key must not be, if not null.
int futex_wait_setup(UserWord& word, unsigned flags, std::int64_t val, futex_q& q,
                     const futex_key* key2);
/// Whether the entry, of a chain that `lock` protects, is one that only PI operations may touch.
bool is_pi_waiter(const futex_q& q, const checker::Lock& lock);
/// Sleeps, unless somebody has taken the current task's entry off already.
void futex_do_wait(futex_q& q, hrtimer_sleeper* timeout);
int wait_precheck_base(UserWord& word, std::int64_t val, unsigned flags);
int wait_check_base(UserWord& word, std::int64_t val);


// waitv.cpp
/// struct futex_waitv, parsed: one of the words that a thread waits on at once.
struct futex_waitv {
  UserWord* word;
  unsigned flags;
  std::uint32_t val;
};
/// The index of an entry that was woken, or a negative error. The current task's entries exist.
int futex_wait_multiple(const futex_waitv* vs, int count, hrtimer_sleeper* to);

// wake_op.cpp
/// `op` is the operation as FUTEX_OP() encodes it.
int futex_wake_op(UserWord& word1, unsigned flags, UserWord& word2, int nr_wake, int nr_wake2,
                  unsigned op);

// requeue.cpp
/// `cmpval`: what word1 must hold, or null.
int futex_requeue(UserWord& word1, unsigned flags1, UserWord& word2, unsigned flags2, int nr_wake,
                  int nr_requeue, const std::uint32_t* cmpval);
/// With both buckets locked.
void requeue_futex(futex_q& q, futex_hash_bucket& hb1, futex_hash_bucket& hb2,
                   const futex_key& key2);
/// Both locks, the one at the lower address first; once if they are one.
void double_lock_hb(futex_hash_bucket& hb1, futex_hash_bucket& hb2);
void double_unlock_hb(futex_hash_bucket& hb1, futex_hash_bucket& hb2);

futex_key get_futex_key(const UserWord& word, unsigned flags);
/// What else get_futex_key() says: 0, -EINVAL if the word is not aligned, -EFAULT if its page is to
/// be looked at and not there.
int check_address(const UserWord& word, unsigned flags);

/// CLASS(hbr, hbr)(&key): a bucket with a reference on its table, given back at the end of scope.
class class_hbr {
 public:
  explicit class_hbr(const futex_key& key);
  ~class_hbr();
  class_hbr(const class_hbr&) = delete;
  class_hbr& operator=(const class_hbr&) = delete;
  void put();  ///< early, when knocked out
  void lock_pi_put();  ///< early, before futex_lock_pi() blocks
  futex_hash_bucket* hb() const { return hbr_.hb; }
  futex_private_hash* fph() const { return hbr_.fph; }

 private:
  futex_bucket_ref hbr_;
};

/// futex_private_hash(mm), whose name is the struct's here: a reference on the current private
/// table; null, if there is none.
futex_private_hash* futex_private_hash_of(mm_struct& mm);

/// CLASS(private_hash, fph)(mm): such a reference, given back at the end of scope.
class class_private_hash {
 public:
  /// Not `taken`: knocked out.
  explicit class_private_hash(mm_struct& mm, bool taken = true);
  ~class_private_hash() { futex_private_hash_put(fph_); }
  class_private_hash(const class_private_hash&) = delete;
  class_private_hash& operator=(const class_private_hash&) = delete;
  futex_private_hash* fph() const { return fph_; }

 private:
  futex_private_hash* fph_ = nullptr;
};

/// The bucket whose `lock` this is: container_of(lock, struct futex_hash_bucket, lock).
futex_hash_bucket& bucket_of(spinlock_t& lock);

}  // namespace futexmc::model
