// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model A: a counting semaphore over wait and wake with one bucket. Operation for operation the
// same as semaphore.pml, so that the two state counts must be equal.
#pragma once

#include <algorithm>
#include <array>

#include "checker/lock.hpp"
#include "checker/program.hpp"
#include "checker/scope.hpp"

namespace futexmc::models {

using checker::Cell;
using checker::Loc;
using checker::Order;
using checker::Scope;

/// A chain of waiters as one cell: n, then the queued threads plus one, oldest first.
struct Chain {
  std::uint8_t n;
  std::array<std::uint8_t, 7> id;
};

struct Bucket {
  Cell<int> waiters;
  checker::Lock lock;
  Cell<Chain> chain;
};

struct Waiter {
  Cell<Bucket*> lock_ptr;
  Cell<bool> on_list;
  Cell<int> state;
};

inline void chain_add(Bucket& hb, std::size_t id) {
  auto op = checker::under(hb.lock, checker::operation("chain_add", hb.chain,
                                                       checker::Access::write, Order::plain,
                                                       Loc::here()));
  checker::announce(op);
  Chain chain = hb.chain.peek();
  chain.id[chain.n++] = static_cast<std::uint8_t>(id + 1);
  hb.chain.poke(chain);
  checker::remember_done();
}

inline void chain_del(Bucket& hb, std::size_t id) {
  auto op = checker::under(hb.lock, checker::operation("chain_del", hb.chain,
                                                       checker::Access::write, Order::plain,
                                                       Loc::here()));
  checker::announce(op);
  const Chain chain = hb.chain.peek();
  Chain left{};
  for (std::size_t i = 0; i < chain.n; ++i) {
    if (chain.id[i] != id + 1) left.id[left.n++] = chain.id[i];
  }
  hb.chain.poke(left);
  checker::remember_done();
}

/// The oldest waiter, or -1.
inline int chain_first(const Bucket& hb) {
  auto op = checker::under(hb.lock, checker::operation("chain_first", hb.chain,
                                                       checker::Access::read, Order::plain,
                                                       Loc::here()));
  checker::announce(op);
  return checker::remember(static_cast<int>(hb.chain.peek().id[0])) - 1;
}

inline void add(Cell<int>& cell, int d, const char* name) {
  checker::update(cell, Order::full, [d](int& v) { v += d; return 0; }, name);
}

/// A mutation that the checker must find.
enum class Mutation { none, late_count };

/// Waits in `q` while f is `val`; `get` gives the bucket and `put` lets go of it.
template <class Get, class Put>
void semaphore_wait(Cell<int>& f, Waiter& q, std::size_t me, int val, Mutation mutation, Get get,
                    Put put) {
  Scope scope("semaphore_wait");
  Bucket& hb = get();
  if (mutation != Mutation::late_count) add(hb.waiters, 1, "waiters++");
  checker::store(q.lock_ptr, &hb, Order::plain);
  hb.lock.acquire("lock", Loc::here());
  const bool differs = checker::load_as(f, Order::once, [val](int v) { return v != val; });
  if (differs) {
    if (mutation != Mutation::late_count) add(hb.waiters, -1, "waiters--");
    hb.lock.release("unlock", "lock", Loc::here());
    put();
    return;
  }
  if (mutation == Mutation::late_count) add(hb.waiters, 1, "waiters++");
  checker::store(q.state, 1, Order::full);
  chain_add(hb, me);
  checker::store(q.on_list, true, Order::plain);
  hb.lock.release("unlock", "lock", Loc::here());
  put();
  scope.at("queued");
  if (checker::load(q.on_list, Order::plain)) {
    auto op = checker::operation("schedule", q.state, checker::Access::read, Order::plain,
                                 Loc::here());
    op.guard = {.value = 0, .cell = q.state.index(), .kind = checker::Guard::Kind::equal};
    checker::announce(op);
    checker::remember_done();
  }
  scope.at("awake");
  checker::store(q.state, 0, Order::plain);
  for (;;) {
    scope.at("unqueue");
    Bucket* const locked = checker::load(q.lock_ptr, Order::once);
    if (locked == nullptr) return;
    locked->lock.acquire("lock", Loc::here());
    if (checker::load(q.lock_ptr, Order::plain) != locked) {
      locked->lock.release("unlock", "lock", Loc::here());
      continue;
    }
    chain_del(*locked, me);
    checker::store(q.on_list, false, Order::plain);
    add(locked->waiters, -1, "waiters--");
    locked->lock.release("unlock", "lock", Loc::here());
    return;
  }
}

template <class Get, class Put>
void semaphore_wake(Waiter* waiters, int nr, Get get, Put put) {
  Scope scope("semaphore_wake");
  Bucket& hb = get();
  if (!checker::load_as(hb.waiters, Order::relaxed, [](int v) { return v != 0; })) {
    put();
    return;
  }
  hb.lock.acquire("lock", Loc::here());
  std::array<std::uint8_t, 8> woken{};
  int n = 0;
  while (n < nr) {
    const int i = chain_first(hb);
    if (i < 0) break;
    const auto id = static_cast<std::size_t>(i);
    chain_del(hb, id);
    checker::store(waiters[i].on_list, false, Order::plain);
    add(hb.waiters, -1, "waiters--");
    checker::store(waiters[i].lock_ptr, nullptr, Order::release);
    woken[static_cast<std::size_t>(n++)] = static_cast<std::uint8_t>(i + 1);
  }
  scope.at("dequeued", &hb, woken);
  hb.lock.release("unlock", "lock", Loc::here());
  put();
  scope.at("unlocked", woken);
  for (int k = 0; k < n; ++k) {
    const auto i = woken[static_cast<std::size_t>(k)];
    scope.at("wake", k, woken);
    checker::store(waiters[i - 1].state, 0, Order::full);
  }
}

template <class Get, class Put>
void wait_loop(Cell<int>& f, Waiter& q, std::size_t me, int rounds, Mutation mutation, Get get,
               Put put) {
  Scope scope("wait_loop");
  for (int r = 0; r < rounds; ++r) {
    for (;;) {
      scope.at("round", r);
      const int v = checker::load(f, Order::once);
      if (v > 0) {
        const bool taken = checker::update(f, Order::full, [v](int& now) {
          if (now != v) return false;
          now = v - 1;
          return true;
        }, "cmpxchg");
        if (taken) break;
        continue;
      }
      semaphore_wait(f, q, me, 0, mutation, get, put);
    }
  }
}

template <class Get, class Put>
void post_loop(Cell<int>& f, Waiter* waiters, int posts, Get get, Put put) {
  Scope scope("post_loop");
  for (int r = 0; r < posts; ++r) {
    scope.at("post", r);
    add(f, 1, "f++");
    scope.at("posted", r);
    semaphore_wake(waiters, 1, get, put);
  }
}

struct SemaphoreParameters {
  std::size_t waiters = 1;
  std::size_t wakers = 1;
  int rounds = 1;
  int posts = 1;
  Mutation mutation = Mutation::none;
};

class Semaphore final : public checker::Program {
 public:
  explicit Semaphore(SemaphoreParameters parameters) : p_(parameters) {}

  void build(checker::Builder& builder) override {
    self_ = this;
    f_ = &builder.make<Cell<int>>("f", "word");
    hb_ = &builder.make<Bucket>("hb", "bucket");
    q_ = &builder.make<std::array<Waiter, 8>>("q", "waiters");
    for (std::size_t i = 0; i < p_.waiters + p_.wakers; ++i) {
      builder.thread({(i < p_.waiters ? "waiter" : "waker") + std::to_string(i), &body, i, false});
    }
  }

 private:
  static void body(std::uint64_t id) { self_->run(id); }
  void run(std::size_t id) {
    auto get = [this]() -> Bucket& { return *hb_; };
    auto put = [] {};
    if (id < p_.waiters) {
      wait_loop(*f_, (*q_)[id], id, p_.rounds, p_.mutation, get, put);
    } else {
      post_loop(*f_, q_->data(), p_.posts, get, put);
    }
  }

  static inline Semaphore* self_ = nullptr;
  SemaphoreParameters p_;
  Cell<int>* f_ = nullptr;
  Bucket* hb_ = nullptr;
  std::array<Waiter, 8>* q_ = nullptr;
};

}  // namespace futexmc::models
