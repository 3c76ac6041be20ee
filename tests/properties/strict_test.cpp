// SPDX-License-Identifier: GPL-2.0-or-later
//
// Strict priorities on one CPU: who runs when, and that everything that takes steps obeys.
#include <gtest/gtest.h>

#include <algorithm>

#include "checker/machine.hpp"
#include "checker/priorities.hpp"
#include "checker/replay.hpp"
#include "checker/sample.hpp"
#include "model/kernel/machine.hpp"
#include "properties/run.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using checker::Options;
using Outcomes = std::vector<std::string>;

scenario::Scenario strict(const std::string& threads, const std::string& settings = "") {
  return testing::parse("word f = 0; word g = 0; hash global; cpus 1; scheduling strict;\n" +
                            settings + threads,
                        "strict");
}

scenario::Scenario with_any(const scenario::Scenario& scenario) {
  scenario::Scenario any = scenario;
  any.strict = false;
  return any;
}

/// The final states, by the search at hand; both searches must agree.
Outcomes outcomes(const scenario::Scenario& scenario) {
  Options options;
  options.outcomes = true;
  options.audit = true;
  FutexProgram program(scenario, testing::v7_3());
  const checker::Result deep = checker::depth_first(program, options);
  EXPECT_TRUE(deep.complete());
  EXPECT_TRUE(deep.audit_failures.empty());
  const checker::Result broad = checker::breadth_first(program, options);
  EXPECT_EQ(broad.outcomes, deep.outcomes);
  EXPECT_EQ(broad.states, deep.states);
  // With strict priorities neither search reduces.
  if (scenario.strict) {
    EXPECT_EQ(broad.transitions, deep.transitions);
  }
  return deep.outcomes;
}

/// Each value of a register in the final states, sorted.
std::vector<std::string> values(const scenario::Scenario& scenario, const std::string& name) {
  std::set<std::string> all;
  for (const std::string& outcome : outcomes(scenario)) {
    const std::size_t at = outcome.find(name + "=");
    all.insert(outcome.substr(at, outcome.find(' ', at) - at));
  }
  return {all.begin(), all.end()};
}

TEST(Strict, TheHigherPriorityRunsFirst) {
  const auto scenario = strict(
      "thread low { int l = fetch_add(f, 1); }\n"
      "thread high priority 2 { int h = fetch_add(f, 1); h = h + fetch_add(f, 1); }\n");
  EXPECT_EQ(values(scenario, "l"), (Outcomes{"l=2"}));
  EXPECT_EQ(values(with_any(scenario), "l"), (Outcomes{"l=0", "l=1", "l=2"}));
}

TEST(Strict, EqualsDoNotPreemptEachOther) {
  const auto scenario = strict(
      "thread a { int x = load(f); store(f, x + 1); }\n"
      "thread b { int y = load(f); store(f, y + 1); }\n");
  EXPECT_EQ(values(scenario, "f"), (Outcomes{"f=2"}));
  EXPECT_EQ(values(scenario, "x"), (Outcomes{"x=0", "x=1"}));  // either may be first
  EXPECT_EQ(values(with_any(scenario), "f"), (Outcomes{"f=1", "f=2"}));
}

// The timer may wake the high one anywhere in a; b must not come in between even so.
TEST(Strict, ThePreemptedComesBeforeItsEquals) {
  const auto scenario = strict(
      "thread high priority 2 { futex_wait(g, 0, timeout); int h = load(f); }\n"
      "thread a { int x = load(f); store(f, x + 1); }\n"
      "thread b { int y = load(f); store(f, y + 1); }\n");
  EXPECT_EQ(values(scenario, "f"), (Outcomes{"f=2"}));
  EXPECT_EQ(values(scenario, "h"), (Outcomes{"h=0", "h=1", "h=2"}));
}

// a sleeps, so b begins; once woken a waits for b to finish.
TEST(Strict, WhoBlocksComesBehindItsEquals) {
  const auto scenario = strict(
      "thread a { futex_wait(g, 0); int x = load(f); }\n"
      "thread b { store(g, 1); futex_wake(g, 1); store(f, 1); }\n");
  // b first: the word has changed, and a does not sleep.
  EXPECT_EQ(values(scenario, "x"), (Outcomes{"x=1"}));
  EXPECT_EQ(values(with_any(scenario), "x"), (Outcomes{"x=0", "x=1"}));
}

// The wake preempts the waker at once, before its next step; a timer may only be later.
TEST(Strict, AWakeOfAHigherPriorityPreempts) {
  const auto scenario = strict(
      "thread high priority 2 { futex_wait(g, 0); int h = load(f); }\n"
      "thread low { store(g, 1); futex_wake(g, 1); store(f, 1); }\n");
  EXPECT_EQ(values(scenario, "h"), (Outcomes{"h=0"}));
}

