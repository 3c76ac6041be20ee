// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sampling: it finds nothing that a search does not find, says what it did, and is repeatable.
#include "checker/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/checker/searching.hpp"
#include "tests/checker/toys.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

constexpr Scheduler kSchedulers[] = {Scheduler::random, Scheduler::pct};

SampleOptions runs_of(Scheduler scheduler, std::uint64_t runs, std::uint64_t seed = 1) {
  SampleOptions how;
  how.scheduler = scheduler;
  how.runs = runs;
  how.seed = seed;
  return how;
}

models::SemaphoreParameters large() { return {3, 3, 3, 3}; }

TEST(Sample, FindsAndSeesOnlyWhatASearchDoes) {
  std::size_t found = 0;
  std::size_t there = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    toys::Random program(seed);
    for (const bool movers : {false, true}) {
      const Options options = testing::with(movers, false);
      const Result all = depth_first(program, options);
      const auto known = testing::signatures(all);
      for (const Scheduler scheduler : kSchedulers) {
        const SampleResult some = sample(program, options, runs_of(scheduler, 300));
        const auto seen = testing::signatures(some.result);
        EXPECT_TRUE(std::includes(known.begin(), known.end(), seen.begin(), seen.end())) << seed;
        EXPECT_TRUE(std::includes(all.outcomes.begin(), all.outcomes.end(),
                                  some.result.outcomes.begin(), some.result.outcomes.end()));
        EXPECT_LE(some.result.states, all.states);
        EXPECT_LE(some.result.finals, all.finals);
        EXPECT_EQ(some.sampled.outcomes, some.result.outcomes.size());
        found += seen.size();
        there += known.size();
      }
    }
  }
  EXPECT_GT(found * 10, there * 9);
}

TEST(Sample, APathLeadsToItsViolation) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    toys::Random program(seed);
    for (const bool movers : {false, true}) {
      const Options options = testing::with(movers, false);
      const SampleResult some = sample(program, options, runs_of(Scheduler::pct, 200));
      ASSERT_EQ(some.sampled.found_in.size(), some.result.findings.size());
      for (const Finding& finding : some.result.findings) {
        const auto seen = testing::violations_of(program, finding.path, options);
        EXPECT_NE(std::find(seen.begin(), seen.end(), finding.property + ": " + finding.message),
                  seen.end());
      }
    }
  }
}

TEST(Sample, IsNeverComplete) {
  toys::LostUpdate program(1);  // alone it loses nothing
  for (const Scheduler scheduler : kSchedulers) {
    const SampleResult some = sample(program, {}, runs_of(scheduler, 50));
    EXPECT_TRUE(some.result.findings.empty());
    EXPECT_EQ(some.result.limit, Limit::sampled);
    EXPECT_FALSE(some.result.complete());
    EXPECT_EQ(some.sampled.runs, 50U);
    EXPECT_EQ(some.result.transitions, 100U);
    EXPECT_EQ(some.result.finals, 1U);
  }
}

TEST(Sample, TheSameSeedMakesTheSameRuns) {
  models::Semaphore program(large());
  for (const Scheduler scheduler : kSchedulers) {
    const auto steps = [&](std::uint64_t runs, std::uint64_t seed) {
      const Result result = sample(program, {}, runs_of(scheduler, runs, seed)).result;
      return std::pair(result.states, result.transitions);
    };
    EXPECT_EQ(steps(100, 1), steps(100, 1));
    EXPECT_NE(steps(100, 1), steps(100, 2));
  }
}

TEST(Sample, ARunDoesNotDependOnHowManyFollow) {
  toys::LostUpdate program(3);
  for (const Scheduler scheduler : kSchedulers) {
    const SampleResult few = sample(program, {}, runs_of(scheduler, 40));
    const SampleResult many = sample(program, {}, runs_of(scheduler, 400));
    ASSERT_EQ(few.result.findings.size(), 1U);
    EXPECT_EQ(few.sampled.found_in, many.sampled.found_in);
    EXPECT_EQ(few.result.findings[0].path, many.result.findings[0].path);
  }
}

TEST(Sample, CountsOutcomesByTheRunsThatShowThem) {
  toys::LostUpdate program(2);
  const SampleResult one = sample(program, testing::unreduced(), runs_of(Scheduler::random, 1));
  EXPECT_EQ(one.sampled.outcomes, 1U);
  EXPECT_EQ(one.sampled.outcomes_once, 1U);
  EXPECT_DOUBLE_EQ(one.sampled.new_outcome(), 1);
  const SampleResult many = sample(program, testing::unreduced(), runs_of(Scheduler::random, 500));
  EXPECT_EQ(many.result.outcomes, depth_first(program, testing::unreduced()).outcomes);
  EXPECT_EQ(many.sampled.outcomes_once, 0U);
  EXPECT_DOUBLE_EQ(many.sampled.new_outcome(), 0);
}

