// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one machine that is modelled: pointers to its objects in the arena. Constant while a search
// runs; what changes is in the cells.
#pragma once

#include <array>
#include <vector>

#include "model/kernel/types.hpp"

namespace futexmc::model {

struct mm_struct;
struct futex_private_hash;
struct futex_hash_bucket;
struct futex_q;
struct Variant;
struct run_queue;

/// pi_states that one execution may allocate: the first two of task i are 2i and 2i + 1.
inline constexpr std::size_t kMaxPiStates = 2 * scenario::kMaxThreads;

struct KernelMachine {
  const scenario::Scenario* scenario = nullptr;
  const Variant* variant = nullptr;
  int user_tasks = 0;  ///< the scenario's threads are tasks 0 .. user_tasks-1
  int cpus = 0;
  bool shared_cpus = false;  ///< two threads may be on one CPU
  bool priorities = false;   ///< not all threads have the same
  std::array<task_struct*, kMaxTasks> task{};
  /// A thread's futex_q, and with futex_waitv() its futex_vector, of which that is the first.
  std::array<futex_q*, kMaxTasks> q{};
  std::array<std::array<futex_q*, scenario::kMaxWaiters>, kMaxTasks> waiters{};
  bool uses_pi = false;  ///< some thread calls an operation of pi.c; without, the next are null
  std::array<rt_mutex_waiter*, kMaxTasks> rt_waiter{};  ///< on the stack of who waits
  std::array<futex_pi_state*, kMaxPiStates> pi_state{};
  std::array<futex_private_hash*, kMaxTables> table{};
  std::array<futex_hash_bucket*, 2> global{};
  std::array<Cell<std::int64_t>*, scenario::kMaxWords> word{};
  mm_struct* mm = nullptr;
  rcu_state* rcu = nullptr;
  wait_queue_head* var_waitqueue = nullptr;
  budget_counters* budget = nullptr;
  run_queue* rq = nullptr;  ///< with strict priorities only
};
extern KernelMachine machine;

inline int current_id() { return static_cast<int>(checker::rt.current_id); }
inline task_struct& current() { return *machine.task[checker::rt.current_id]; }

/// Takes one from a budget that has some left. Part of the event or operation at hand.
inline bool spend(Cell<int>& budget) {
  if (budget.peek() == 0) return false;
  budget.poke(budget.peek() - 1);
  return true;
}

}  // namespace futexmc::model
