// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small programs under test for traces, with the kernel's names so that explanations read like
// changelogs, and schedules for them.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "checker/lock.hpp"
#include "checker/program.hpp"
#include "checker/scope.hpp"
#include "checker/search.hpp"

namespace futexmc::traces {

using checker::Cell;
using checker::Loc;
using checker::Order;
using checker::Scope;

/// A schedule without alternatives: agent, how many steps; again and again.
inline checker::Path schedule(std::initializer_list<std::pair<int, int>> turns) {
  checker::Path path;
  for (const auto& [agent, steps] : turns) {
    for (int i = 0; i < steps; ++i) path.push_back({static_cast<std::uint8_t>(agent), 0});
  }
  return path;
}

/// One futex word, one bucket; each waiter waits while the word is 0, each waker sets it to 1.
class OneBucket final : public checker::Program {
 public:
  enum class Count { early, late };
  OneBucket(std::size_t waiters, std::size_t wakers, Count count)
      : waiters_(waiters), wakers_(wakers), count_(count) {}

  void build(checker::Builder& builder) override {
    self_ = this;
    f_ = &builder.make<Cell<int>>("f", "word");
    builder.name(*f_, "value");
    hb_ = &builder.make<Bucket>("hb", "futex_hash_bucket");
    builder.name(hb_->waiters, "waiters");
    builder.name(hb_->first, "chain.first");
    builder.name(hb_->last, "chain.last");
    builder.name(hb_->length, "chain.length");
    arena_name(builder, hb_->lock);
    for (std::size_t i = 0; i < waiters_ + wakers_; ++i) {
      const std::string name =
          (i < waiters_ ? "waiter" : "waker") + std::to_string(i < waiters_ ? i : i - waiters_);
      state_[i] = &builder.make<Cell<int>>(name, "task_struct");
      builder.name(*state_[i], "__state");
      builder.thread({name, &body, i, false});
    }
  }

 private:
  struct Bucket {
    Cell<int> waiters;
    checker::Lock lock;
    Cell<int> first, last, length;
  };
  static void arena_name(checker::Builder& builder, const checker::Lock& lock) {
    builder.name(reinterpret_cast<const Cell<std::uint64_t>&>(lock), "lock");
  }
  static void body(std::uint64_t id) {
    if (id < self_->waiters_) {
      self_->futex_wait(static_cast<int>(id));
    } else {
      self_->futex_wake();
    }
  }

  void atomic_inc(Cell<int>& cell, int d, const char* name, Loc loc = Loc::here()) {
    checker::announce(checker::operation(name, cell, checker::Access::write, Order::full, loc));
    cell.poke(cell.peek() + d);
    checker::remember_done();
  }

  void futex_wait(int id) {
    Scope scope("futex_wait");
    if (count_ == Count::early) atomic_inc(hb_->waiters, 1, "atomic_inc");
    hb_->lock.acquire("spin_lock", Loc::here());
    if (checker::load(*f_, Order::once, Loc::here(), "get_user") != 0) {
      hb_->lock.release("spin_unlock", "lock", Loc::here());
      return;
    }
    if (count_ == Count::late) atomic_inc(hb_->waiters, 1, "atomic_inc");
    futex_queue(id);
    auto op = checker::operation("schedule", *state_[static_cast<std::size_t>(id)],
                                 checker::Access::read, Order::plain, Loc::here());
    op.guard = {.value = 0, .function = nullptr, .cell = op.cell,
                .kind = checker::Guard::Kind::equal};
    checker::announce(op);
    checker::remember_done();
  }

  void futex_queue(int id) {
    Scope scope("futex_queue");
    checker::store(*state_[static_cast<std::size_t>(id)], 1, Order::full, Loc::here(),
                   "set_current_state");
    const int length = checker::load_under(hb_->lock, hb_->length);
    checker::store_under(hb_->lock, length == 0 ? hb_->first : hb_->last, id + 1);
    checker::store_under(hb_->lock, hb_->length, length + 1);
    hb_->lock.release("spin_unlock", "lock", Loc::here());
  }

  void futex_wake() {
    checker::store(*f_, 1, Order::once, Loc::here(), "WRITE_ONCE");
    Scope scope("futex_wake");
    if (checker::load(hb_->waiters, Order::relaxed, Loc::here(), "atomic_read") == 0) return;
    hb_->lock.acquire("spin_lock", Loc::here());
    const int length = checker::load_under(hb_->lock, hb_->length);
    std::array<int, 2> ids{};
    ids[0] = checker::load_under(hb_->lock, hb_->first);
    ids[1] = checker::load_under(hb_->lock, hb_->last);
    checker::store_under(hb_->lock, hb_->length, 0);
    hb_->lock.release("spin_unlock", "lock", Loc::here());
    for (int i = 0; i < length; ++i) {
      checker::store(*state_[static_cast<std::size_t>(ids[static_cast<std::size_t>(i)] - 1)], 0,
                     Order::full, Loc::here(), "wake_up_process");
    }
  }

