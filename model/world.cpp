// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/world.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/futex/pi.hpp"
#include "model/kernel/alloc.hpp"
#include "model/kernel/rcu.hpp"
#include "model/kernel/sched.hpp"

namespace futexmc::model {

KernelMachine machine;

namespace {

using checker::Builder;

void name_list(Builder& b, list_head& list, const std::string& name) {
  b.name(list.next, name + ".next");
  b.name(list.prev, name + ".prev");
}

void name_bucket(Builder& b, futex_hash_bucket& hb, const std::string& prefix) {
  b.name(hb.waiters, prefix + "waiters");
  checker::arena.layout.name_cell(&hb.lock, prefix + "lock");
  name_list(b, hb.chain, prefix + "chain");
  b.name(hb.priv, prefix + "priv");
}

void make_table(Builder& b, std::size_t i) {
  auto& fph = b.make<futex_private_hash>(fmt::format("fph{}", i), "futex_private_hash");
  machine.table[i] = &fph;
  b.name(fph.state, "state");
  b.name(fph.hash_mask, "hash_mask");
  b.name(fph.custom, "custom");
  b.name(fph.mm, "mm");
  b.name(fph.holders, "holders");
  for (std::size_t slot = 0; slot < fph.queues.size(); ++slot) {
    name_bucket(b, fph.queues[slot], fmt::format("queues[{}].", slot));
  }
}

void make_mm(Builder& b) {
  auto& mm = b.make<mm_struct>("mm", "mm_struct");
  machine.mm = &mm;
  futex_mm_phash& phash = mm.phash;
  b.name(phash.hash, "hash");
  b.name(phash.hash_new, "hash_new");
  checker::arena.layout.name_cell(&phash.lock, "lock");
  b.name(phash.atomic, "atomic");
  b.name(phash.batches, "batches");
  b.name(phash.has_ref, "ref");
  for (std::size_t cpu = 0; cpu < phash.ref.counter.size(); ++cpu) {
    b.name(phash.ref.counter[cpu], fmt::format("ref[{}]", cpu));
  }
  b.name(mm.users, "mm_users");
  b.name(mm.nr_threads, "nr_threads");
}

void make_task(Builder& b, std::size_t i, const std::string& name) {
  auto& task = b.make<task_struct>(name, "task_struct");
  machine.task[i] = &task;
  b.name(task.state, "state");
  b.name(task.read_side, "read_side");
  b.name(task.signal_pending, "signal_pending");
  b.name(task.wake_q, "wake_q");
  b.name(task.cpu, "cpu");
  b.name(task.started, "started");
  b.name(task.timeout.armed, "timeout.armed");
  b.name(task.timeout.task, "timeout.task");
  b.name(task.wait.woken, "wait.woken");
  b.name(task.prio, "prio");
  b.name(task.normal_prio, "normal_prio");
  checker::arena.layout.name_cell(&task.pi_lock, "pi_lock");
  b.name(task.pi_waiters, "pi_waiters");
  b.name(task.pi_blocked_on, "pi_blocked_on");
  b.name(task.pi_state_cache, "pi_state_cache");
}

/// How many futex_q a thread has at once.
std::size_t queue_entries(const scenario::Thread& thread) {
  std::size_t most = 1;
  for (const scenario::Instruction& in : thread.code) {
    if (in.op == scenario::Op::futex_waitv) most = std::max<std::size_t>(most, in.operands);
  }
  return most;
}

void make_queue_entry(Builder& b, std::size_t i, std::size_t at, const std::string& name) {
  auto& q = b.make<futex_q>(at == 0 ? name + ".q" : fmt::format("{}.q[{}]", name, at), "futex_q");
  machine.waiters[i][at] = &q;
  if (at == 0) machine.q[i] = &q;
  name_list(b, q.list, "list");
  b.name(q.task, "task");
  b.name(q.lock_ptr, "lock_ptr");
  b.name(q.key, "key");
  b.name(q.bitset, "bitset");
  b.name(q.pi_state, "pi_state");
  b.name(q.rt_waiter, "rt_waiter");
  b.name(q.requeue_pi_key, "requeue_pi_key");
  b.name(q.requeue_state, "requeue_state");
  b.name(q.drop_fph, "drop_fph");
  checker::arena.layout.unallocated(checker::Liveness::freed);
}

void make_tables(Builder& b, const scenario::Scenario& scenario) {
  for (std::size_t i = 0; i < machine.table.size(); ++i) {
    make_table(b, i);
    checker::arena.layout.unallocated(checker::Liveness::never_allocated);
  }
  for (std::size_t i = 0; i < machine.global.size(); ++i) {
    auto& hb = b.make<futex_hash_bucket>(fmt::format("global{}", i), "futex_hash_bucket");
    machine.global[i] = &hb;
    name_bucket(b, hb, "");
    INIT_LIST_HEAD(hb.chain);
  }
  const bool none = scenario.hash.kind == scenario::Hash::Kind::none;
  if (none || !machine.variant->seams.has_private_hash) return;
  // Installed long ago: the initial reference is counted and a grace period has passed since.
  futex_private_hash& fph = *machine.table[0];
  revive(&fph);
  const bool global = scenario.hash.kind == scenario::Hash::Kind::global;
  fph.hash_mask.poke(global ? 0 : static_cast<unsigned>(scenario.hash.slots) - 1);
  fph.custom.poke(global);
  fph.mm.poke(machine.mm);
  for (int slot = 0; slot < scenario.hash.slots; ++slot) {
    INIT_LIST_HEAD(fph.queues[static_cast<std::size_t>(slot)].chain);
    fph.queues[static_cast<std::size_t>(slot)].priv.poke(&fph);
  }
  machine.mm->phash.hash.poke(&fph);
  machine.mm->phash.has_ref.poke(true);
  machine.mm->phash.ref.counter[0].poke(1);
  machine.mm->phash.ref.ahead.poke(1);
}

void name_rt_mutex(Builder& b, rt_mutex_base& lock) {
  checker::arena.layout.name_cell(&lock.wait_lock, "pi_mutex.wait_lock");
  b.name(lock.waiters, "pi_mutex.waiters");
  b.name(lock.owner, "pi_mutex.owner");
}

void make_pi(Builder& b, const scenario::Scenario& scenario) {
  const std::size_t count = scenario.threads.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto& waiter = b.make<rt_mutex_waiter>(scenario.threads[i].name + ".rt_waiter",
                                           "rt_mutex_waiter");
    machine.rt_waiter[i] = &waiter;
    b.name(waiter.tree.queued, "tree.entry");
    b.name(waiter.tree.prio, "tree.prio");
    b.name(waiter.pi_tree.queued, "pi_tree.entry");
    b.name(waiter.pi_tree.prio, "pi_tree.prio");
    b.name(waiter.task, "task");
    b.name(waiter.lock, "lock");
    checker::arena.layout.unallocated(checker::Liveness::freed);
  }
  for (std::size_t i = 0; i < 2 * count; ++i) {
    auto& pi_state = b.make<futex_pi_state>(fmt::format("pi_state{}", i), "futex_pi_state");
    machine.pi_state[i] = &pi_state;
    name_rt_mutex(b, pi_state.pi_mutex);
    b.name(pi_state.list, "list");
    b.name(pi_state.owner, "owner");
    b.name(pi_state.refcount, "refcount");
    b.name(pi_state.key, "key");
    checker::arena.layout.unallocated(checker::Liveness::never_allocated);
  }
}

void make_tasks(Builder& b, const scenario::Scenario& scenario) {
  const std::size_t count = scenario.threads.size();
  int alive = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const scenario::Thread& thread = scenario.threads[i];
    make_task(b, i, thread.name);
    const int own = static_cast<int>(i) % machine.cpus;
    machine.task[i]->cpu.poke(thread.cpu.value_or(own));
    machine.task[i]->started.poke(!thread.cloned);
    machine.task[i]->normal_prio.poke(scenario::kMaxPriority - thread.priority);
    machine.task[i]->prio.poke(scenario::kMaxPriority - thread.priority);
    machine.priorities |= thread.priority != scenario.threads[0].priority;
    alive += thread.cloned ? 0 : 1;
  }
  make_task(b, count, "rcu worker");
  machine.task[count]->started.poke(true);
  machine.mm->nr_threads.poke(alive);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t at = 0; at < queue_entries(scenario.threads[i]); ++at) {
      make_queue_entry(b, i, at, scenario.threads[i].name);
    }
  }
}

}  // namespace

