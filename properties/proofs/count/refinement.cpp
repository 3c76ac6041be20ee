// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a thread stands is read off what identifies it anyway: the functions that it is in, the
// operation that it does next, and what its functions show of their locals (Scope::show()).
#include "properties/proofs/count/refinement.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include <fmt/format.h>

#include "checker/assert.hpp"
#include "model/kernel/rcu.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties::proofs::count {
namespace {

using checker::Operation;
using checker::Scope;
using model::futex_private_hash;
using model::machine;

constexpr std::size_t kMaxFailures = 20;

/// The functions that matter here.
enum Function : std::uint8_t {
  kGet, kPut, kLookupScope, kBucket, kRehash, kWakeVar, kEnd, kBeginScope, kDropScope, kCallback,
  kPivotScope, kPending, kIsDead, kWaitWoken, kRemove, kPivotLookup, kFunctions
};
constexpr std::array<std::string_view, kFunctions> kNames = {
    "futex_ref_get", "futex_ref_put", "futex_hash", "__futex_hash", "futex_rehash_private",
    "wake_up_var", "__futex_ref_atomic_end", "__futex_ref_atomic_begin", "futex_ref_drop",
    "futex_ref_rcu", "__futex_pivot_hash", "futex_pivot_pending", "futex_ref_is_dead", "wait_woken",
    "remove_wait_queue", "futex_pivot_hash"};

/// Names of scopes are literals: the address tells which it is once it has been looked at.
Function function_at(const char* name) {
  static std::unordered_map<const char*, Function> known;
  const auto [it, fresh_one] = known.emplace(name, kFunctions);
  if (fresh_one) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    it->second = static_cast<Function>(found - kNames.begin());
  }
  return it->second;
}

/// A thread of the model that has neither finished nor faulted, before its next operation.
class Standing {
 public:
  explicit Standing(std::size_t id)
      : id_(id), thread_(checker::thread_record(id)),
        ready_(thread_.status == checker::Status::ready) {
    if (!ready_) return;
    for (const Scope* scope = innermost(); scope != nullptr; scope = scope->parent()) {
      const Function function = function_at(scope->name());
      if (scope == innermost()) innermost_ = function;
      functions_ |= 1U << function;
    }
  }

  bool ready() const { return ready_; }
  const Operation& next() const { return thread_.pending; }
  bool does(std::string_view name) const { return ready_ && name == next().name; }
  bool calls_from(std::string_view function) const {
    return ready_ && next().loc.function != nullptr && function == next().loc.function;
  }
  template <class C>
  bool uses(const C& cell) const {
    return ready_ && next().cell == cell.index();
  }
  bool in(Function function) const { return (functions_ >> function & 1) != 0; }
  bool directly_in(Function function) const { return innermost_ == function; }
  const Scope* innermost() const { return thread_.scope; }
  /// The outermost scope of that function, which the thread is in.
  const Scope& scope_of(Function function) const {
    const Scope* found = nullptr;
    for (const Scope* scope = innermost(); scope != nullptr; scope = scope->parent()) {
      if (function_at(scope->name()) == function) found = scope;
    }
    FUTEXMC_ASSERT(found != nullptr, "a function that the thread is not in");
    return *found;  // cppcheck-suppress nullPointer
  }
  bool marked() const { return machine.task[id_]->read_side.peek().blocks_gp; }
  bool on_wait_queue() const {
    return ready_ && (machine.var_waitqueue->head.peek() >> id_ & 1) != 0;
  }
  bool woken() const { return machine.task[id_]->wait.woken.peek(); }

 private:
  std::size_t id_;
  const checker::Thread& thread_;
  bool ready_;
  Function innermost_ = kFunctions;
  std::uint32_t functions_ = 0;
};

/// The table that the cell is a part of.
const futex_private_hash* table_of(std::uint32_t cell) {
  for (const futex_private_hash* table : machine.table) {
    if (table == nullptr) continue;
    const std::uint32_t first = checker::cell_index(table);
    if (cell >= first && cell < first + sizeof(futex_private_hash) / 8) return table;
  }
  return nullptr;
}

class Mapping {
 public:
  State<Numbers> run() {
    memory();
    for (std::size_t id = 0; id <= static_cast<std::size_t>(machine.user_tasks); ++id) {
      const Standing thread(id);
      if (!thread.ready()) continue;
      lookup(thread);
      put_of(thread);
      transition(thread);
      pivot_of(thread);
      waits(thread);
    }
    s_[mutex] = holder();
    return s_;
  }

