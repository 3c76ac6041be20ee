// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model B: the semaphore of model A over a private hash that is replaced while it is used.
// Operation for operation the same as pivot.pml; scopes forget a little more than its variables
// do, so its counts are within five per cent of those.
#pragma once

#include "tests/models/private_hash.hpp"

namespace futexmc::models {

struct PivotParameters {
  std::size_t waiters = 1;
  std::size_t wakers = 1;
  int rounds = 1;
  int posts = 1;
  std::size_t resizes = 1;
  PivotMutation mutation = PivotMutation::none;
  /// Check every access to a freed hash, which pivot.pml does not. It finds that a waiter dequeues
  /// itself outside of a read section, as the kernel does not.
  bool whole_lifetime = false;
};

class Pivot final : public checker::Program {
 public:
  explicit Pivot(PivotParameters parameters) : p_(parameters) {}

  void build(checker::Builder& builder) override {
    self_ = this;
    f_ = &builder.make<Cell<int>>("f", "word");
    mm_ = &builder.make<Mm>("mm", "mm_struct");
    for (std::size_t i = 0; i < kMaxHashes; ++i) {
      fph_[i] = &builder.make<Fph>("fph" + std::to_string(i), "futex_private_hash");
    }
    q_ = &builder.make<std::array<Waiter, kMaxCpus>>("q", "waiters");
    mm_->hash.poke(fph_[0]);
    mm_->ref[0].poke(1);
    mm_->cpus.poke(p_.waiters + p_.wakers);
    mm_->mutation.poke(p_.mutation);
    mm_->whole_lifetime.poke(p_.whole_lifetime);
    for (std::size_t i = 0; i < p_.waiters + p_.wakers; ++i) {
      builder.thread({(i < p_.waiters ? "waiter" : "waker") + std::to_string(i), &body, i, false});
    }
    builder.thread({"resizer", &body, p_.waiters + p_.wakers, false});
    builder.thread({"rcu", &body, p_.waiters + p_.wakers + 1, true});
  }

  void check_final(const checker::FinalState& state, checker::Monitor& monitor) override {
    Program::check_final(state, monitor);
    if (!state.blocked.empty() || state.any_faulted) return;
    if (f_->peek() != 0) monitor.violation("condition", "the semaphore is not back at zero");
    for (const Fph* fph : fph_) {
      if (fph->bucket.chain.peek().n == 0 && fph->bucket.waiters.peek() == 0) continue;
      monitor.violation("waiter-count", "a bucket is not empty at the end");
    }
  }

 private:
  static void body(std::uint64_t id) { self_->run(id); }

  void run(std::size_t id) {
    Fph* mine = nullptr;
    auto get = [this, &mine]() -> Bucket& {
      mine = futex_private_hash();
      return mine->bucket;
    };
    auto put = [this, &mine] { futex_ref_put(*mm_, *mine); };
    if (id < p_.waiters) {
      wait_loop(*f_, (*q_)[id], id, p_.rounds, Mutation::none, get, put);
    } else if (id < p_.waiters + p_.wakers) {
      post_loop(*f_, q_->data(), p_.posts, get, put);
    } else if (id == p_.waiters + p_.wakers) {
      resizer();
    } else {
      rcu();
    }
  }

  /// Takes a reference on the current hash, helping a waiting successor in if it is dead.
  Fph* futex_private_hash() {
    Scope scope("futex_private_hash");
    for (;;) {
      scope.at("again");
      rcu_read_lock(mm_->rcu);
      Fph* const fph = checker::load(mm_->hash, Order::acquire);
      const bool got = futex_ref_get(*mm_, *fph);
      scope.at("tried", got ? fph : nullptr);
      rcu_read_unlock(mm_->rcu);
      if (got) return scope.returns(fph);
      futex_pivot_hash();
    }
  }

  void futex_pivot_hash() {
    Scope scope("futex_pivot_hash");
    mm_->lock.acquire("mutex_lock", Loc::here());
    Fph* const fph = checker::load_under(mm_->lock, mm_->hash_new);
    scope.at("locked", fph);
    if (fph != nullptr) {
      checker::store_under(mm_->lock, mm_->hash_new, nullptr);
      futex_pivot_pending(*fph);
    }
    scope.at("pivoted");
    mm_->lock.release("mutex_unlock", "lock", Loc::here());
  }

