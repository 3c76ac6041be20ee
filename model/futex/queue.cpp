// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiters on a bucket. Follows kernel/futex/core.c: futex_q_lock, futex_q_unlock, __futex_queue,
// __futex_unqueue, futex_unqueue; futex.h: futex_hb_waiters_{inc,dec,pending}.
#include <cstddef>

#include "model/futex/pi.hpp"
#include "model/variant.hpp"

namespace futexmc::model {

futex_hash_bucket& bucket_of(spinlock_t& lock) {
  char* const at = reinterpret_cast<char*>(&lock) - offsetof(futex_hash_bucket, lock);
  return *reinterpret_cast<futex_hash_bucket*>(at);
}

void futex_hb_waiters_inc(futex_hash_bucket& hb) {
  atomic_inc(hb.waiters);
  if (!knocked(Knockout::wait_barrier)) smp_mb();  // (A): smp_mb__after_atomic()
}

void futex_hb_waiters_dec(futex_hash_bucket& hb) { atomic_dec(hb.waiters); }

bool futex_hb_waiters_pending(futex_hash_bucket& hb) {
  Scope scope("futex_hb_waiters_pending");
  if (!knocked(Knockout::wake_barrier)) smp_mb();  // (B)
  return scope.returns(checker::load_as(hb.waiters, Order::relaxed,
                                        [](int waiters) { return waiters != 0; }, Loc::here(),
                                        "atomic_read"));
}

namespace {

// Until it is queued nobody else can reach the entry: its owner's accesses commute.
template <class T>
void store_private(Cell<T>& cell, std::type_identity_t<T> value, Loc loc = Loc::here()) {
  checker::Operation op = checker::operation("write", cell, checker::Access::write, Order::plain,
                                             loc);
  op.mover = checker::Mover::both;
  checker::announce(op);
  cell.put_protected(value);
  checker::remember_done();
}

}  // namespace

// Whoever changes lock_ptr of a queued entry holds the lock that it points at, so a read under that
// lock commutes.
spinlock_t* lock_ptr_under_lock(futex_q& q) {
  checker::Operation op = checker::operation("read", q.lock_ptr, checker::Access::read,
                                             Order::plain, Loc::here());
  const spinlock_t* const now = q.lock_ptr.seen();
  if (now != nullptr && now->lock.held_by_me()) op.mover = checker::Mover::both;
  checker::recall(static_cast<std::uint64_t>(op.mover));
  checker::announce(op);
  return checker::remember(q.lock_ptr.seen());
}

void futex_q_lock(futex_q& q, futex_hash_bucket& hb) {
  Scope scope("futex_q_lock");
  // Counted before the lock is taken, so that a waker does not miss one who waits for the lock.
  if (!knocked(Knockout::waiters_before_check) && !knocked(Knockout::wait_count)) {
    futex_hb_waiters_inc(hb);
  }
  store_private(q.lock_ptr, &hb.lock);
  // With lock_ptr, which says on which bucket: on a retry it was another's until now.
  if (!knocked(Knockout::waiters_before_check)) current().set_up.poke(&q);
  spin_lock(hb.lock);
}

void futex_q_unlock(futex_hash_bucket& hb) {
  Scope scope("futex_q_unlock");
  if (!knocked(Knockout::waiters_before_check)) {
    current().set_up.poke(nullptr);
    if (!knocked(Knockout::wait_uncount)) futex_hb_waiters_dec(hb);
  }
  spin_unlock(hb.lock);
}

namespace {

// The node's priority, which was the task's normal one when it was queued: boosting does not count.
int priority_of(int task) {
  return machine.scenario->threads[static_cast<std::size_t>(task)].priority;
}

// The first entry of a lower priority, or the head of the chain.
list_head* first_below(int priority, futex_hash_bucket& hb) {
  const checker::Lock& lock = hb.lock.lock;
  list_head* at = checker::load_under(lock, hb.chain.next);
  while (at != &hb.chain) {
    if (priority_of(checker::load_under(lock, entry_of(linked(at)).task) - 1) < priority) break;
    at = checker::load_under(lock, linked(at).next);
  }
  return at;
}

}  // namespace

void chain_add(futex_q& q, futex_hash_bucket& hb, bool own) {
  list_head* before = &hb.chain;
  if (machine.priorities && !knocked(Knockout::plist_prio)) {
    const int task = own ? current_id() : checker::load_under(hb.lock.lock, q.task) - 1;
    before = first_below(priority_of(task), hb);
  } else if (own && knocked(Knockout::queue_fifo)) {
    before = checker::load_under(hb.lock.lock, hb.chain.next);
  }
  if (own && knocked(Knockout::queue_locked)) spin_unlock(hb.lock);
  plist_add(q.list, *before, hb.lock.lock, own);
}

void __futex_queue(futex_q& q, futex_hash_bucket& hb) {
  Scope scope("__futex_queue");
  if (knocked(Knockout::waiters_before_check)) futex_hb_waiters_inc(hb);
  INIT_LIST_HEAD(q.list);
  chain_add(q, hb, true);
  store_private(q.task, current_id() + 1);
  current().set_up.poke(nullptr);
}

void futex_queue(futex_q& q, futex_hash_bucket& hb) {
  Scope scope("futex_queue");
  __futex_queue(q, hb);
  if (!knocked(Knockout::queue_locked)) spin_unlock(hb.lock);
}

void __futex_unqueue(futex_q& q) {
  Scope scope("__futex_unqueue");
  spinlock_t* const lock_ptr = lock_ptr_under_lock(q);
  warn_on(lock_ptr == nullptr, "__futex_unqueue(): lock_ptr is NULL");
  if (lock_ptr == nullptr) return;
  const checker::Lock& lock = lock_ptr->lock;
  warn_on(!lock.held_by_me(), "__futex_unqueue(): the bucket lock is not held");
  const bool empty = checker::load_under(lock, q.list.next) == &q.list;
  warn_on(empty, "__futex_unqueue(): the entry is not queued");
  if (empty) return;
  if (!knocked(Knockout::unqueue_del)) plist_del(q.list, lock);
  if (!knocked(Knockout::unqueue_count)) futex_hb_waiters_dec(bucket_of(*lock_ptr));
}

int futex_unqueue(futex_q& q) {
  Scope scope("futex_unqueue");
  // The table that lock_ptr points into must not go away while the lock is being taken.
  const bool rcu = !knocked(Knockout::unqueue_rcu);
  if (rcu) rcu_read_lock();
  int ret = 0;
  for (;;) {
    scope.at("retry");
    spinlock_t* lock_ptr = READ_ONCE(q.lock_ptr);
    if (lock_ptr == nullptr) break;
    if (knocked(Knockout::unqueue_read_once)) {
      lock_ptr = read_plain(q.lock_ptr);  // what a compiler could make of a plain read
      if (lock_ptr == nullptr) checker::fault("lifetime", {"futex_unqueue() locks NULL"});
    }
    const bool locked = !knocked(Knockout::unqueue_lock);
    if (locked) spin_lock(*lock_ptr);
    // A pivot may have moved the entry to another bucket meanwhile.
    if (!knocked(Knockout::unqueue_recheck) && read_plain(q.lock_ptr) != lock_ptr) {
      if (locked) spin_unlock(*lock_ptr);
      continue;
    }
    __futex_unqueue(q);
    if (locked) spin_unlock(*lock_ptr);
    ret = 1;
    break;
  }
  scope.at("done", ret);
  if (rcu) rcu_read_unlock();
  return scope.returns(ret);
}

void futex_q_lockptr_lock(futex_q& q) {
  Scope scope("futex_q_lockptr_lock");
  guard_rcu rcu(!knocked(Knockout::lockptr_rcu));
  for (;;) {
    scope.at("retry");
    spinlock_t& lock_ptr = *READ_ONCE(q.lock_ptr);
    spin_lock(lock_ptr);
    if (knocked(Knockout::lockptr_recheck) || read_plain(q.lock_ptr) == &lock_ptr) break;
    spin_unlock(lock_ptr);
  }
  scope.at("locked");
}

void futex_unqueue_pi(futex_q& q) {
  Scope scope("futex_unqueue_pi");
  const checker::Lock& lock = lock_ptr_under_lock(q)->lock;
  const bool queued = checker::load_under_as(lock, q.list.next,
                                             [&q](list_head* next) { return next != &q.list; });
  if (queued || knocked(Knockout::unqueue_pi_test)) __futex_unqueue(q);
  futex_pi_state* const pi_state = checker::load_under(lock, q.pi_state);
  scope.at("put", pi_state, &lock);
  put_pi_state(pi_state);
  checker::store_under(lock, q.pi_state, nullptr);
}

futex_q* futex_top_waiter(futex_hash_bucket& hb, const futex_key& key) {
  Scope scope("futex_top_waiter");
  const checker::Lock& lock = hb.lock.lock;
  list_head* at = checker::load_under(lock, hb.chain.next);
  while (at != &hb.chain) {
    scope.at("entry", at);
    futex_q& q = entry_of(linked(at));
    if (futex_match(checker::load_under(lock, q.key), key)) return scope.returns(&q);
    at = checker::load_under(lock, linked(at).next);
  }
  return scope.returns(static_cast<futex_q*>(nullptr));
}

}  // namespace futexmc::model
