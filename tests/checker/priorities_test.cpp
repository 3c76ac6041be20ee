// SPDX-License-Identifier: GPL-2.0-or-later
//
// PCT keeps its promise: on programs whose violations have a known depth, it finds them at least as
// often as the bound says. Seeds are fixed, so the counts are too.
#include "checker/priorities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "tests/checker/searching.hpp"
#include "tests/checker/toys.hpp"

namespace futexmc::checker {
namespace {

TEST(Random, IsSplitmix64) {
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
        16408922859458223821U}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, BelowIsUniformAndInRange) {
  Random random(7);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts.at(random.below(counts.size()));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, StreamsOfASeedDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t run = 0; run < 30; ++run) first.insert(Random(seed, run).next());
  }
  EXPECT_EQ(first.size(), 900U);
  EXPECT_EQ(Random(3, 4).next(), Random(3, 4).next());
}

TEST(AnyOf, IsUniform) {
  Random random(1);
  std::array<int, 8> counts{};
  for (int i = 0; i < 30'000; ++i) ++counts.at(any_of(0b1010'0100, random));
  for (const std::size_t agent : {2U, 5U, 7U}) EXPECT_NEAR(counts.at(agent), 10'000, 300);
  EXPECT_EQ(counts[2] + counts[5] + counts[7], 30'000);
}

TEST(Priorities, WithDepthOneTheyNeverChange) {
  std::array<int, 3> first{};
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    Random random(seed);
    Priorities priorities(3, 1, 100, random);
    const std::size_t highest = priorities.pick(0b111);
    ++first.at(highest);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(priorities.pick(0b111), highest);
    const AgentMask others = 0b111U & ~(1U << highest);
    EXPECT_EQ(priorities.pick(others), priorities.pick(others));
  }
  for (const int count : first) EXPECT_NEAR(count, 1'000, 100);
}

TEST(Priorities, AChangePointDemotesBelowEverybody) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Random same(seed);
    const std::size_t highest = Priorities(4, 1, 1, same).pick(0b1111);
    Priorities priorities(4, 2, 1, random);  // the change point is the first decision
    EXPECT_NE(priorities.pick(0b1111), highest);
    for (AgentMask other = 1; other < 0b1111; other <<= 1) {
      if (other == 1U << highest) continue;
      EXPECT_NE(priorities.pick(other | 1U << highest), highest);
    }
    EXPECT_EQ(priorities.pick(1U << highest), highest);
  }
}

/// A thread sees the word as 0, 1 and 2; a violation that needs four ordering constraints.
class Alternating final : public Program {
 public:
  void build(Builder& builder) override {
    auto& word = builder.make<Cell<int>>("word", "word");
    builder.thread({"reader", &read, toys::address_of(&word), false});
    builder.thread({"writer", &write, toys::address_of(&word), false});
  }

 private:
  static void read(std::uint64_t word) {
    bool all = true;
    for (int expected = 0; expected < 3; ++expected) {
      all &= load(toys::cell_of(word), Order::once) == expected;
    }
    if (all) fault("race", {"the reader saw every value"});
  }
  static void write(std::uint64_t word) {
    store(toys::cell_of(word), 1, Order::once);
    store(toys::cell_of(word), 2, Order::once);
  }
};

/// A thread takes many steps; the other, if it is later than all of them, faults.
class Straggler final : public Program {
 public:
  void build(Builder& builder) override {
    auto& word = builder.make<Cell<int>>("word", "word");
    builder.thread({"walker", &walk, toys::address_of(&word), false});
    builder.thread({"straggler", &look, toys::address_of(&word), false});
  }

 private:
  static void walk(std::uint64_t word) {
    for (int i = 1; i <= 40; ++i) store(toys::cell_of(word), i, Order::once);
  }
  static void look(std::uint64_t word) {
    if (load(toys::cell_of(word), Order::once) == 40) fault("late", {"it was last"});
  }
};

class Hears final : public Monitor {
 public:
  Hears() { rt.monitor = this; }
  ~Hears() override { rt.monitor = nullptr; }
  Hears(const Hears&) = delete;
  Hears& operator=(const Hears&) = delete;
  void violation(std::string_view /*property*/, std::string_view /*message*/) override {
    heard = true;
  }
  void discipline_broken(std::uint32_t /*cell*/) override {}
  bool heard = false;
};

/// Runs the program once, to its end; no more than `decisions` less the changes are needed.
bool shows(Program& program, unsigned depth, std::uint64_t decisions, std::uint64_t seed) {
  Hears hears;
  Machine machine(program);
  machine.reset(false, true);
  Random random(seed);
  Priorities priorities(machine.agent_count(), depth, decisions, random);
  std::uint64_t steps = 0;
  for (AgentMask enabled = machine.enabled(); enabled != 0; enabled = machine.enabled()) {
    machine.step(priorities.pick(enabled), 0);
    ++steps;
  }
  EXPECT_LE(steps + depth - 1, decisions);
  if (machine.is_final(0)) program.check_final(machine.final_state(), hears);
  return hears.heard;
}

int times(Program& program, unsigned depth, std::uint64_t steps, int runs) {
  int count = 0;
  for (int seed = 0; seed < runs; ++seed) {
    if (shows(program, depth, steps + depth - 1, static_cast<std::uint64_t>(seed))) ++count;
  }
  return count;
}

struct Case {
  const char* name;
  Program& program;
  unsigned depth;
  std::size_t agents;
  std::uint64_t steps;  ///< the longest run's
  int runs;
};

TEST(Pct, KeepsItsPromise) {
  toys::LostUpdate two(2);
  toys::LostUpdate three(3);
  toys::LockOrder locks;
  toys::Changed changed(false);
  Alternating alternating;
  Straggler straggler;
  const Case cases[] = {
      {"lost update", two, 2, 2, 4, 2'000},
      {"lost update of three", three, 2, 3, 6, 2'000},
      {"lost update, deeper than it needs", two, 3, 2, 4, 2'000},
      {"lock order", locks, 2, 3, 10, 2'000},
      {"changed by an event or a thread", changed, 2, 3, 4, 2'000},
      {"alternating", alternating, 4, 2, 5, 20'000},
      {"straggler", straggler, 1, 2, 41, 2'000},
  };
  for (const Case& one : cases) {
    const double bound = pct_bound(one.agents, one.depth, one.steps + one.depth - 1);
    const int count = times(one.program, one.depth, one.steps, one.runs);
    EXPECT_GE(count, bound * one.runs) << one.name;
    EXPECT_LT(count, one.runs) << one.name;
  }
}

TEST(Pct, FindsNothingThatNeedsMoreConstraints) {
  toys::LostUpdate update(2);
  EXPECT_EQ(times(update, 1, 4, 2'000), 0);
  Alternating alternating;
  EXPECT_EQ(times(alternating, 3, 5, 2'000), 0);
}

TEST(Pct, BoundIsThePapers) {
  EXPECT_DOUBLE_EQ(pct_bound(4, 1, 100), 0.25);
  EXPECT_DOUBLE_EQ(pct_bound(4, 2, 100), 0.0025);
  EXPECT_DOUBLE_EQ(pct_bound(2, 3, 10), 0.005);
}

}  // namespace
}  // namespace futexmc::checker
