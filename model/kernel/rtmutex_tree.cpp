// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of an rt-mutex: who owns it, who waits for it in which order, and the priority that an
// owner gets of that. Follows kernel/locking/rtmutex.c.
//
// A red-black tree is one cell here. It changes under a lock, so whether in one step or in many
// cannot be told; that it is kept in order is left to the kernel's own tests of lib/rbtree.c.
#include "model/kernel/rtmutex.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

int owner_of(unsigned owner) { return static_cast<int>(owner / 2) - 1; }
unsigned encode(int task, bool waiters) {
  return static_cast<unsigned>(task + 1) * 2 + (waiters ? RT_MUTEX_HAS_WAITERS : 0);
}

rt_mutex_waiter* waiter_of(std::uint64_t first) {
  const auto task = static_cast<std::size_t>(first & 0xFF);
  return task == 0 ? nullptr : machine.rt_waiter[task - 1];
}

std::uint64_t entry_of_waiter(const rt_mutex_waiter& waiter) {
  std::size_t task = 0;
  while (machine.rt_waiter[task] != &waiter) ++task;
  return task + 1;
}

/// Puts `entry` behind those that are not `after` it.
template <class After>
std::uint64_t inserted(std::uint64_t tree, std::uint64_t entry, After after) {
  int shift = 0;
  while (((tree >> shift) & 0xFF) != 0 && !after(*waiter_of(tree >> shift))) shift += 8;
  const std::uint64_t before = tree & ((1ULL << shift) - 1);
  return before | entry << shift | (tree >> shift) << (shift + 8);
}

std::uint64_t erased(std::uint64_t tree, std::uint64_t entry, const char* missing) {
  int shift = 0;
  while (((tree >> shift) & 0xFF) != 0 && ((tree >> shift) & 0xFF) != entry) shift += 8;
  const bool found = ((tree >> shift) & 0xFF) == entry;
  warn_on(!found, missing);
  if (!found) return tree;
  const std::uint64_t before = tree & ((1ULL << shift) - 1);
  return before | (tree >> shift >> 8) << shift;
}

using Node = rt_waiter_node rt_mutex_waiter::*;

/// rb_add_cached(): behind those of the same priority.
void add_to(waiter_tree& tree, const checker::Lock& lock, rt_mutex_waiter& waiter, Node node) {
  const int prio = checker::load_under(lock, (waiter.*node).prio);
  const std::uint64_t old = checker::load_under(lock, tree);
  const std::uint64_t now = inserted(old, entry_of_waiter(waiter), [&](rt_mutex_waiter& other) {
    return prio < checker::load_under(lock, (other.*node).prio);
  });
  checker::store_under(lock, tree, now);
  checker::store_under(lock, (waiter.*node).queued, true);
}

void erase_from(waiter_tree& tree, const checker::Lock& lock, rt_mutex_waiter& waiter, Node node,
                const char* missing) {
  if (!checker::load_under(lock, (waiter.*node).queued)) return;
  const std::uint64_t old = checker::load_under(lock, tree);
  checker::store_under(lock, tree, erased(old, entry_of_waiter(waiter), missing));
  checker::store_under(lock, (waiter.*node).queued, false);
}

/// Only the bit changes, of which those who do not hold wait_lock see nothing.
void store_bit(rt_mutex_base& lock, bool waiters) {
  checker::Operation op = checker::under(lock.wait_lock.lock, checker::operation(
      "store", lock.owner, checker::Access::write, Order::relaxed, Loc::here()));
  op.access |= checker::kReads;
  checker::announce(op);
  lock.owner.put_protected(encode(owner_of(lock.owner.seen()), waiters));
  checker::remember_done();
}

}  // namespace

int rt_mutex_owner(const rt_mutex_base& lock) {
  return checker::load_under_as(lock.wait_lock.lock, lock.owner, &owner_of);
}

int rt_mutex_owner_unlocked(const rt_mutex_base& lock) {
  return checker::load_as(lock.owner, Order::once, &owner_of);
}

void rt_mutex_set_owner(rt_mutex_base& lock, int task) {
  Scope scope("rt_mutex_set_owner");
  const bool waiters = rt_mutex_has_waiters(lock);
  checker::update(lock.owner, Order::acquire, [task, waiters](unsigned& owner) {
    owner = encode(task, waiters);
    return true;
  }, "xchg_acquire");
}

void rt_mutex_clear_owner(rt_mutex_base& lock) {
  Scope scope("rt_mutex_clear_owner");
  WRITE_ONCE(lock.owner, encode(-1, rt_mutex_has_waiters(lock)));
}

void mark_rt_mutex_waiters(rt_mutex_base& lock) { store_bit(lock, true); }

