// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs about a waiter that is queued: others move it, take it off, or replace its table.
#include "model/kernel/sched.hpp"
#include "model/kernel/wait_bit.hpp"
#include "properties/proofs/memory/worlds.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::Order;
using model::machine;
using worlds::entry;
using worlds::new_bucket;
using worlds::new_table;
using worlds::old_bucket;
using worlds::other_bucket;
using worlds::other_word;
using worlds::word;

constexpr checker::Loc kUser{"user", "theorem", 0};

/// And thread 0 is queued on the current table, about to sleep or to give up.
void pending_with_a_waiter() {
  worlds::prepare_pending(1);
  worlds::queue_entry(old_bucket());
}

void unqueue() { result(model::futex_unqueue(entry())); }
void sleep() {
  model::schedule();
  unqueue();
}
void unqueue_and_reuse() {
  const int still_queued = model::futex_unqueue(entry());
  result(still_queued);
  // What the stack is used for next.
  if (still_queued == 0) model::write_plain(entry().list.prev, &new_table().queues[1].chain);
}
void wake() { result(model::futex_wake(word(), 0, 1, ~0U)); }
void store_and_wake() {
  checker::store(word(), 1, Order::relaxed, kUser);
  wake();
}
void put_and_pivot() {
  worlds::put();
  model::futex_pivot_hash(*machine.mm);
}

/// Up to where it would install its own table.
void set_slots() {
  model::wait_for_pivot(*machine.mm, "futex_hash_allocate");
  model::futex_pivot_hash(*machine.mm);
}

void requeue() {
  const std::uint32_t compared = 0;
  result(model::futex_requeue(word(), 0, other_word(), 0, 0, 1, &compared));
}
void store_and_wake_other() {
  checker::store(word(), 1, Order::relaxed, kUser);
  result(model::futex_wake(other_word(), 0, 1, ~0U));
}

}  // namespace

Subject wait_wake_and_pivot(const model::Variant& /*variant*/) {
  return {worlds::kThree, &pending_with_a_waiter,
          {{"waiter", &sleep}, {"waker", &store_and_wake}, {"user", &put_and_pivot}}, 2};
}
Subject wait_wake_pivot_and_prctl(const model::Variant& /*variant*/) {
  return {worlds::kFour, &pending_with_a_waiter,
          {{"waiter", &sleep},
           {"waker", &store_and_wake},
           {"user", &worlds::put},
           {"prctl", &set_slots}},
          2};
}
Subject unqueue_and_pivot(const model::Variant& /*variant*/) {
  return {worlds::kPrivate, &pending_with_a_waiter,
          {{"waiter", &unqueue}, {"user", &put_and_pivot}}, 2};
}

const void* moved_to() { return &new_bucket().lock; }
const void* moved_chain() { return &new_bucket().chain.next; }
std::uint64_t moved_entry() { return checker::to_word(&entry().list); }
const void* moved_count() { return &new_bucket().waiters; }

Subject unqueue_and_wake(const model::Variant& variant) {
  return {worlds::of_two(variant), &worlds::queue_on_current_table,
          {{"waiter", &unqueue_and_reuse}, {"waker", &wake}}, 2};
}
const void* reused_cell() { return &entry().list.prev; }
std::uint64_t reused_value() { return checker::to_word(&new_table().queues[1].chain); }

Subject requeue_and_wake(const model::Variant& /*variant*/) {
  return {worlds::kThree, &worlds::queue_on_current_table,
          {{"waiter", &sleep}, {"requeuer", &requeue}, {"waker", &store_and_wake_other}}, 2};
}

}  // namespace futexmc::properties::proofs::memory