 private:
  const model::futex_mm_phash& phash() const { return machine.mm->phash; }
  const futex_private_hash* now() const { return phash().hash.peek(); }

  void memory() {
    const futex_private_hash* const table = now();
    s_[has] = table != nullptr;
    s_[global] = table != nullptr && table->hash_mask.peek() == 0;
    s_[state] = table != nullptr ? table->state.peek() : 0;
    s_[atomic] = scaled(phash().atomic.peek());
    s_[ref] = phash().has_ref.peek();
    s_[ahead] = phash().ref.ahead.peek();
    s_[behind] = phash().ref.behind.peek();
    s_[users] = machine.mm->users.peek();
    s_[period] = machine.rcu->in_progress.peek();
    s_[batches] = phash().batches.peek();
    s_[fresh] = phash().hash_new.peek() != nullptr;
    s_[callback] = stage(model::kRefCallback);
    std::uint64_t frees = 0;
    for (std::size_t i = 0; i < machine.table.size(); ++i) frees |= model::free_callback(i);
    s_[freeing] = stage(frees);
    for (const futex_private_hash* one : machine.table) {
      if (one == nullptr || !is_live(one)) continue;
      s_[one == table ? held : old_held] += one->holders.peek();
    }
    // Unless a thread stands at one of the places in between.
    if (s_[callback] != 0) s_[phase] = s_[state] != 0 ? kWaits : kWaitsEarly;
    else s_[phase] = s_[state] != 0 ? kDraining : kIdle;
  }

  /// The system's kBias stands for LONG_MAX, which a get may carry past the sign.
  static long scaled(long value) {
    const auto above = static_cast<long>(static_cast<unsigned long>(value) - LONG_MAX);
    const bool biased = above > -kBias / 2 && above < kBias / 2;
    return biased ? kBias + above : value;
  }

  /// How far the least advanced of these callbacks is.
  static long stage(std::uint64_t bits) {
    if ((machine.rcu->next.peek() & bits) != 0) return 1;
    if ((machine.rcu->waiting.peek() & bits) != 0) return 2;
    return (machine.rcu->done.peek() & bits) != 0 ? 3 : 0;
  }

  void lookup(const Standing& thread) {
    const bool m = thread.marked();
    if (thread.in(kGet)) {
      const bool current = thread.scope_of(kGet).shown() == checker::to_word(now());
      if (thread.does("preempt_enable")) return;
      if (thread.does("__this_cpu_inc")) {
        ++s_[!current ? old_percpu : m ? percpu_m : percpu];
      } else if (thread.uses(phash().atomic)) {
        ++s_[current ? (m ? inc_m : inc) : (m ? old_inc_m : old_inc)];
      } else {
        ++s_[current ? (m ? loaded_m : loaded) : (m ? old_loaded_m : old_loaded)];
      }
      return;
    }
    // Between the load of the pointer and the get the table's mask is read, or a back pointer.
    // A lookup that pivots hashes the waiters that it moves.
    const bool found = thread.directly_in(kBucket) && thread.in(kLookupScope) &&
                       !thread.in(kRehash);
    if (!found && !thread.directly_in(kLookupScope)) return;
    const futex_private_hash* const table = table_of(thread.next().cell);
    if (table == nullptr || table->hash_mask.peek() == 0) return;
    ++s_[table == now() ? (m ? loaded_m : loaded) : (m ? old_loaded_m : old_loaded)];
  }

  void put_of(const Standing& thread) {
    if (!thread.in(kPut)) return;
    if (thread.does("__this_cpu_dec")) ++s_[thread.marked() ? dec_m : dec];
    else if (thread.uses(phash().atomic)) ++s_[put];
    // It has put the last reference, and is about to wake.
    if (thread.does("preempt_enable") && thread.scope_of(kPut).result() != 0) ++s_[wakes];
  }

  void transition(const Standing& thread) {
    if (thread.in(kWakeVar)) ++s_[wakes];
    if (thread.in(kEnd)) {
      if (thread.in(kWakeVar) || thread.uses(machine.mm->users)) {
        ++s_[tails];
      } else if (thread.does("this_cpu_inc") || thread.uses(phash().atomic)) {
        s_[phase] = thread.uses(phash().atomic) ? kAdding : kSummed;
        s_[folded] = static_cast<int>(thread.scope_of(kEnd).shown());
      } else {
        s_[phase] = kFolding;
      }
    } else if (thread.in(kBeginScope)) {
      s_[phase] = kBegin;
      if (thread.does("smp_store_release")) s_[phase] = kBiased;
      if (thread.does("call_rcu_hurry")) s_[phase] = kAtomic;
    } else if (thread.in(kDropScope)) {
      if (thread.does("poll_state_synchronize_rcu")) s_[phase] = kKept;
      if (thread.does("call_rcu_hurry")) s_[phase] = kEarly;
    } else if (thread.in(kCallback)) {
      s_[phase] = kCalled;
    }
  }