void fixup_rt_mutex_waiters(rt_mutex_base& lock) {
  Scope scope("fixup_rt_mutex_waiters");
  if (!rt_mutex_has_waiters(lock)) store_bit(lock, false);
}

bool rt_mutex_has_waiters(const rt_mutex_base& lock) {
  return checker::load_under_as(lock.wait_lock.lock, lock.waiters,
                                [](std::uint64_t tree) { return tree != 0; });
}

rt_mutex_waiter* rt_mutex_top_waiter(rt_mutex_base& lock) {
  Scope scope("rt_mutex_top_waiter");
  const checker::Lock& wait_lock = lock.wait_lock.lock;
  rt_mutex_waiter* const top = checker::load_under_as(wait_lock, lock.waiters, &waiter_of);
  if (top != nullptr) {
    warn_on(checker::load_under(wait_lock, top->lock) != &lock,
            "rt_mutex_top_waiter(): the waiter is another lock's");
  }
  return scope.returns(top);
}

int task_of_waiter(rt_mutex_base& lock, const rt_mutex_waiter& waiter) {
  return checker::load_under(lock.wait_lock.lock, waiter.task) - 1;
}

void rt_mutex_enqueue(rt_mutex_base& lock, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_enqueue");
  add_to(lock.waiters, lock.wait_lock.lock, waiter, &rt_mutex_waiter::tree);
}

void rt_mutex_dequeue(rt_mutex_base& lock, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_dequeue");
  erase_from(lock.waiters, lock.wait_lock.lock, waiter, &rt_mutex_waiter::tree,
             "rt_mutex_dequeue(): the waiter is not in the lock's tree");
}

rt_mutex_waiter* task_top_pi_waiter(int task) {
  const task_struct& p = task_of(task);
  return checker::load_under_as(p.pi_lock.lock, p.pi_waiters, &waiter_of);
}

void rt_mutex_enqueue_pi(int task, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_enqueue_pi");
  task_struct& p = task_of(task);
  add_to(p.pi_waiters, p.pi_lock.lock, waiter, &rt_mutex_waiter::pi_tree);
}

void rt_mutex_dequeue_pi(int task, rt_mutex_waiter& waiter) {
  Scope scope("rt_mutex_dequeue_pi");
  task_struct& p = task_of(task);
  erase_from(p.pi_waiters, p.pi_lock.lock, waiter, &rt_mutex_waiter::pi_tree,
             "rt_mutex_dequeue_pi(): the waiter is not in the owner's tree");
}

int waiter_prio(int task) {
  const task_struct& p = task_of(task);
  if (!machine.priorities) return read_immutable(p.prio);
  if (p.pi_lock.lock.held_by_me()) return checker::load_under(p.pi_lock.lock, p.prio);
  return read_plain(p.prio);
}

void waiter_update_prio(rt_mutex_waiter& waiter, int task) {
  Scope scope("waiter_update_prio");
  const checker::Lock& pi_lock = task_of(task).pi_lock.lock;
  warn_on(checker::load_under(pi_lock, waiter.tree.queued),
          "waiter_update_prio(): the waiter is in a tree");
  checker::store_under(pi_lock, waiter.tree.prio, waiter_prio(task));
}

void waiter_clone_prio(rt_mutex_waiter& waiter) {
  Scope scope("waiter_clone_prio");
  const checker::Lock& wait_lock = waiter.lock.peek()->wait_lock.lock;
  checker::recall(wait_lock.index());
  warn_on(checker::load_under(wait_lock, waiter.pi_tree.queued),
          "waiter_clone_prio(): the waiter is in a tree");
  const int prio = checker::load_under(wait_lock, waiter.tree.prio);
  checker::store_under(wait_lock, waiter.pi_tree.prio, prio);
}

void rt_mutex_adjust_prio(rt_mutex_base& lock, int task) {
  Scope scope("rt_mutex_adjust_prio");
  warn_on(rt_mutex_owner(lock) != task, "rt_mutex_adjust_prio(): the task is not the owner");
  rt_mutex_waiter* const top = task_top_pi_waiter(task);
  const checker::Lock& pi_lock = task_of(task).pi_lock.lock;
  rt_mutex_setprio(task, top != nullptr ? checker::load_under(pi_lock, top->task) - 1 : -1);
}

rt_mutex_base* task_blocked_on_lock(int task) {
  Scope scope("task_blocked_on_lock");
  const task_struct& p = task_of(task);
  const rt_mutex_waiter* const waiter = checker::load_under(p.pi_lock.lock, p.pi_blocked_on);
  if (waiter == nullptr) return scope.returns(static_cast<rt_mutex_base*>(nullptr));
  return scope.returns(checker::load_under(p.pi_lock.lock, waiter->lock));
}

}  // namespace futexmc::model