bool applies(const scenario::Scenario& scenario, const Variant& variant) {
  if (variant.seams.has_private_hash) return true;
  using scenario::Condition;
  using scenario::Op;
  const bool asks = std::any_of(
      scenario.conditions.begin(), scenario.conditions.end(), [](const Condition& condition) {
        return std::any_of(
            condition.postfix.begin(), condition.postfix.end(),
            [](const auto& item) { return item.term == Condition::Term::slots; });
      });
  return !asks && std::none_of(scenario.threads.begin(), scenario.threads.end(), [](const auto& t) {
    return std::any_of(t.code.begin(), t.code.end(), [](const auto& in) {
      return in.op == Op::set_slots || in.op == Op::get_slots;
    });
  });
}

std::size_t agent_count(const scenario::Scenario& scenario) {
  const auto budgeted = static_cast<std::size_t>((scenario.budgets.spurious > 0) +
                                                 (scenario.budgets.signal > 0) +
                                                 (scenario.budgets.migrate > 0));
  std::size_t timers = 0;
  for (const scenario::Thread& thread : scenario.threads) {
    timers += std::any_of(thread.code.begin(), thread.code.end(), [](const auto& in) {
      return (in.flags & scenario::kTimeout) != 0;
    });
  }
  const std::size_t threads = scenario.threads.size();
  return threads + 1 + 3 + kMaxTables + timers + threads * budgeted;
}

