// SPDX-License-Identifier: GPL-2.0-or-later
//
// futexmc sample: what it finds, what it says of what it covered, and that it never says "holds".
#include "cli/exit_codes.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

using Arguments = std::vector<std::string>;

const char* const kSchedulers[] = {"pct", "random"};

Ran sample(Arguments arguments) {
  arguments.insert(arguments.begin(), "sample");
  return run_cli(arguments);
}

/// The only scenario of a JSON report.
Json sampled(Arguments arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const Ran ran = sample(arguments);
  EXPECT_EQ(ran.err, "");
  return ran.json().at("scenarios").at(0);
}

/// The scenario without what depends on the clock.
Json repeatable(Json scenario) {
  for (const char* member : {"seconds", "states_per_second"}) scenario.erase(member);
  return scenario;
}

class Sample : public InDirectory {};

TEST_F(Sample, BothSchedulersFindWhatWasKnockedOut) {
  for (const std::string scheduler : kSchedulers) {
    const Ran wakeup = sample({"wait-wake", "--knockout", "waiters-before-check", "--runs", "500",
                               "--scheduler", scheduler, "--expect", "violated:lost-wakeup"});
    EXPECT_EQ(wakeup.code, 0) << wakeup.out;
    for (const std::string knockout : {"bias", "dead-test", "fold-grace-period"}) {
      const Ran count =
          sample({"wake-resize", "--knockout", knockout, "--runs", "200", "--scheduler", scheduler,
                  "--property", "refcount", "--expect", "violated:refcount"});
      EXPECT_EQ(count.code, 0) << scheduler << " " << knockout << "\n" << count.out;
    }
  }
}

TEST_F(Sample, PctFindsWhatNeedsAnUnlikelyOrder) {
  const Arguments common = {"wake-resize", "--knockout", "free-grace-period", "--runs",
                            "2000",        "--property", "lifetime",          "--scheduler"};
  const auto code = [&](const char* scheduler) {
    Arguments all = common;
    all.emplace_back(scheduler);
    return sample(all).code;
  };
  EXPECT_EQ(code("pct"), 13);
  EXPECT_EQ(code("random"), exit_code::kBound);
}

TEST_F(Sample, ATraceReplays) {
  for (const std::string scheduler : kSchedulers) {
    const Ran ran = sample({"wait-wake", "--knockout", "waiters-before-check", "--runs", "500",
                            "--scheduler", scheduler, "--trace-dir", path(scheduler)});
    EXPECT_EQ(ran.code, 11);
    EXPECT_TRUE(contains(ran.out, "(first in run ")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "== lost-wakeup in wait-wake")) << ran.out;
    const Ran again = run_cli({"replay", path(scheduler)});
    EXPECT_EQ(again.code, 0) << again.out;
    EXPECT_TRUE(contains(again.out, ": reproduces lost-wakeup: ")) << again.out;
  }
}

TEST_F(Sample, ASeedIsRepeatable) {
  for (const std::string scheduler : kSchedulers) {
    const auto run = [&](const std::string& seed) {
      return repeatable(
          sampled({"wait-wake-resize", "--runs", "300", "--scheduler", scheduler, "--seed", seed}));
    };
    EXPECT_EQ(run("5"), run("5"));
    EXPECT_NE(run("5").at("transitions"), run("6").at("transitions"));
  }
  EXPECT_EQ(sampled({"wait-wake", "--runs", "20"}).at("sampled").at("seed"), 1);
}

TEST_F(Sample, JobsMakeNoDifference) {
  const auto run = [](const std::string& jobs) {
    const Ran ran = sample({"wait-wake", "wake-resize", "bitset", "--runs", "100", "--jobs", jobs,
                            "--format", "json"});
    const Json report = ran.json();
    std::vector<Json> scenarios;
    for (const Json& one : report.at("scenarios")) scenarios.push_back(repeatable(one));
    return scenarios;
  };
  EXPECT_EQ(run("1"), run("3"));
}

TEST_F(Sample, NeverHolds) {
  for (const std::string scheduler : kSchedulers) {
    const Ran ran =
        sample({"wait-wake", "wake-resize", "--runs", "1000", "--scheduler", scheduler});
    EXPECT_EQ(ran.code, exit_code::kBound);
    EXPECT_FALSE(contains(ran.out, "holds")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "inconclusive: sampled")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "sampled, not exhausted: 1000 runs, " + scheduler)) << ran.out;
    EXPECT_TRUE(contains(ran.out, "estimate (Good-Turing): ")) << ran.out;
    EXPECT_EQ(contains(ran.out, "odds of at least "), scheduler == "pct") << ran.out;
  }
  EXPECT_TRUE(contains(sample({"wait-wake", "--runs", "20"}).out,
                       "nothing to look at in these runs for: boost, deadlock, pi-owner, "
                       "refcount, requeue-state, size-policy\n"));
  EXPECT_EQ(sample({"wait-wake", "--runs", "20", "--expect", "inconclusive"}).code, 0);
}

