// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/replay.hpp"

#include <gtest/gtest.h>

#include "tests/models/semaphore.hpp"
#include "tests/traces/programs.hpp"

namespace futexmc::checker {
namespace {

using models::Mutation;
using models::Semaphore;
using traces::Copy;
using traces::Freed;
using traces::schedule;

/// The trace of what the path shows, with the violation's own words.
Trace only_trace_of(Program& program, const Path& path) {
  Trace trace = make_trace(program, path, "", "");
  const Replay seen = replay(program, trace);
  EXPECT_EQ(seen.violations.size(), 1U);
  trace.property = seen.violations.at(0).property;
  trace.message = seen.violations.at(0).message;
  return trace;
}

Trace late_count() {
  Semaphore late({1, 1, 1, 1, Mutation::late_count});
  return only_trace_of(late, schedule({{0, 4}, {1, 2}, {0, 6}}));
}

TEST(Replay, Reproduces) {
  Semaphore late({1, 1, 1, 1, Mutation::late_count});
  const Replay result = replay(late, late_count(), {.same_model = true});
  EXPECT_EQ(result.outcome, Outcome::reproduces) << result.because;
  EXPECT_EQ(result.at, 12U);
  EXPECT_EQ(result.steps.size(), 12U);
  EXPECT_EQ(result.extra + result.skipped + result.state_differs_at, 0U);
  ASSERT_EQ(result.blocked.size(), 1U);
  EXPECT_EQ(result.blocked[0].next.operation, "schedule");
  EXPECT_EQ(result.blocked[0].next.function, "semaphore_wait");
}

TEST(Replay, WhatTheShortestSearchFindsReproduces) {
  Semaphore late({2, 1, 1, 2, Mutation::late_count});
  Options options;
  options.movers = false;
  const Result found = breadth_first(late, options);
  ASSERT_FALSE(found.findings.empty());
  for (const Finding& finding : found.findings) {
    const Trace trace = make_trace(late, finding.path, finding.property, finding.message);
    EXPECT_EQ(replay(late, trace, {.same_model = true}).outcome, Outcome::reproduces);
  }
}

TEST(Replay, NowPassesAfterAFixThatMovesAnOperation) {
  Semaphore early({1, 1, 1, 1, Mutation::none});
  const Replay result = replay(early, late_count());
  EXPECT_EQ(result.outcome, Outcome::now_passes) << result.because;
  EXPECT_EQ(result.because, "");
  EXPECT_EQ(result.extra, 1U);    // waiters++ before the lock
  EXPECT_EQ(result.skipped, 1U);  // and not after the check
  EXPECT_EQ(result.state_differs_at, 2U);
}

TEST(Replay, DivergesAtTheFirstStateThatDiffersIfTheModelIsTheSame) {
  Semaphore early({1, 1, 1, 1, Mutation::none});
  const Replay result = replay(early, late_count(), {.same_model = true});
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 2U);
  EXPECT_EQ(result.because, "the state is not the one that the trace names");
}

TEST(Replay, DivergesWhereAThreadHasToWait) {
  Semaphore late({2, 1, 1, 2, Mutation::late_count});
  Semaphore early({2, 1, 1, 2, Mutation::none});
  const Trace trace = make_trace(late, schedule({{0, 4}, {2, 1}, {1, 2}, {2, 3}, {0, 6}}),
                                 "deadlock", "waiter0 sleeps");
  const Replay result = replay(early, trace);
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 9U);
  EXPECT_NE(result.because.find("waker2 waits in "), std::string::npos) << result.because;
  EXPECT_NE(result.because.find("for lock of hb[1], held by waiter0"), std::string::npos);
}

TEST(Replay, DivergesWhereAThreadHasFinished) {
  Semaphore one({0, 1, 1, 1, Mutation::none});
  Semaphore two({0, 1, 1, 2, Mutation::none});
  const Replay result = replay(one, make_trace(two, schedule({{0, 4}}), "deadlock", "none"));
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 3U);
  EXPECT_EQ(result.because, "waker0 has finished");
}

TEST(Replay, DivergesWhereAnEventCannotHappen) {
  Freed bare(false);
  Freed guarded(true);
  const Trace trace = only_trace_of(bare, schedule({{0, 1}, {1, 2}, {2, 1}, {0, 1}}));
  EXPECT_EQ(trace.property, "lifetime");
  EXPECT_EQ(replay(bare, trace).outcome, Outcome::reproduces);
  const Replay result = replay(guarded, trace);
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 4U);
  EXPECT_EQ(result.because, "gp_end cannot happen here");
}

TEST(Replay, DivergesWhereAnAgentIsUnknown) {
  Trace trace = late_count();
  trace.steps[4].agent = "stranger";
  Semaphore late({1, 1, 1, 1, Mutation::late_count});
  const Replay result = replay(late, trace);
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 5U);
  EXPECT_EQ(result.because, "the program has no thread or event called stranger");
}

TEST(Replay, DivergesWhereAnOperationIsUnknown) {
  Trace trace = late_count();
  trace.steps[5].operation = "spin_trylock";
  Semaphore late({1, 1, 1, 1, Mutation::late_count});
  const Replay result = replay(late, trace);
  EXPECT_EQ(result.outcome, Outcome::diverges);
  EXPECT_EQ(result.at, 6U);
  EXPECT_EQ(result.because,
            "the next operation of waker1 is now load of hb[0] in semaphore_wake(), "
            "not spin_trylock of hb[0] in semaphore_wake()");
}

TEST(Replay, ReproducesOnlyWithTheOutcomeThatTheSearchChose) {
  Copy copy(true);
  Trace trace = only_trace_of(copy, {{1, 1}, {1, 0}});
  EXPECT_EQ(trace.property, "condition");
  EXPECT_EQ(trace.steps[0].alternative, 1U);
  EXPECT_EQ(trace.steps[1].alternative, std::nullopt);
  Copy sure(false);
  EXPECT_EQ(replay(sure, trace).because,
            "copy_from_user of copier has 1 outcomes, the trace takes outcome 1");
  trace.steps[0].alternative = 0;
  EXPECT_EQ(replay(copy, trace).outcome, Outcome::now_passes);
}

TEST(Replay, ReportsADifferentViolation) {
  Trace trace = late_count();
  trace.message = "something else";
  Semaphore late({1, 1, 1, 1, Mutation::late_count});
  const Replay result = replay(late, trace);
  EXPECT_EQ(result.outcome, Outcome::now_passes);
  EXPECT_EQ(result.because.find("a different violation: deadlock: waiter0 waits in"), 0U);
}

TEST(Replay, RunsOnFairly) {
  Copy copy(true);  // the lower thread spins until the other is done
  Trace trace = make_trace(copy, schedule({{0, 3}}), "condition", "the copy failed");
  EXPECT_EQ(replay(copy, trace).outcome, Outcome::now_passes);
  const Replay cut = replay(copy, trace, {.max_run_on = 10});
  EXPECT_EQ(cut.outcome, Outcome::diverges);
  EXPECT_EQ(cut.because, "no final state within 10 steps after the trace's last");
}

TEST(Replay, OfAnEmptyTraceRunsOnToTheEnd) {
  Freed bare(false);
  Trace trace;
  trace.property = "lifetime";
  const Replay result = replay(bare, trace);
  EXPECT_EQ(result.outcome, Outcome::now_passes);
  EXPECT_EQ(result.at, 0U);
  EXPECT_EQ(result.steps.size(), 5U);  // the owed event included
}

}  // namespace
}  // namespace futexmc::checker
