// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exact code of statements and calls.
#include "model/scenario/listing.hpp"

#include <gtest/gtest.h>

#include "model/scenario/scenario.hpp"

namespace futexmc::scenario {
namespace {

/// Code of the first thread of `text`, or its diagnostics.
std::string code(const std::string& text) {
  const Result result = parse(text, "x");
  std::string problems;
  for (const Diagnostic& d : result.diagnostics) problems += render(d);
  return result ? "\n" + listing(*result.scenario, result.scenario->threads[0]) : problems;
}

std::string in_thread(const std::string& body) {
  return code("word f = 0; var v = 0; thread w {\n" + body + "}\nthread helper cloned { }\n");
}

std::string with_clone(const std::string& body) { return in_thread("clone(helper); " + body); }

/// The start of every with_clone() listing.
const std::string kClone = "\n0: line 2\n1: t0 = clone(helper)\n";

TEST(ScenarioListing, Waiter) {
  EXPECT_EQ(code("word f = 0;\n"
                 "thread waiter {\n"
                 "  int r = 0;\n"
                 "  while (load(f) == 0) {\n"
                 "    r = futex_wait(f, 0);\n"
                 "  }\n"
                 "}\n"),
            R"(
0: line 3
1: r = 0
2: line 4
3: t0 = load(f)
4: t1 = 0
5: t0 = t0 == t1
6: if !t0 goto 11
7: line 5
8: t0 = 0
9: r = futex_wait(f, t0, bitset 0xffffffff)
10: goto 2
11: end
)");
}

TEST(ScenarioListing, CallsWithTwoWords) {
  EXPECT_EQ(code("word f = 0; word g = 0; thread w {\n"
                 "int r = 7;\n"
                 "r = futex_requeue(f, 1, r, g, shared);\n"
                 "futex_cmp_requeue(g, r, INT_MAX, f, 5);\n"
                 "r = futex_wake_op(f, 1, r, g, andn | shift, -1, ge, -2048);\n"
                 "futex_wake_op(f, 0, 0, f, 7, 4095, 15, 2047);\n"
                 "}\n"),
            R"(
0: line 2
1: r = 7
2: line 3
3: t0 = 1
4: r = futex_requeue(f, t0, r, g, shared)
5: line 4
6: t0 = 2147483647
7: t1 = 5
8: t0 = futex_cmp_requeue(g, r, t0, f, t1)
9: line 5
10: t0 = 1
11: r = futex_wake_op(f, t0, r, g, op 0xb5fff800)
12: line 6
13: t0 = 0
14: t1 = 0
15: t0 = futex_wake_op(f, t0, t1, f, op 0x7ffff7ff)
16: end
)");
}

TEST(ScenarioListing, PairsHaveTheirOwnOptions) {
  EXPECT_EQ(code("word f = 0; word g = 0; thread w {\n"
                 "futex_waitv(f, 1, shared, g, 2, flags 0x3, f, 3, timeout);\n"
                 "}\n"),
            R"(
0: line 2
1: t0 = 1
2: t1 = 2
3: t2 = 3
4: t0 = futex_waitv(f, t0, g, t1, f, t2, timeout, flags 0x8200030002)
5: end
)");
}

TEST(ScenarioListing, AtomicsAndOrders) {
  EXPECT_EQ(code("word f = 0; var v = 0; thread w {\n"
                 "int r = load(v, acquire);\n"
                 "store(f, r, release);\n"
                 "r = xchg(f, 1 + r, relaxed);\n"
                 "r = cmpxchg(f, r, 2, seq_cst);\n"
                 "fetch_add(v, -1);\n"
                 "}\n"),
            R"(
0: line 2
1: r = load(v, acquire)
2: line 3
3: store(f, r, release)
4: line 4
5: t0 = 1
6: t0 = t0 + r
7: r = xchg(f, t0, relaxed)
8: line 5
9: t0 = 2
10: r = cmpxchg(f, r, t0)
11: line 6
12: t0 = -1
13: t0 = fetch_add(v, t0)
14: end
)");
}

TEST(ScenarioListing, FutexCallsAndSlots) {
  EXPECT_EQ(with_clone("int r = futex_wait(f, 0, shared, bitset 0x1, timeout);\n"
                       "futex_wake(f, INT_MAX, bitset 2);\n"
                       "SET_SLOTS(4); r = GET_SLOTS(); settle;\n"),
            kClone + R"(2: line 2
3: t0 = 0
4: r = futex_wait(f, t0, timeout, shared, bitset 0x1)
5: line 3
6: t0 = 2147483647
7: t0 = futex_wake(f, t0, bitset 0x2)
8: line 4
9: t0 = 4
10: t0 = SET_SLOTS(t0)
11: line 4
12: r = GET_SLOTS()
13: line 4
14: settle
15: end
)");
}

TEST(ScenarioListing, IfElseChain) {
  EXPECT_EQ(with_clone("int r = 0;\n"
                       "if (r) {\nr = 1;\n} else if (!r) {\nr = 2;\n} else {\nr = 3;\n}\n"),
            kClone + R"(2: line 2
3: r = 0
4: line 3
5: if !r goto 9
6: line 4
7: r = 1
8: goto 17
9: line 5
10: t0 = !r
11: if !t0 goto 15
12: line 6
13: r = 2
14: goto 17
15: line 8
16: r = 3
17: end
)");
}

// The end of the inner `if` would be the loop's `goto`; it needs an Op::statement to land on.
TEST(ScenarioListing, LabelBeforeAJumpGetsAStatement) {
  EXPECT_EQ(with_clone("while (1) {\nif (2) {\n}\n}\n"), kClone + R"(2: line 2
3: t0 = 1
4: if !t0 goto 10
5: line 3
6: t0 = 2
7: if !t0 goto 8
8: line 2
9: goto 2
10: end
)");
}

TEST(ScenarioListing, NestedRepeat) {
  EXPECT_EQ(with_clone("repeat (2) {\nrepeat (3) {\nsettle;\n}\n}\n"), kClone + R"(2: line 2
3: c0 = 2
4: line 2
5: if !c0 goto 20
6: line 3
7: c1 = 3
8: line 3
9: if !c1 goto 16
10: line 4
11: settle
12: line 3
13: t0 = 1
14: c1 = c1 - t0
15: goto 8
16: line 2
17: t0 = 1
18: c0 = c0 - t0
19: goto 4
20: end
)");
}

TEST(ScenarioListing, ShortCircuitAnd) {
  EXPECT_EQ(with_clone("int r = load(f) == 1 && load(v) == 2;\n"), kClone + R"(2: line 2
3: t1 = load(f)
4: t2 = 1
5: t0 = t1 == t2
6: if !t0 goto 10
7: t1 = load(v)
8: t2 = 2
9: t0 = t1 == t2
10: r = t0
11: end
)");
}

// Operands that are not 0 or 1 are made so after the join.
TEST(ScenarioListing, ShortCircuitInsideAnExpression) {
  EXPECT_EQ(with_clone("int r = 5; r = 1 + (r || load(v));\nr = r && 2;\n"), kClone + R"(2: line 2
3: r = 5
4: line 2
5: t0 = 1
6: t1 = !r
7: if !t1 goto 10
8: t2 = load(v)
9: t1 = !t2
10: t1 = !t1
11: r = t0 + t1
12: line 3
13: t0 = r
14: if !t0 goto 16
15: t0 = 2
16: t0 = !t0
17: t0 = !t0
18: r = t0
19: end
)");
}

TEST(ScenarioListing, CallsInsideCalls) {
  EXPECT_EQ(with_clone("store(f, fetch_add(v, load(f)) + -(-3));\n"), kClone + R"(2: line 2
3: t0 = load(f)
4: t0 = fetch_add(v, t0)
5: t1 = -3
6: t1 = -t1
7: t0 = t0 + t1
8: store(f, t0)
9: end
)");
}

}  // namespace
}  // namespace futexmc::scenario
