// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <new>
#include <random>
#include <vector>

#include "checker/store.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

using models::Mutation;
using models::Semaphore;

class Silent final : public Monitor {
 public:
  Silent() { rt.monitor = this; }
  ~Silent() override { rt.monitor = nullptr; }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;
  void violation(std::string_view /*property*/, std::string_view /*message*/) override {}
  void discipline_broken(std::uint32_t /*cell*/) override {}
};

std::vector<std::uint64_t> contents() { return {cells(), cells() + arena.layout.used()}; }

struct Saved {
  StateStore::Snapshot snapshot;
  Hash128 fingerprint;
  AgentMask enabled;
  std::vector<std::uint64_t> cells;
};

TEST(StateStore, BringsAnyStateBack) {
  const Silent silent;
  Semaphore program({2, 2, 2, 2, Mutation::none});
  Machine machine(program);
  machine.reset(false, true);
  Budget budget(~std::size_t{0});
  StateStore store(machine, budget);
  std::mt19937 random(1);
  std::vector<Saved> all;
  const auto save = [&] {
    all.push_back({store.save(), machine.fingerprint(), machine.enabled(), contents()});
  };
  save();
  for (int walk = 0; walk < 300; ++walk) {
    store.restore(all[random() % all.size()].snapshot);
    for (int step = 0; step < 20 && machine.enabled() != 0; ++step) {
      std::size_t agent = random() % machine.agent_count();
      while (((machine.enabled() >> agent) & 1) == 0) agent = (agent + 1) % machine.agent_count();
      machine.step(agent, 0);
      save();  // also far from the base
    }
  }
  for (int i = 0; i < 5'000; ++i) {
    const Saved& saved = all[random() % all.size()];
    store.restore(saved.snapshot);
    ASSERT_EQ(machine.fingerprint(), saved.fingerprint);
    ASSERT_EQ(machine.enabled(), saved.enabled);
    ASSERT_EQ(contents(), saved.cells);
    ASSERT_EQ(store.save(), saved.snapshot);
    Hash128 threads;
    for (std::size_t id = 0; id < machine.thread_count(); ++id) {
      threads ^= Machine::thread_hash(id);
    }
    ASSERT_EQ(threads, machine.threads_hash());
  }
}

TEST(StateStore, RewindsAStep) {
  const Silent silent;
  Semaphore program({1, 1, 1, 1, Mutation::none});
  Machine machine(program);
  machine.reset(false, true);
  Budget budget(~std::size_t{0});
  StateStore store(machine, budget);
  const Hash128 first = machine.fingerprint();
  const std::vector<std::uint64_t> before = contents();
  machine.step(1, 0);
  const Hash128 posted = machine.fingerprint();
  EXPECT_FALSE(posted == first);
  EXPECT_NE(contents(), before);
  store.rewind(1);
  EXPECT_EQ(machine.fingerprint(), first);
  EXPECT_EQ(contents(), before);
  machine.step(1, 0);
  EXPECT_EQ(machine.fingerprint(), posted);
}

TEST(StateStore, KeepsEachPartOnce) {
  const Silent silent;
  Semaphore program({1, 1, 1, 1, Mutation::none});
  Machine machine(program);
  machine.reset(false, true);
  Budget budget(~std::size_t{0});
  StateStore store(machine, budget);
  EXPECT_EQ(store.thread_states(), 2U);
  EXPECT_EQ(store.memories(), 1U);
  const std::size_t bytes = budget.used();
  machine.step(0, 0);  // the waiter loads the word: no cell changes
  const StateStore::Snapshot once = store.save();
  EXPECT_EQ(store.thread_states(), 3U);
  EXPECT_EQ(store.memories(), 1U);
  EXPECT_EQ(store.save(), once);
  EXPECT_EQ(store.thread_states(), 3U);
  EXPECT_LT(budget.used(), bytes + 4'096);
}

TEST(StateStore, ThrowsOverItsBudgetAndGivesAllBack) {
  const Silent silent;
  Semaphore program({1, 1, 1, 1, Mutation::none});
  Machine machine(program);
  machine.reset(false, true);
  Budget budget(10'000);
  EXPECT_THROW(StateStore(machine, budget), std::bad_alloc);
  EXPECT_LE(budget.peak(), 10'000U);
}

TEST(Interner, NumbersKeysInOrderOfArrival) {
  Budget budget(~std::size_t{0});
  {
    Interner<NodePair> interner(budget);
    for (std::uint32_t round = 0; round < 2; ++round) {
      for (std::uint32_t i = 0; i < 10'000; ++i) {
        const auto [id, fresh] = interner.intern({i % 100, i / 100});
        ASSERT_EQ(id, i);
        ASSERT_EQ(fresh, round == 0);
      }
    }
    EXPECT_EQ(interner.size(), 10'000U);
    // 5 segments of 2048 pairs, and an index of 16384 numbers.
    EXPECT_EQ(budget.used(), 5U * 2048 * 8 + 16384 * 4);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace futexmc::checker