/// Waits by looking again and again; with `hope`, somebody writes what it waits for.
class Spinner final : public Program {
 public:
  explicit Spinner(bool hope) : hope_(hope) {}
  void build(Builder& builder) override {
    auto& word = builder.make<Cell<int>>("word", "word");
    builder.thread({"spinner", &spin, toys::address_of(&word), false});
    if (hope_) builder.thread({"writer", &write, toys::address_of(&word), false});
  }

 private:
  static void spin(std::uint64_t word) {
    while (load(toys::cell_of(word), Order::once) == 0) {
    }
  }
  static void write(std::uint64_t word) { store(toys::cell_of(word), 1, Order::once); }
  bool hope_;
};

TEST(Sample, ARunThatDoesNotEndIsCutAndCounted) {
  SampleOptions how = runs_of(Scheduler::pct, 200);
  how.max_steps = 50;
  Spinner hopeless(false);
  const SampleResult none = sample(hopeless, {}, how);
  EXPECT_EQ(none.sampled.runs, 200U);
  EXPECT_EQ(none.sampled.cut, 200U);
  EXPECT_EQ(none.result.max_depth, 50U);
  EXPECT_EQ(none.sampled.outcomes, 0U);
  EXPECT_EQ(none.sampled.promise(), 0);
  Spinner hopeful(true);
  const SampleResult some = sample(hopeful, {}, how);
  EXPECT_GT(some.sampled.cut, 0U);
  EXPECT_LT(some.sampled.cut, 200U);
  EXPECT_GT(some.sampled.promise(), 0);
  EXPECT_LE(some.sampled.decisions, 50U + how.depth - 1);
}

TEST(Sample, Limits) {
  models::Semaphore program(large());
  Options options;
  options.max_seconds = 0.05;
  EXPECT_EQ(sample(program, options, runs_of(Scheduler::pct, 0)).result.limit, Limit::sampled);
  const SampleResult cut = sample(program, options, runs_of(Scheduler::pct, 1'000'000'000));
  EXPECT_EQ(cut.result.limit, Limit::time);
  EXPECT_GT(cut.sampled.runs, 0U);
  const std::atomic<bool> interrupt = true;
  options.interrupt = &interrupt;
  EXPECT_EQ(sample(program, options, runs_of(Scheduler::pct, 0)).result.limit, Limit::interrupted);
}

TEST(Sample, AFullTableIsNoEndButIsSaid) {
  models::Semaphore program(large());
  Options options;
  options.max_bytes = 1'000'000;
  const SampleResult some = sample(program, options, runs_of(Scheduler::random, 20'000));
  EXPECT_TRUE(some.sampled.table_full);
  EXPECT_EQ(some.sampled.runs, 20'000U);
  EXPECT_EQ(some.result.limit, Limit::sampled);
  options.max_bytes = ~0ULL;
  const SampleResult more = sample(program, options, runs_of(Scheduler::random, 20'000));
  EXPECT_FALSE(more.sampled.table_full);
  EXPECT_GT(more.result.states, some.result.states);
  EXPECT_EQ(more.result.transitions, some.result.transitions);
}

TEST(Sample, WithoutTheDeclaredLocksItGoesWithoutMovers) {
  toys::Undisciplined program;
  const SampleResult some = sample(program, {}, runs_of(Scheduler::pct, 500));
  EXPECT_FALSE(some.result.reduction_off.empty());
  EXPECT_TRUE(some.result.violated("race"));
  EXPECT_EQ(some.sampled.runs, 500U);
}

TEST(Sample, StopsAtTheFirst) {
  toys::LostUpdate program(3);
  Options options;
  options.stop_at_first = true;
  const SampleResult some = sample(program, options, runs_of(Scheduler::random, 1'000));
  EXPECT_EQ(some.result.findings.size(), 1U);
  EXPECT_LT(some.sampled.runs, 1'000U);
  ASSERT_EQ(some.sampled.found_in.size(), 1U);
  EXPECT_EQ(some.sampled.found_in[0], some.sampled.runs + 1);
  EXPECT_FALSE(some.result.complete());
}

}  // namespace
}  // namespace futexmc::checker