TEST_F(Sample, ASometimesThatWasNotSeenIsNoViolation) {
  const std::string file = write("never.futex",
                                 "var x = 0;\nthread t { store(x, 1); }\n"
                                 "sometimes x == 2;\n");
  const Ran ran = sample({file, "--runs", "50"});
  EXPECT_EQ(ran.code, exit_code::kBound);
  EXPECT_TRUE(contains(ran.out, "in these runs: sometimes (x == 2) is false")) << ran.out;
  EXPECT_EQ(sampled({file, "--runs", "50"}).at("sampled").at("not_seen").size(), 1U);
}

TEST_F(Sample, JsonSaysWhatWasCovered) {
  const Json scenario = sampled({"wake-resize", "--runs", "200", "--depth", "2", "--seed", "9"});
  EXPECT_EQ(scenario.at("verdict"), "inconclusive");
  EXPECT_EQ(scenario.at("limit"), "sampled");
  const Json& how = scenario.at("sampled");
  EXPECT_EQ(how.at("scheduler"), "pct");
  EXPECT_EQ(how.at("depth"), 2);
  EXPECT_EQ(how.at("seed"), 9);
  EXPECT_EQ(how.at("runs"), 200);
  EXPECT_EQ(how.at("runs_asked"), 200);
  EXPECT_EQ(how.at("runs_cut"), 0);
  EXPECT_FALSE(how.at("table_full"));
  EXPECT_GE(how.at("outcomes"), how.at("outcomes_once"));
  EXPECT_DOUBLE_EQ(how.at("least_odds").get<double>(),
                   1.0 / (how.at("agents").get<double>() * how.at("decisions").get<double>()));
  const Json random = sampled({"wake-resize", "--runs", "5", "--scheduler", "random"});
  EXPECT_TRUE(random.at("sampled").at("least_odds").is_null());
  EXPECT_TRUE(random.at("sampled").at("depth").is_null());
}

TEST_F(Sample, LongRunsAreCut) {
  const Json scenario = sampled({"wake-resize", "--runs", "30", "--max-steps", "5"});
  EXPECT_EQ(scenario.at("sampled").at("runs_cut"), 30);
  EXPECT_EQ(scenario.at("max_depth"), 5);
  const Ran ran = sample({"wake-resize", "--runs", "30", "--max-steps", "5"});
  EXPECT_TRUE(contains(ran.out, "30 runs were cut after 5 steps")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "no run came to a final state")) << ran.out;
}

/// Of this one a search sees no end.
constexpr const char* kBig = R"(title "Six threads and two resizes";
word f = 0; word g = 0;
hash private(2);
budget spurious 1, signal 1;
thread waiter_f { int r = 0; r = futex_wait(f, 0); }
thread waiter_g { int r = 0; r = futex_wait(g, 0); }
thread waker_f { int n = 0; store(f, 1); n = futex_wake(f, 1); }
thread waker_g { int n = 0; store(g, 1); n = futex_wake(g, 1); }
thread grower { SET_SLOTS(4); }
thread shrinker { SET_SLOTS(2); }
)";

TEST_F(Sample, WhatIsTooBigToCheck) {
  const std::string big = write("big.futex", kBig);
  EXPECT_EQ(run_cli({"check", big, "--max-states", "300000"}).code, exit_code::kBound);
  const Json scenario = sampled({big, "--runs", "1000"});
  EXPECT_EQ(scenario.at("verdict"), "inconclusive");
  EXPECT_EQ(scenario.at("sampled").at("runs"), 1000);
  EXPECT_GT(scenario.at("sampled").at("outcomes").get<int>(), 5);
  EXPECT_GT(scenario.at("states").get<int>(), 10'000);
}

class SlowSample : public InDirectory {};

TEST_F(SlowSample, AViolationOfABigOneHasATraceThatReplays) {
  const std::string big = write("big.futex", kBig);
  const Ran ran = sample({big, "--runs", "300", "--knockout", "dead-test", "--property", "refcount",
                          "--trace-dir", path("t"), "--max-memory", "256M"});
  EXPECT_EQ(ran.code, 13) << ran.out;
  EXPECT_EQ(run_cli({"replay", path("t")}).code, 0);
}

TEST_F(Sample, TimeEndsItOneWayOrTheOther) {
  const Ran until = sample({"wake-resize", "--max-time", "0.05"});
  EXPECT_EQ(until.code, exit_code::kBound) << until.out;
  const Ran cut = sample({"wake-resize", "--max-time", "0.05", "--runs", "1000000000"});
  EXPECT_EQ(cut.code, exit_code::kTime);
  EXPECT_TRUE(contains(cut.out, " of 1000000000 runs (--max-time was reached)")) << cut.out;
}

TEST_F(Sample, InterruptedSaysWhatItHas) {
  interrupted().store(true);
  const Ran ran = sample({"wake-resize", "--quiet"});
  EXPECT_EQ(ran.code, exit_code::kTime);
  EXPECT_TRUE(contains(ran.out, "inconclusive: interrupted")) << ran.out;
}

}  // namespace
}  // namespace futexmc::cli