// A program that takes every step under supervision: a lower priority goes only where preemption
// is off, and the other way round it never happens.
TEST(Strict, PreemptionWaitsForTheSpinlock) {
  const auto scenario = strict(
      "thread high priority 2 { futex_wait(g, 0, timeout); int h = load(f); }\n"
      "thread low { futex_wake(g, 1); store(f, 1); }\n");
  FutexProgram program(scenario, testing::v7_3());
  std::size_t held_back = 0;
  checker::Machine machine(program);
  checker::Random random(1, 1);
  class Ignore final : public checker::Monitor {
    void violation(std::string_view /*property*/, std::string_view /*message*/) override {}
    void discipline_broken(std::uint32_t /*cell*/) override {}
  } ignore;
  checker::rt.monitor = &ignore;
  for (int run = 0; run < 3000; ++run) {
    machine.reset(true, true);
    for (checker::AgentMask mask = 0; (mask = machine.enabled()) != 0;) {
      const bool high_could = checker::thread_record(0).status == checker::Status::ready &&
                              checker::passes(checker::thread_record(0).pending.guard);
      const bool low_holds = model::machine.task[1]->read_side.peek().preempt != 0;
      EXPECT_FALSE((mask & 3) == 3) << "two threads may run on one CPU";
      EXPECT_TRUE((mask & 2) == 0 || !high_could || low_holds) << "the lower one goes first";
      EXPECT_TRUE((mask & 1) == 0 || !low_holds) << "preempted with preemption off";
      held_back += high_could && low_holds ? 1 : 0;
      machine.step(checker::any_of(mask, random), 0);
    }
  }
  checker::rt.monitor = nullptr;
  EXPECT_GT(held_back, 0U);
}

TEST(Strict, BehavioursAreAmongThoseOfAnySchedule) {
  for (const char* const name : {"one-cpu", "wait-timeout", "wake-one"}) {
    scenario::Scenario scenario = testing::load(name);
    scenario.cpus = 1;
    const Outcomes any = outcomes(scenario);
    scenario.strict = true;
    scenario.threads[0].priority = 2;
    const Outcomes fewer = outcomes(scenario);
    EXPECT_TRUE(std::includes(any.begin(), any.end(), fewer.begin(), fewer.end())) << name;
    EXPECT_FALSE(fewer.empty()) << name;
  }
}

// What is found comes with a trace that obeys too, and says so when it is run without.
TEST(Strict, TracesReplay) {
  const auto scenario = strict(
      "thread high priority 2 { futex_wait(g, 0, timeout); int h = load(f); store(f, 2); }\n"
      "thread low { store(f, 1); int l = load(f); }\n",
      "never low.l == 2;\n");
  for (const bool breadth_first : {false, true}) {
    RunOptions options;
    options.breadth_first = breadth_first;
    const ScenarioReport report = run_scenario(scenario, testing::v7_3(), options);
    const Violation* const violation = report.find("condition");
    ASSERT_NE(violation, nullptr);
    ASSERT_TRUE(violation->trace);
    EXPECT_EQ(violation->trace->minimal, checker::Minimal::proved);
    EXPECT_EQ(violation->trace->cost.switches, 3U);  // asleep; the store; the other; the load
    const auto again = testing::parse(violation->trace->subject.at("text").get<std::string>(),
                                      "strict");
    FutexProgram program(again, testing::v7_3());
    EXPECT_EQ(checker::replay(program, *violation->trace).outcome, checker::Outcome::reproduces);
  }
}

TEST(Strict, ASampleObeys) {
  const auto scenario = strict(
      "thread high priority 2 { futex_wait(g, 0, timeout); int h = load(f); }\n"
      "thread low { store(f, 1); store(f, 2); }\n");
  Options options;
  options.outcomes = true;
  for (const auto scheduler : {checker::Scheduler::pct, checker::Scheduler::random}) {
    FutexProgram program(scenario, testing::v7_3());
    const auto sampled =
        checker::sample(program, options, {.scheduler = scheduler, .runs = 500});
    EXPECT_EQ(sampled.result.outcomes, outcomes(scenario));
  }
}

constexpr const char* kSpinLock = R"(
thread high priority 2 {
  futex_wait(f, 0, timeout);
  while (cmpxchg(f, 0, 1) != 0) { }
  store(f, 0);
}
thread low { while (cmpxchg(f, 0, 1) != 0) { } store(f, 0); }
finally finished(low);
)";

