// SPDX-License-Identifier: GPL-2.0-or-later
//
// Searches that restore states in different ways must agree. Breadth-first search and the minimiser
// put a state together from thread states kept by identity, so a value that a thread keeps in its
// locals must be part of that identity: here user registers that are arguments of calls.
#include "checker/minimize.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::testing {
namespace {

constexpr const char* kRegisterInStore = R"(hash global; var v = 0; var u = 0;
thread a { int k = load(v); store(u, k); }
thread b { store(v, 1); store(v, 2); }
finally u == a.k;)";

constexpr const char* kRegisterInWait = R"(hash global; word v = 0;
thread a { int k = load(v); futex_wait(v, k); }
thread b { store(v, 1); futex_wake(v, 1); })";

void expect_agreement(const char* text) {
  const scenario::Scenario scenario = parse(text, "inline");
  checker::Options options;
  options.sleep_sets = false;
  for (const bool movers : {false, true}) {
    options.movers = movers;
    const model::Variant variant = v7_3();
    properties::FutexProgram depth(scenario, variant);
    properties::FutexProgram breadth(scenario, variant);
    const checker::Result first = checker::depth_first(depth, options);
    const checker::Result second = checker::breadth_first(breadth, options);
    EXPECT_EQ(first.states, second.states);
    EXPECT_EQ(first.transitions, second.transitions);
    EXPECT_EQ(first.finals, second.finals);
    EXPECT_EQ(first.findings.empty(), second.findings.empty());
  }
}

TEST(Agreement, RegistersThatAreArgumentsBelongToTheThread) {
  expect_agreement(kRegisterInStore);
  expect_agreement(kRegisterInWait);
}

// The waker runs to its end, then the waiter reads 1 and waits for it to change: one switch.
TEST(Agreement, TheMinimiserSeesTheSameRegisters) {
  const scenario::Scenario scenario = parse(kRegisterInWait, "inline");
  const model::Variant variant = v7_3();
  properties::FutexProgram program(scenario, variant);
  const checker::Result result = checker::depth_first(program, {});
  ASSERT_EQ(result.findings.size(), 1U);
  const checker::Minimized best = checker::minimize(program, result.findings.front(), {});
  EXPECT_TRUE(best.minimal);
  EXPECT_EQ(best.cost.switches, 1U);
}

// What the model has no room for is nobody's fault: the verdict is inconclusive.
TEST(Bounds, MoreThanTheModelHoldsIsInconclusive) {
  for (const char* text :
       {"hash private(2); thread a { SET_SLOTS(16); }",
        "hash private(2); thread a { repeat (6) { SET_SLOTS(4); SET_SLOTS(2); } }"}) {
    const checker::Result result = search(parse(text, "inline"), v7_3());
    EXPECT_EQ(result.limit, checker::Limit::model) << text;
    EXPECT_FALSE(result.bound.empty());
    EXPECT_TRUE(result.findings.empty());
  }
}

}  // namespace
}  // namespace futexmc::testing
