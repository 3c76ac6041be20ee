// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/invariants/invariants.hpp"

#include "model/kernel/sched.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's

bool is_live(const void* object) {
  return !checker::arena.layout.dead(checker::cell_index(object));
}

bool sleeper(bool in_futex) {
  for (int task = 0; task < machine.user_tasks; ++task) {
    const task_struct& p = *machine.task[static_cast<std::size_t>(task)];
    if (p.futex_wait.peek() == in_futex && asleep(task)) return true;
  }
  return false;
}

bool is_queued(const futex_q& q) {
  const list_head* const next = q.list.next.peek();
  return next != nullptr && next != &q.list;
}

const futex_hash_bucket& bucket_for(const futex_key& key) {
  futex_private_hash* const fph = futex_key_is_private(key) ? machine.mm->phash.hash.peek()
                                                            : nullptr;
  const unsigned mask = fph != nullptr ? fph->hash_mask.peek() : 0;
  if (mask != 0) return *__futex_hash_private(key, fph, mask);
  return *global_bucket(key);
}

std::vector<const futex_q*> chain_of(const futex_hash_bucket& hb) {
  std::vector<const futex_q*> chain;
  const list_head* at = hb.chain.next.peek();
  while (at != nullptr && at != &hb.chain && chain.size() <= kMaxTasks * scenario::kMaxWaiters) {
    chain.push_back(reinterpret_cast<const futex_q*>(at));
    at = at->next.peek();
  }
  return chain;
}

std::vector<const futex_hash_bucket*> all_buckets() {
  std::vector<const futex_hash_bucket*> buckets(machine.global.begin(), machine.global.end());
  for (const futex_private_hash* fph : machine.table) {
    if (!is_live(fph)) continue;
    const unsigned mask = fph->hash_mask.peek();
    for (unsigned i = 0; mask != 0 && i <= mask; ++i) buckets.push_back(&fph->queues[i]);
  }
  return buckets;
}

int slots_now() {
  const futex_private_hash* const fph = machine.mm->phash.hash.peek();
  const unsigned mask = fph != nullptr ? fph->hash_mask.peek() : 0;
  return mask != 0 ? static_cast<int>(mask + 1) : 0;
}

const std::string& thread_name(int task) {
  return machine.scenario->threads[static_cast<std::size_t>(task)].name;
}

}  // namespace futexmc::properties
