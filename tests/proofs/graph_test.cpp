// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine on graphs written by hand: the classic shapes, with and without what forbids them.
#include <gtest/gtest.h>

#include "properties/proofs/lkmm/model.hpp"

namespace futexmc::proofs::lkmm {
namespace {

/// Store buffering: two threads write one word each and read the other's.
Verdict store_buffering(bool fences) {
  z3::context context;
  Graph g(context);
  const z3::expr x = g.number(0x100);
  const z3::expr y = g.number(0x200);
  const auto thread = [&](int t, const z3::expr& mine, const z3::expr& other) {
    g.write(t, Order::once, mine, g.number(1), g.always());
    if (fences) g.fence(t, Fence::mb, g.always());
    return g.read(t, Order::once, other, g.always());
  };
  const Id first = thread(0, x, y);
  const Id second = thread(1, y, x);
  Model model(g);
  return model.ask(g.value(first) == 0 && g.value(second) == 0).verdict;
}

TEST(Graph, StoreBuffering) {
  EXPECT_EQ(store_buffering(false), Verdict::possible);
  EXPECT_EQ(store_buffering(true), Verdict::impossible);
}

Verdict message_passing(Order store, Order load) {
  z3::context context;
  Graph g(context);
  const z3::expr data = g.number(0x100);
  const z3::expr flag = g.number(0x200);
  g.write(0, Order::once, data, g.number(1), g.always());
  g.write(0, store, flag, g.number(1), g.always());
  const Id seen = g.read(1, load, flag, g.always());
  const Id got = g.read(1, Order::once, data, g.always());
  Model model(g);
  return model.ask(g.value(seen) == 1 && g.value(got) == 0).verdict;
}

TEST(Graph, MessagePassing) {
  EXPECT_EQ(message_passing(Order::once, Order::once), Verdict::possible);
  EXPECT_EQ(message_passing(Order::release, Order::once), Verdict::possible);
  EXPECT_EQ(message_passing(Order::once, Order::acquire), Verdict::possible);
  EXPECT_EQ(message_passing(Order::release, Order::acquire), Verdict::impossible);
}

}  // namespace
}  // namespace futexmc::proofs::lkmm