  static inline OneBucket* self_ = nullptr;
  std::size_t waiters_;
  std::size_t wakers_;
  Count count_;
  Cell<int>* f_ = nullptr;
  Bucket* hb_ = nullptr;
  std::array<Cell<int>*, 8> state_{};
};

/// A reader of a table that a grace period frees; `guarded`, in an RCU section, which holds the
/// grace period up.
class Freed final : public checker::Program {
 public:
  explicit Freed(bool guarded) : guarded_(guarded) {}

  void build(checker::Builder& builder) override {
    self_ = this;
    mm_ = &builder.make<Mm>("mm", "mm_struct");
    builder.name(mm_->phash, "phash");
    builder.name(mm_->readers, "readers");
    builder.name(mm_->dead, "dead");
    fph_ = &builder.make<Cell<int>>("fph", "futex_private_hash");
    builder.name(*fph_, "state");
    liveness_ = arena_object(fph_->index());
    builder.thread({"reader", [](std::uint64_t) { self_->futex_ref_get(); }, 0, false});
    builder.thread({"resizer", [](std::uint64_t) { self_->futex_rehash(); }, 0, false});
    builder.event({"gp_end", true, [](std::uint64_t) { return self_->can_end(); },
                   [](std::uint64_t) { self_->end(); }});
    mm_->phash.poke(fph_);
  }

 private:
  struct Mm {
    Cell<Cell<int>*> phash;
    Cell<int> readers;
    Cell<bool> dead;
  };
  static std::uint32_t arena_object(std::uint32_t cell) {
    return checker::arena.layout.object_of(cell).liveness;
  }
  bool can_end() const { return mm_->dead.peek() && mm_->readers.peek() == 0; }
  void end() const {
    mm_->dead.poke(false);
    checker::arena.write_cell(liveness_, checker::to_word(checker::Liveness::freed), true);
  }

  void section(int depth, const char* name) {
    checker::announce(checker::operation(name, mm_->readers, checker::Access::write, Order::plain,
                                         Loc::here()));
    mm_->readers.poke(depth);
    checker::remember_done();
  }
  void futex_ref_get() {
    Scope scope("futex_ref_get");
    if (guarded_) section(1, "rcu_read_lock");
    Cell<int>* const fph = checker::load(mm_->phash, Order::once, Loc::here(), "rcu_dereference");
    if (fph != nullptr) checker::load(*fph, Order::once, Loc::here(), "READ_ONCE");
    if (guarded_) section(0, "rcu_read_unlock");
  }
  void futex_rehash() {
    Scope scope("futex_rehash");
    checker::store(mm_->phash, nullptr, Order::release, Loc::here(), "rcu_assign_pointer");
    checker::store(mm_->dead, true, Order::plain, Loc::here(), "kvfree_rcu");
  }

  static inline Freed* self_ = nullptr;
  bool guarded_;
  Mm* mm_ = nullptr;
  Cell<int>* fph_ = nullptr;
  std::uint32_t liveness_ = 0;
};

/// Copies from user memory, which fails if the search says so (where it `may_fault`); a second
/// thread spins until the first is done, and something is wrong after a failed copy.
class Copy final : public checker::Program {
 public:
  explicit Copy(bool may_fault) : may_fault_(may_fault) {}

  void build(checker::Builder& builder) override {
    self_ = this;
    done_ = &builder.make<Cell<int>>("done", "flag");
    builder.thread({"spinner", [](std::uint64_t) { self_->spin(); }, 0, false});
    builder.thread({"copier", [](std::uint64_t) { self_->copy(); }, 0, false});
  }
  void check_state(checker::Monitor& monitor) override {
    if (done_->peek() == 2) monitor.violation("condition", "the copy failed");
  }

 private:
  void copy() {
    Scope scope("copy");
    checker::Operation op{.name = "copy_from_user", .loc = Loc::here()};
    op.alternatives = may_fault_ ? 2 : 1;
    checker::announce(op);
    const bool failed = checker::remember(may_fault_ && checker::chosen() == 1);
    checker::store(*done_, failed ? 2 : 1, Order::once, Loc::here(), "WRITE_ONCE");
  }
  void spin() {
    Scope scope("spin");
    for (;;) {
      scope.at("again");
      if (checker::load(*done_, Order::once, Loc::here(), "READ_ONCE") != 0) return;
    }
  }

  static inline Copy* self_ = nullptr;
  bool may_fault_;
  Cell<int>* done_ = nullptr;
};

}  // namespace futexmc::traces
