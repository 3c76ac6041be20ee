// SPDX-License-Identifier: GPL-2.0-or-later
//
// Properties of PI futexes: pi-owner, boost. And what a pi_state that is left behind is.
#include <algorithm>
#include <string_view>

#include "model/futex/pi.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's

namespace {

bool is_free(const spinlock_t& lock) { return lock.lock.owner() == 0; }

int rt_owner(const rt_mutex_base& lock) { return static_cast<int>(lock.owner.peek() / 2) - 1; }

const rt_mutex_waiter* first_waiter(std::uint64_t tree) {
  return (tree & 0xFF) == 0 ? nullptr : machine.rt_waiter[(tree & 0xFF) - 1];
}

/// In user space, or done: not inside a system call.
bool is_in_user_space(int task) {
  const checker::Thread& thread = checker::thread_record(static_cast<std::size_t>(task));
  return thread.status == checker::Status::finished ||
         (thread.status == checker::Status::ready &&
          std::string_view(checker::function_of(thread)) == "user");
}

/// Calls `visit(pi_state, word)` for those that have waiters and whose wait_lock is free, if user
/// space has left the word alone.
template <class Visit>
bool each_pi_state(Visit visit) {
  bool any = false;
  for (const futex_pi_state* pi_state : machine.pi_state) {
    if (pi_state == nullptr || !is_live(pi_state)) continue;
    if (!is_free(pi_state->pi_mutex.wait_lock)) continue;
    std::uint32_t word = 0;
    for_each_q([&](int /*task*/, const futex_q& q) {
      if (is_live(&q) && q.pi_state.peek() == pi_state && is_queued(q)) {
        word = pi_state->key.peek().word;
      }
    });
    const std::uint64_t meddled = machine.mm->meddled.peek();
    if (word == 0 || (meddled >> (word - 1) & 1) != 0) continue;
    any = true;
    visit(*pi_state, word - 1);
  }
  return any;
}

}  // namespace

bool pi_owner(checker::Monitor& monitor) {
  return each_pi_state([&](const futex_pi_state& pi_state, std::uint32_t word) {
    const std::string& name = machine.scenario->words[word].name;
    const auto value = static_cast<std::uint32_t>(machine.word[word]->peek());
    const int owner = pi_state.owner.peek() - 1;
    const std::uint32_t pid = value & FUTEX_TID_MASK;
    if (owner >= 0 && pid != task_pid_vnr(owner) && (pid != 0 || (value & FUTEX_OWNER_DIED) == 0)) {
      monitor.violation("pi-owner", name + " and its pi_state name different owners");
    }
    if ((value & FUTEX_WAITERS) == 0) {
      monitor.violation("pi-owner", name + " has waiters and does not say so");
    }
    const int holder = rt_owner(pi_state.pi_mutex);
    if (holder == owner) return;
    if (owner >= 0 && is_in_user_space(owner)) {
      monitor.violation("pi-owner", thread_name(owner) + ", which " + name +
                                        " names, does not own the rt-mutex");
    }
    if (holder >= 0 && is_in_user_space(holder)) {
      monitor.violation("pi-owner", thread_name(holder) + " owns the rt-mutex, and " + name +
                                        " names another");
    }
  });
}

namespace {

/// No lock of an rt-mutex is held and no change of a priority under way: between two steps of a
/// walk, waiters and owners may differ.
bool is_quiet() {
  for (int task = 0; task < machine.user_tasks; ++task) {
    if (task_of(task).pi_walk.peek() || !is_free(task_of(task).pi_lock)) return false;
  }
  return std::all_of(machine.pi_state.begin(), machine.pi_state.end(), [](const auto* pi_state) {
    return pi_state == nullptr || !is_live(pi_state) || is_free(pi_state->pi_mutex.wait_lock);
  });
}

/// The waiter is in the owner's pi_waiters.
bool inherits_from(int owner, const rt_mutex_waiter& waiter) {
  for (std::uint64_t tree = task_of(owner).pi_waiters.peek(); tree != 0; tree >>= 8) {
    if (first_waiter(tree) == &waiter) return true;
  }
  return false;
}

/// No task has a priority that nobody gives it, and who is blocked waits with the one that it has.
void no_stale_priority(checker::Monitor& monitor) {
  for (int task = 0; task < machine.user_tasks; ++task) {
    const task_struct& p = task_of(task);
    int prio = p.normal_prio.peek();
    if (const rt_mutex_waiter* const top = first_waiter(p.pi_waiters.peek())) {
      prio = std::min(prio, top->pi_tree.prio.peek());
    }
    if (p.prio.peek() != prio) {
      monitor.violation("boost", thread_name(task) + " has a priority that nobody gives it");
    }
    const rt_mutex_waiter* const waiter = p.pi_blocked_on.peek();
    if (waiter != nullptr && waiter->tree.prio.peek() != p.prio.peek()) {
      monitor.violation("boost", thread_name(task) + " waits with another priority than its own");
    }
  }
}

}  // namespace

bool boost(checker::Monitor& monitor) {
  if (!machine.priorities || !is_quiet()) return false;
  bool any = false;
  for (const futex_pi_state* pi_state : machine.pi_state) {
    if (pi_state == nullptr || !is_live(pi_state)) continue;
    const rt_mutex_waiter* const top = first_waiter(pi_state->pi_mutex.waiters.peek());
    const int owner = rt_owner(pi_state->pi_mutex);
    if (owner < 0 || top == nullptr) continue;
    any = true;
    if (!inherits_from(owner, *top)) {
      monitor.violation("boost", thread_name(owner) + " owns a lock and does not inherit from its "
                                                      "first waiter");
    } else if (task_of(owner).prio.peek() > top->tree.prio.peek()) {
      monitor.violation("boost",
                        thread_name(owner) + " owns a lock and runs below who waits for it");
    }
  }
  no_stale_priority(monitor);
  return any;
}

bool is_leaked(const futex_pi_state& pi_state) {
  if (!is_live(&pi_state)) return false;
  for (int task = 0; task < machine.user_tasks; ++task) {
    if (task_of(task).pi_state_cache.peek() == &pi_state) return false;
  }
  return true;
}

}  // namespace futexmc::properties