  /// Installs `next` if the current hash is dead, else leaves it for whoever finds it dead.
  void futex_pivot_pending(Fph& next) {
    Scope scope("futex_pivot_pending");
    Fph* const fph = checker::load_under(mm_->lock, mm_->hash);
    if (!futex_ref_is_dead(*mm_, *fph)) {
      checker::store_under(mm_->lock, mm_->hash_new, &next);
      return;
    }
    scope.at("dead", fph, &next);
    futex_rehash(*fph, next);
    checker::store(next.state, RefState::percpu, Order::plain);
    checker::store(mm_->hash, &next, Order::release);
    get_state_synchronize_rcu();
    call_rcu(mm_->rcu, 2U << hash_number(*fph));
  }

  void futex_rehash(Fph& from, Fph& to) {
    Scope scope("futex_rehash");
    Bucket& old_hb = from.bucket;
    Bucket& new_hb = to.bucket;
    old_hb.lock.acquire("lock", Loc::here());
    for (;;) {
      scope.at("move");
      const int first = chain_first(old_hb);
      if (first < 0) break;
      const auto id = static_cast<std::size_t>(first);
      chain_del(old_hb, id);
      add(old_hb.waiters, -1, "waiters--");
      add(new_hb.waiters, 1, "waiters++");
      new_hb.lock.acquire("lock", Loc::here());
      chain_add(new_hb, id);
      checker::store((*q_)[id].lock_ptr, &new_hb, Order::plain);
      new_hb.lock.release("unlock", "lock", Loc::here());
    }
    scope.at("moved");
    old_hb.lock.release("unlock", "lock", Loc::here());
  }

  void get_state_synchronize_rcu() {
    auto op = checker::operation("get_state_synchronize_rcu", mm_->rcu.started,
                                 checker::Access::read, Order::full, Loc::here());
    op.writes |= checker::footprint(mm_->batches.index());
    checker::announce(op);
    mm_->batches.poke(mm_->rcu.started.peek() + 1);
    checker::remember_done();
  }

  void resizer() {
    Scope scope("resizer");
    for (std::size_t i = 0; i < p_.resizes; ++i) {
      scope.at("resize", i);
      futex_hash_allocate(*fph_[i + 1]);
    }
  }

  void futex_hash_allocate(Fph& allocated) {
    Scope scope("futex_hash_allocate");
    mm_->lock.acquire("mutex_lock", Loc::here());
    Fph* const current = checker::load_under(mm_->lock, mm_->hash);
    Fph* next = checker::load_under(mm_->lock, mm_->hash_new);
    checker::store_under(mm_->lock, mm_->hash_new, nullptr);
    if (next == nullptr) {  // else an earlier request of the same size waits: it will do
      futex_ref_drop(*mm_, *current);
      next = &allocated;
    }
    scope.at("pivot", next);
    futex_pivot_pending(*next);
    scope.at("pivoted");
    mm_->lock.release("mutex_unlock", "lock", Loc::here());
  }

  /// Grace periods and callbacks, one after the other, for ever.
  void rcu() {
    Scope scope("rcu");
    for (;;) {
      scope.at("idle");
      grace_period_start(mm_->rcu);
      unsigned callbacks = grace_period_end(mm_->rcu);
      for (std::size_t i = 0; i < kMaxHashes; ++i) {
        if ((callbacks & (2U << i)) == 0) continue;
        callbacks &= ~(2U << i);
        kfree(*mm_, *fph_[i]);
        scope.at("freed", callbacks);
      }
      scope.at("callback", callbacks);
      if ((callbacks & kRefCallback) == 0) continue;
      Fph& fph = *checker::load(mm_->hash, Order::plain);
      if (checker::load(fph.state, Order::plain) == RefState::percpu) {
        futex_ref_atomic_begin(*mm_, fph);
      } else {
        futex_ref_atomic_end(*mm_, fph);
      }
    }
  }

  std::size_t hash_number(const Fph& fph) const {
    const auto at = std::find(fph_.begin(), fph_.end(), &fph);
    return static_cast<std::size_t>(at - fph_.begin());
  }

  static inline Pivot* self_ = nullptr;
  PivotParameters p_;
  Cell<int>* f_ = nullptr;
  Mm* mm_ = nullptr;
  std::array<Fph*, kMaxHashes> fph_{};
  std::array<Waiter, kMaxCpus>* q_ = nullptr;
};

}  // namespace futexmc::models