// The high priority spins for a lock that the low one holds and will never release. Conditions say
// nothing of it, as there is no final state; progress does.
TEST(Strict, ASpinLockStarvesWhoHoldsIt) {
  const auto scenario = strict(kSpinLock);
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));
  RunOptions options;
  EXPECT_EQ(run_scenario(scenario, testing::v7_3(), options).verdict, Verdict::holds);
  options.properties = {"progress"};
  const ScenarioReport report = run_scenario(scenario, testing::v7_3(), options);
  const Violation* const violation = report.find("progress");
  ASSERT_TRUE(violation != nullptr && violation->trace);
  EXPECT_EQ(violation->message, "no final state can be reached any more: high spins");
  EXPECT_EQ(violation->trace->minimal, checker::Minimal::proved);
  EXPECT_EQ(violation->trace->steps.back().agent, "timer of high");
  FutexProgram program(scenario, testing::v7_3());
  EXPECT_EQ(checker::replay(program, *violation->trace).outcome, checker::Outcome::reproduces);
  // Under any schedule, and among equals, the holder gets its turn.
  EXPECT_EQ(run_scenario(with_any(scenario), testing::v7_3(), options).verdict, Verdict::holds);
  scenario::Scenario equal = scenario;
  equal.threads[0].priority = equal.threads[1].priority;
  EXPECT_EQ(run_scenario(equal, testing::v7_3(), options).verdict, Verdict::holds);
}

// Who sleeps for the lock instead lets the holder go on.
TEST(Strict, AFutexLockDoesNot) {
  RunOptions options;
  options.properties = {"progress", "lost-wakeup", "condition"};
  const auto scenario = testing::load("priority-lock");
  EXPECT_EQ(run_scenario(scenario, testing::v7_3(), options).verdict, Verdict::holds);
}

// A requeuer tries again while a waiter of lower priority is on its way out, on the same CPU.
TEST(Strict, ARetryDoesNotStarveWhoLeaves) {
  RunOptions options;
  options.properties = {"progress", "deadlock", "condition"};
  const auto scenario = testing::load("requeue-pi-retry");
  EXPECT_EQ(run_scenario(scenario, testing::v7_3(), options).verdict, Verdict::holds);
  const ScenarioReport report =
      run_scenario(scenario, testing::with_knockout("rq-leaving"), options);
  const Violation* const violation = report.find("progress");
  ASSERT_NE(violation, nullptr);
  EXPECT_EQ(violation->message, "no final state can be reached any more: high spins");
}

// What the lock's owner inherits lets it go before one that spins.
TEST(Strict, AnOwnerInheritsAndGoesOn) {
  RunOptions options;
  options.properties = {"progress", "boost", "condition"};
  const auto scenario = testing::load("pi-inversion");
  EXPECT_EQ(run_scenario(scenario, testing::v7_3(), options).verdict, Verdict::holds);
  for (const char* knockout : {"rt-block-boost", "rt-unlock-preempt"}) {
    const ScenarioReport report =
        run_scenario(scenario, testing::with_knockout(knockout), options);
    EXPECT_NE(report.find("progress"), nullptr) << knockout;
  }
}

TEST(Strict, ProgressIsInconclusiveWhereItsSearchIsCut) {
  RunOptions options;
  options.properties = {"progress"};
  options.search.max_states = 10'000;  // enough for the first search, which reduces
  const auto scenario = testing::load("wake-resize");
  ASSERT_TRUE(testing::search(scenario, testing::v7_3(), options.search).complete());
  const ScenarioReport report = run_scenario(scenario, testing::v7_3(), options);
  EXPECT_EQ(report.verdict, Verdict::inconclusive);
  EXPECT_EQ(report.result.limit, checker::Limit::states);
}

// With the priorities exchanged the same steps cannot be taken.
TEST(Strict, ATraceThatBreaksThePrioritiesDiverges) {
  const auto scenario = with_any(strict(
      "thread high priority 2 { int h = load(f); }\n"
      "thread low { store(f, 1); }\n",
      "never high.h == 1;\n"));
  const ScenarioReport report = run_scenario(scenario, testing::v7_3(), {});
  const Violation* const violation = report.find("condition");
  ASSERT_TRUE(violation != nullptr && violation->trace);
  scenario::Scenario strictly = scenario;
  strictly.strict = true;
  FutexProgram program(strictly, testing::v7_3());
  EXPECT_EQ(checker::replay(program, *violation->trace).outcome, checker::Outcome::diverges);
}

}  // namespace
}  // namespace futexmc::properties
