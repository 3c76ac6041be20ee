// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random small programs: they are what they promise to be, everything holds in them on v7.3, and a
// faulty variant is caught with a program that is small, replays, and is written out.
#include <gtest/gtest.h>

#include <cstdlib>

#include "checker/replay.hpp"
#include "model/scenario/parser.hpp"
#include "model/scenario/print.hpp"
#include "properties/rapid/rapid.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties::rapid {
namespace {

constexpr std::uint64_t kSeed = 20260803;

TEST(SmallPrograms, AreCanonicalScenarios) {
  const auto draw = small_programs();
  rc::Random random(kSeed);
  for (int i = 0; i < 1'000; ++i) {
    const SmallProgram program = draw(random.split(), 100).value();
    const std::string text = scenario_text(program, "A title");
    ASSERT_NO_THROW(testing::parse(text, "random.futex")) << text;
    scenario::Problems problems;
    const auto tree = scenario::parse_source(text, problems);
    ASSERT_TRUE(tree.has_value());
    ASSERT_EQ(scenario::print(*tree), text);
  }
}

// Every chain of shrinks ends, and all of its programs compile.
TEST(SmallPrograms, ShrinkToTheEmptyProgram) {
  const auto draw = small_programs();
  rc::Random random(kSeed);
  rc::Random path = random.split();  // a source is split or drawn from, not both
  for (int i = 0; i < 100; ++i) {
    SmallProgram program = draw(random.split(), 100).value();
    for (int step = 0;; ++step) {
      ASSERT_LT(step, 100);
      const std::vector<SmallProgram> candidates = smaller(program);
      for (const SmallProgram& candidate : candidates) {
        ASSERT_NE(candidate, program);
        ASSERT_NO_THROW(testing::parse(scenario_text(candidate, "A title"), "random.futex"));
      }
      if (candidates.empty()) break;
      program = candidates[path.next() % candidates.size()];
    }
    EXPECT_EQ(statements(program), 0U);
  }
}

/// The seed and the number of samples may come from RC_PARAMS, as for any RapidCheck property.
RapidOptions options_for(int count) {
  rc::detail::Configuration defaults;
  defaults.testParams.seed = kSeed;
  defaults.testParams.maxSuccess = count;
  const char* const given = std::getenv("RC_PARAMS");
  const auto params = given == nullptr ? defaults.testParams
                                       : rc::detail::configFromString(given, defaults).testParams;
  RapidOptions options;
  options.seed = params.seed;
  options.count = params.maxSuccess;
  return options;
}

void expect_to_hold(int count) {
  const RapidOptions options = options_for(count);
  const RapidOutcome outcome = run_rapid(testing::v7_3(), options);
  EXPECT_TRUE(outcome.passed()) << "seed " << options.seed << '\n' << describe(outcome);
  std::cout << describe(outcome);
}

TEST(RandomPrograms, HoldOnV73) { expect_to_hold(25); }
TEST(SlowRandomPrograms, HoldOnV73) { expect_to_hold(150); }

// A search that was cut says nothing: such samples do not count, and cannot make the suite pass.
TEST(RandomPrograms, DoNotPassWhenCut) {
  RapidOptions options;
  options.seed = kSeed;
  options.count = 5;
  options.max_states = 10;
  const RapidOutcome outcome = run_rapid(testing::v7_3(), options);
  EXPECT_FALSE(outcome.passed());
  EXPECT_FALSE(outcome.failure.has_value());
  EXPECT_LT(outcome.held, 5);
  EXPECT_GT(outcome.inconclusive, outcome.held);
}

TEST(RandomPrograms, FailToBeWrittenLoudly) {
  EXPECT_THROW(write_failure({}, "/nonexistent", "name"), std::ios_base::failure);
}

struct Faulty {
  std::string name;
  model::Variant variant;
  std::string property;
  std::size_t threads;     ///< the shrunk program has at most
  std::size_t statements;  ///< the same
};

void PrintTo(const Faulty& faulty, std::ostream* out) { *out << faulty.name; }

class FaultyVariants : public ::testing::TestWithParam<Faulty> {};

TEST_P(FaultyVariants, AreCaughtShrunkAndWritten) {
  const Faulty& faulty = GetParam();
  RapidOptions options;
  options.seed = kSeed;
  options.count = 1'000;
  const RapidOutcome outcome = run_rapid(faulty.variant, options);
  ASSERT_TRUE(outcome.failure.has_value()) << describe(outcome);
  const RapidFailure& failure = *outcome.failure;
  EXPECT_EQ(failure.property, faulty.property);
  EXPECT_LE(failure.program.threads.size(), faulty.threads) << failure.text;
  EXPECT_LE(statements(failure.program), faulty.statements) << failure.text;

  // The file alone is enough to see it again, and v7.3 is not to blame.
  const auto directory = std::filesystem::path(::testing::TempDir());
  write_failure(failure, directory, faulty.name);
  const auto read = [&](const char* extension) {
    std::ifstream in(directory / (faulty.name + extension));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto scenario = testing::parse(read(".futex"), faulty.name + ".futex");
  EXPECT_TRUE(testing::search(scenario, faulty.variant).violated(failure.property));
  EXPECT_TRUE(testing::holds(testing::search(scenario, testing::v7_3())));

  ASSERT_TRUE(failure.trace.has_value());
  const auto trace = checker::read_trace(read(".json"));
  ASSERT_TRUE(std::holds_alternative<checker::Trace>(trace));
  FutexProgram program(scenario, faulty.variant);
  EXPECT_EQ(checker::replay(program, std::get<checker::Trace>(trace)).outcome,
            checker::Outcome::reproduces);
  EXPECT_NE(failure.story.find(failure.property), std::string::npos) << failure.story;
  std::cout << describe(outcome);
}

// The same seed gives the same failure.
TEST(RandomPrograms, AreDeterministic) {
  const auto variant = testing::with_patch("bucket-ref-tglx");
  RapidOptions options;
  options.seed = kSeed;
  const RapidOutcome first = run_rapid(variant, options);
  const RapidOutcome second = run_rapid(variant, options);
  ASSERT_TRUE(first.failure && second.failure);
  EXPECT_EQ(first.held, second.held);
  EXPECT_EQ(first.failure->text, second.failure->text);
  EXPECT_EQ(first.failure->path, second.failure->path);
  EXPECT_EQ(first.failure->trace, second.failure->trace);
}

std::vector<Faulty> faulty_variants() {
  return {
      {"draft_1", testing::with_patch("bucket-ref-draft-1"), "lifetime", 2, 2},
      {"tglx", testing::with_patch("bucket-ref-tglx"), "lifetime", 2, 2},
      {"rehash_move", testing::with_knockout("rehash-move"), "reachability", 2, 4},
      {"waiters_before_check", testing::with_knockout("waiters-before-check"), "lost-wakeup", 2, 4},
  };
}
std::string name_of(const ::testing::TestParamInfo<Faulty>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Random, FaultyVariants, ::testing::ValuesIn(faulty_variants()), name_of);

}  // namespace
}  // namespace futexmc::properties::rapid