void build_world(Builder& b, const scenario::Scenario& scenario, const Variant& variant) {
  machine = {};
  machine.scenario = &scenario;
  machine.variant = &variant;
  machine.user_tasks = static_cast<int>(scenario.threads.size());
  machine.cpus = scenario.cpus != 0 ? scenario.cpus : machine.user_tasks;
  machine.shared_cpus = machine.cpus < machine.user_tasks || scenario.budgets.migrate > 0 ||
                        scenario.strict;
  for (std::size_t i = 0; i < scenario.words.size(); ++i) {
    machine.word[i] = &b.make<UserWord>(scenario.words[i].name, "word");
    machine.word[i]->poke(static_cast<std::uint32_t>(scenario.words[i].initial));
  }
  machine.uses_pi = std::any_of(scenario.threads.begin(), scenario.threads.end(), [](auto& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(),
                       [](const auto& in) { return scenario::is_pi(in.op); });
  });
  make_mm(b);
  machine.rcu = &b.make<rcu_state>("rcu", "rcu_state");
  machine.var_waitqueue = &b.make<wait_queue_head>("var_waitqueue", "wait_queue_head");
  checker::arena.layout.name_cell(&machine.var_waitqueue->lock, "lock");
  b.name(machine.var_waitqueue->head, "head");
  machine.budget = &b.make<budget_counters>("budget", "budget");
  const scenario::Budgets& budgets = scenario.budgets;
  machine.budget->spurious.poke(budgets.spurious);
  machine.budget->signal.poke(budgets.signal);
  machine.budget->fault.poke(budgets.fault);
  machine.budget->migrate.poke(budgets.migrate);
  machine.budget->alloc_fail.poke(budgets.alloc_fail);
  machine.budget->reuse.poke(budgets.reuse);
  make_tables(b, scenario);
  make_tasks(b, scenario);
  if (machine.uses_pi) make_pi(b, scenario);
  for (std::size_t i = 0; i < scenario.threads.size(); ++i) {
    b.thread({scenario.threads[i].name, &run_user_program, i, false});
  }
  add_rcu(b);
  add_allocator(b);
  add_scheduler(b);
}

}  // namespace futexmc::model