  void pivot_of(const Standing& thread) {
    if (!thread.in(kPivotScope)) return;
    const bool replaces = phash().rehashing.peek() != 0;
    if (thread.does("get_state_synchronize_rcu")) s_[pivot] = replaces ? kPublished : kFirst;
    else if (thread.does("kvfree_rcu")) s_[pivot] = kReplaced;
    else if (replaces) s_[pivot] = kDead;
  }

  /// futex_pivot_pending() has its answer, which it gives once the locks are dropped.
  static bool decided(const Standing& thread) {
    return thread.does("mutex_unlock") ||
           (thread.directly_in(kIsDead) && thread.does("rcu_read_unlock"));
  }

  void waits(const Standing& thread) {
    if (!thread.on_wait_queue() || thread.in(kRemove)) return;
    bool will_sleep = false;
    if (thread.in(kPending)) {
      if (decided(thread)) {
        if (thread.innermost()->result() != 0) return;
        will_sleep = true;
      }
    } else if (thread.in(kWaitWoken)) {
      will_sleep = !thread.does("smp_store_mb");
    }
    ++s_[will_sleep && !thread.woken() ? sleeps : tests];
  }

  /// What the holder of phash.lock is about.
  long holder() const {
    const std::uint64_t owner = phash().lock.lock.owner();
    if (owner == 0) return kFree;
    const Standing thread(owner - 1);
    if (thread.in(kPending)) return decided(thread) ? kDone : kTest;
    if (thread.in(kPivotScope)) return kTable;
    if (thread.in(kDropScope)) return kDrop;
    if (thread.does("mutex_unlock") || thread.does("kvfree")) return kDone;
    if (thread.directly_in(kPivotLookup)) return kLookup;
    const bool looks = thread.calls_from("install") &&
                       (thread.uses(phash().hash) || thread.uses(phash().hash_new));
    // hash_new has been taken away, and whether there was a table shows in the phase.
    const bool tests_global = thread.calls_from("is_global_for_good") && s_[phase] == kIdle;
    return looks || tests_global ? kInstall : kTable;
  }

  State<Numbers> s_{};
};

}  // namespace

State<Numbers> abstraction() { return Mapping().run(); }

std::string describe(const State<Numbers>& of) {
  std::string text;
  for (std::size_t i = 0; i < kFields; ++i) {
    if (of.values[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kFieldNames[i], of.values[i]);
  }
  return text;
}

std::size_t Refinement::Hash::operator()(const State<Numbers>& of) const {
  checker::Hash128 hash{};
  for (const long value : of.values) {
    hash = checker::append(hash, static_cast<std::uint64_t>(value));
  }
  return hash.a;
}

void Refinement::begin() { number(abstraction()); }

void Refinement::before() {
  from_ = abstraction();
  from_number_ = number(from_);
}

void Refinement::after() {
  const State<Numbers> to = abstraction();
  ++operations;
  if (to.values == from_.values) return;
  ++steps;
  if (checked_.insert(from_number_ << 32 | number(to)).second) check_step(from_, to);
}

std::uint64_t Refinement::number(const State<Numbers>& of) {
  const auto [it, fresh_one] = ids_.emplace(of, ids_.size());
  if (fresh_one) {
    for (const auto& fact : system_.facts(numbers_, of)) {
      if (fact.term || broken.size() >= kMaxFailures) continue;
      broken.push_back(fmt::format("{} does not hold: {}", fact.name, describe(of)));
    }
  }
  return it->second;
}

void Refinement::check_step(const State<Numbers>& from, const State<Numbers>& to) {
  bool found = false;
  system_.rules(numbers_, from, [&](const char* name, Kind, bool guard, const auto& update) {
    if (!guard || found) return;
    State<Numbers> next = from;
    update(next);
    if (next.values != to.values) return;
    found = true;
    rules.insert(name);
  });
  if (found || unmapped.size() >= kMaxFailures) return;
  std::string changed;
  for (std::size_t i = 0; i < kFields; ++i) {
    if (from.values[i] == to.values[i]) continue;
    changed += fmt::format(" {} {} -> {}", kFieldNames[i], from.values[i], to.values[i]);
  }
  unmapped.push_back(fmt::format("{} from: {}", changed.substr(1), describe(from)));
}

}  // namespace futexmc::properties::proofs::count
