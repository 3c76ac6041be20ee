// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine on graphs made by hand, as a recorder would: guards over values read, several writes
// of one atomic operation, symbolic locations, and what becomes of trouble.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "properties/proofs/lkmm/model.hpp"

namespace futexmc::proofs::lkmm {
namespace {

/// A graph with two words at fixed places.
struct Fixture {
  z3::context context;
  Graph g{context};
  z3::expr x = g.number(0x100);
  z3::expr y = g.number(0x200);
  z3::expr always = g.always();

  Verdict ask(const z3::expr& outcome) { return Model(g).ask(outcome).verdict; }
};

Verdict store_buffering(bool fences) {
  Fixture f;
  const auto thread = [&](int t, const z3::expr& mine, const z3::expr& other) {
    f.g.write(t, Order::once, mine, f.g.number(1), f.always);
    if (fences) f.g.fence(t, Fence::mb, f.always);
    return f.g.read(t, Order::once, other, f.always);
  };
  const Id first = thread(0, f.x, f.y);
  const Id second = thread(1, f.y, f.x);
  return f.ask(f.g.value(first) == 0 && f.g.value(second) == 0);
}

TEST(Graph, StoreBuffering) {
  EXPECT_EQ(store_buffering(false), Verdict::possible);
  EXPECT_EQ(store_buffering(true), Verdict::impossible);
}

Verdict message_passing(Order store, Order load) {
  Fixture f;
  f.g.write(0, Order::once, f.x, f.g.number(1), f.always);
  f.g.write(0, store, f.y, f.g.number(1), f.always);
  const Id seen = f.g.read(1, load, f.y, f.always);
  const Id got = f.g.read(1, Order::once, f.x, f.always);
  return f.ask(f.g.value(seen) == 1 && f.g.value(got) == 0);
}

TEST(Graph, MessagePassing) {
  EXPECT_EQ(message_passing(Order::once, Order::once), Verdict::possible);
  EXPECT_EQ(message_passing(Order::release, Order::once), Verdict::possible);
  EXPECT_EQ(message_passing(Order::once, Order::acquire), Verdict::possible);
  EXPECT_EQ(message_passing(Order::release, Order::acquire), Verdict::impossible);
}

// What no execution can have together is forbidden once, not looked for again.
TEST(Graph, WhatOneQuestionTeachesServesTheNext) {
  Fixture f;
  f.g.write(0, Order::once, f.x, f.g.number(1), f.always);
  f.g.write(0, Order::release, f.y, f.g.number(1), f.always);
  const Id seen = f.g.read(1, Order::acquire, f.y, f.always);
  const Id got = f.g.read(1, Order::once, f.x, f.always);
  const z3::expr outcome = f.g.value(seen) == 1 && f.g.value(got) == 0;
  Model model(f.g);
  EXPECT_EQ(model.ask(outcome).verdict, Verdict::impossible);
  const std::size_t proposals = model.proposals();
  EXPECT_GT(proposals, 0U);
  EXPECT_GT(model.learnt(), 0U);
  EXPECT_EQ(model.ask(outcome).verdict, Verdict::impossible);
  EXPECT_EQ(model.proposals(), proposals);
}

// Guards that do not show it: the graph is told.
TEST(Graph, ExclusiveEventsNeverMeet) {
  Fixture f;
  const Id a = f.g.write(0, Order::once, f.x, f.g.number(1), f.context.bool_const("p"));
  const Id b = f.g.write(0, Order::once, f.x, f.g.number(2), f.context.bool_const("q"));
  f.g.set_exclusive(b, a);
  EXPECT_TRUE(f.g.exclusive(a, b));
  EXPECT_TRUE(f.g.exclusive(b, a));
  EXPECT_THROW(f.g.set_exclusive(a, a), std::invalid_argument);
}

// Both branches are there; only one is ever taken, and what is in it counts.
TEST(Graph, GuardsChooseBranches) {
  Fixture f;
  f.g.write(0, Order::once, f.x, f.g.number(1), f.always);
  const Id r = f.g.read(1, Order::once, f.x, f.always);
  const z3::expr one = f.g.value(r) == f.g.number(1);
  const z3::expr zero = f.g.value(r) == f.g.number(0);
  f.g.write(1, Order::once, f.y, f.g.number(7), one);
  f.g.write(1, Order::once, f.y, f.g.number(8), zero);
  const z3::expr y = f.g.final_value(f.y);
  Model model(f.g);
  EXPECT_EQ(model.ask(y == 7).verdict, Verdict::possible);
  EXPECT_EQ(model.ask(y == 8).verdict, Verdict::possible);
  EXPECT_EQ(model.ask(y != 7 && y != 8).verdict, Verdict::impossible);
  EXPECT_EQ(model.ask(y == 7 && zero).verdict, Verdict::impossible);
}

// A fence in a branch not taken orders nothing.
Verdict fenced_if(bool taken) {
  Fixture f;
  const Id flag = f.g.read(0, Order::once, f.g.number(0x300), f.always);
  f.g.write(0, Order::once, f.x, f.g.number(1), f.always);
  f.g.fence(0, Fence::mb, f.g.value(flag) == f.g.number(taken ? 0 : 1));
  const Id first = f.g.read(0, Order::once, f.y, f.always);
  f.g.write(1, Order::once, f.y, f.g.number(1), f.always);
  f.g.fence(1, Fence::mb, f.always);
  const Id second = f.g.read(1, Order::once, f.x, f.always);
  return f.ask(f.g.value(first) == 0 && f.g.value(second) == 0);
}

TEST(Graph, FencesCountWhereTheyAreExecuted) {
  EXPECT_EQ(fenced_if(true), Verdict::impossible);
  EXPECT_EQ(fenced_if(false), Verdict::possible);
}

// A recorder that enumerates values gives an atomic operation one write for each value read.
TEST(Graph, OneWriteOfAnAtomicPerValueRead) {
  Fixture f;
  for (int t = 0; t < 2; ++t) {
    const Id r = f.g.atomic_read(t, Order::full, f.x, f.always, false);
    for (int v = 0; v < 2; ++v) {
      f.g.atomic_write(r, f.g.number(v + 1), f.g.value(r) == f.g.number(v));
    }
  }
  const z3::expr x = f.g.final_value(f.x);
  Model model(f.g);
  EXPECT_EQ(model.ask(x == 2).verdict, Verdict::possible);
  EXPECT_EQ(model.ask(x != 2).verdict, Verdict::impossible);
}

// A cmpxchg that fails is a read without order.
Verdict failing_exchange(bool succeeds) {
  Fixture f;
  const auto thread = [&](int t, const z3::expr& mine, const z3::expr& other) {
    const z3::expr own = f.g.number(0x300 + 16 * t);
    f.g.write(t, Order::once, mine, f.g.number(1), f.always);
    const Id r = f.g.atomic_read(t, Order::full, own, f.always, true);
    f.g.atomic_write(r, f.g.number(1), f.g.value(r) == f.g.number(succeeds ? 0 : 5));
    return f.g.read(t, Order::once, other, f.always);
  };
  const Id first = thread(0, f.x, f.y);
  const Id second = thread(1, f.y, f.x);
  return f.ask(f.g.value(first) == 0 && f.g.value(second) == 0);
}

TEST(Graph, AFailedExchangeOrdersNothing) {
  EXPECT_EQ(failing_exchange(true), Verdict::impossible);
  EXPECT_EQ(failing_exchange(false), Verdict::possible);
}

// The location is itself a value read: only with the address dependency is it ordered.
Verdict pointer(bool dependency) {
  Fixture f;
  const z3::expr p = f.g.number(0x300);
  f.g.initial(p, f.y);
  f.g.write(0, Order::once, f.x, f.g.number(1), f.always);
  f.g.write(0, Order::release, p, f.x, f.always);
  const Id r = f.g.read(1, Order::once, p, f.always);
  const Id got = f.g.read(1, Order::once, f.g.value(r), f.always);
  if (dependency) f.g.address(r, got);
  return f.ask(f.g.value(r) == f.x && f.g.value(got) == 0);
}

TEST(Graph, SymbolicLocations) {
  EXPECT_EQ(pointer(true), Verdict::impossible);
  EXPECT_EQ(pointer(false), Verdict::possible);
}

TEST(Graph, InitialAndFinalValues) {
  Fixture f;
  f.g.initial(f.x, f.g.number(5));
  const Id r = f.g.read(0, Order::once, f.x, f.always);
  f.g.write(0, Order::once, f.y, f.g.value(r) + 1, f.always);
  const z3::expr x = f.g.final_value(f.x);
  const z3::expr y = f.g.final_value(f.y);
  EXPECT_EQ(f.ask(!(x == 5 && y == 6)), Verdict::impossible);
}

TEST(Graph, ASpinlockExcludes) {
  Fixture f;
  const z3::expr lock = f.g.number(0x300);
  Id reads[2];
  for (int t = 0; t < 2; ++t) {
    f.g.lock(t, lock, f.always);
    reads[t] = f.g.read(t, Order::plain, f.x, f.always);
    f.g.write(t, Order::plain, f.x, f.g.value(reads[t]) + 1, f.always);
    f.g.unlock(t, lock, f.always);
  }
  Model model(f.g);
  EXPECT_EQ(model.ask(f.g.value(reads[0]) == f.g.value(reads[1])).verdict, Verdict::impossible);
  EXPECT_EQ(model.ask(f.always).verdict, Verdict::possible);
  EXPECT_EQ(model.ask_race().verdict, Verdict::impossible);
}

TEST(Graph, PlainAccessesWithoutALockRace) {
  Fixture f;
  f.g.write(0, Order::plain, f.x, f.g.number(1), f.always);
  f.g.read(1, Order::once, f.x, f.always);
  const Answer answer = Model(f.g).ask_race();
  EXPECT_EQ(answer.verdict, Verdict::possible);
  EXPECT_EQ(answer.execution.size(), 2U);
}

TEST(Graph, AnExecutionCanBeRead) {
  Fixture f;
  f.g.label(f.g.write(0, Order::release, f.x, f.g.number(7), f.always), "hands over");
  f.g.fence(0, Fence::mb, f.always);
  const Id r = f.g.read(1, Order::acquire, f.x, f.always);
  f.g.read(1, Order::once, f.y, f.always);
  const Answer answer = Model(f.g).ask(f.g.value(r) == 7);
  EXPECT_EQ(print(answer.execution),
            "P0 e0: write release [0x100] 7  hands over\n"
            "P0 e1: smp_mb\n"
            "P1 e2: read acquire [0x100] 7 from e0\n"
            "P1 e3: read [0x200] 0 from the start\n");
}

TEST(Trouble, AFormulaZ3CannotTakeIsUnknown) {
  Fixture f;
  f.g.read(0, Order::once, f.x, f.always);
  Model model(f.g);
  const Answer answer = model.ask(f.x);  // a word, not a formula
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_NE(answer.reason, "");
}

TEST(Trouble, AnExhaustedBudgetIsUnknown) {
  Fixture f;
  // Independent products: nothing a few steps could settle.
  const Id a = f.g.read(0, Order::once, f.x, f.always);
  const Id b = f.g.read(0, Order::once, f.y, f.always);
  const z3::expr p = f.context.bv_const("p", 32);
  const z3::expr q = f.context.bv_const("q", 32);
  f.g.write(1, Order::once, f.x, p, f.always);
  f.g.write(1, Order::once, f.y, q, f.always);
  Model model(f.g, {}, {.milliseconds = 0, .steps = 1000});
  const auto factor = [&](const z3::expr& e) {
    return z3::ugt(e, f.g.number(1)) && z3::ult(e, f.g.number(65536));
  };
  const z3::expr product = f.g.value(a) * f.g.value(b);
  const Answer answer = model.ask(product == f.g.number(2147483647) && factor(p) && factor(q) &&
                                  f.g.value(a) == p && f.g.value(b) == q);
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_NE(answer.reason, "");
}

TEST(Trouble, AnInterruptIsUnknown) {
  Fixture f;
  f.g.read(0, Order::once, f.x, f.always);
  std::atomic<bool> interrupt = true;
  Model model(f.g, {}, {.interrupt = &interrupt});
  EXPECT_EQ(model.ask(f.always).verdict, Verdict::unknown);
  EXPECT_EQ(model.ask(f.always).reason, "interrupted");
  interrupt = false;
  EXPECT_EQ(model.ask(f.always).verdict, Verdict::possible);
}

TEST(Trouble, MisuseIsReported) {
  Fixture f;
  const Id r = f.g.read(0, Order::once, f.x, f.always);
  const Id w = f.g.write(0, Order::once, f.y, f.g.number(1), f.always);
  EXPECT_THROW(f.g.data(w, r), std::invalid_argument);
  EXPECT_THROW(f.g.atomic_write(r, f.x, f.always), std::invalid_argument);
  EXPECT_THROW(f.g.read(0, Order::once, f.context.int_val(1), f.always), std::invalid_argument);
  EXPECT_THROW(f.g.read(0, Order::once, f.x, f.x), std::invalid_argument);
  EXPECT_THROW(f.g.final_value(f.g.value(r)), std::invalid_argument);
  EXPECT_THROW(Graph(f.context, 65), std::invalid_argument);
}

}  // namespace
}  // namespace futexmc::proofs::lkmm
