// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the program says of races: found by default in small scenarios, in others only on request,
// and never "holds" where nobody has looked.
#include "cli/exit_codes.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

using Arguments = std::vector<std::string>;

Json scenario_of(Arguments arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return run_cli(arguments).json().at("scenarios").at(0);
}

struct Found {
  const char* name;
  Arguments arguments;
  const char* message;
};

class Races : public ::testing::TestWithParam<Found> {};

TEST_P(Races, AreFound) {
  Arguments arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--expect", "violated:race"});
  const Ran ran = run_cli(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, std::string("race: ") + GetParam().message)) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\n== race in ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "  <<< race\n")) << ran.out;
}

constexpr const char* kEntry =
    "futex_q: its use in __futex_wake_mark() is not ordered with its allocation or freeing in "
    "__futex_wait()";
constexpr const char* kThreads =
    "mm_struct.nr_threads: a plain read in futex_hash_allocate_default() is not ordered with a "
    "write in __exit_signal()";

INSTANTIATE_TEST_SUITE_P(
    Cli, Races,
    ::testing::Values(
        Found{"by_default", {"check", "wait-then-resize", "--knockout", "wake-release"}, kEntry},
        Found{"in_the_smallest",
              {"check", "wait-spurious-wake", "--knockout", "wake-release"},
              kEntry},
        Found{"alone",
              {"check", "wait-spurious-wake", "--knockout", "wake-release", "--property", "race"},
              kEntry},
        Found{"with_others",
              {"check", "wait-spurious-wake", "--knockout", "wake-release", "--property", "race",
               "--property", "lifetime"},
              kEntry},
        Found{"breadth_first",
              {"check", "wait-spurious-wake", "--knockout", "wake-release", "--search", "bfs"},
              kEntry},
        Found{"by_a_sample",
              {"sample", "wait-spurious-wake", "--knockout", "wake-release", "--property", "race",
               "--runs", "200"},
              kEntry},
        Found{"of_the_kernel", {"check", "wake-installs"}, kThreads}),
    [](const ::testing::TestParamInfo<Found>& of) { return of.param.name; });

TEST(RaceSearch, IsOneOfItsOwnByDefault) {
  const Json small = scenario_of({"check", "wait-wake"});
  EXPECT_EQ(small.at("verdict"), "holds");
  EXPECT_EQ(small.at("skipped"), Json::array());
  EXPECT_GT(small.at("race_states"), small.at("states"));
  const Json alone = scenario_of({"check", "wait-wake", "--property", "race"});
  EXPECT_EQ(alone.at("states"), small.at("race_states"));
  EXPECT_TRUE(alone.at("race_states").is_null());
  EXPECT_TRUE(alone.at("race_seconds").is_null());
}

TEST(RaceSearch, OfTheKernelItselfSaysSo) {
  const Ran known = run_cli({"check", "requeue-pi", "--quiet"});
  EXPECT_TRUE(contains(known.out, "futex_requeue_pi_prepare() (v7.3 has it: docs/findings.md)\n"))
      << known.out;
  const Ran other = run_cli({"check", "wait-spurious-wake", "--knockout", "wake-release",
                             "--property", "race", "--quiet"});
  EXPECT_TRUE(contains(other.out, "    race: ")) << other.out;
  EXPECT_FALSE(contains(other.out, "v7.3 has it")) << other.out;
}

TEST(RaceSearch, IsLeftOutWhereItIsBigAndSaysSo) {
  const Ran ran = run_cli({"check", "set-slots-race", "wait-wake"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "not looked at in 1 of 2 scenarios: race (see --property in "
                                "--help)\n"))
      << ran.out;
  EXPECT_TRUE(contains(run_cli({"check", "--help"}).out, "race in scenarios of more than 10,000"));
  const Json big = scenario_of({"check", "set-slots-race"});
  EXPECT_EQ(big.at("skipped"), Json({"race"}));
  EXPECT_TRUE(big.at("race_states").is_null());
  const Ran junit = run_cli({"check", "set-slots-race", "--format", "junit"});
  EXPECT_TRUE(contains(junit.out, "<skipped message=\"not looked at: it needs a search of its own"))
      << junit.out;
  const Ran sarif = run_cli({"check", "set-slots-race", "--format", "sarif"});
  EXPECT_TRUE(contains(sarif.out, "not looked at, as it needs a search of its own: race"))
      << sarif.out;
  EXPECT_FALSE(contains(run_cli({"check", "wait-wake"}).out, "not looked at"));
}

TEST(RaceSearch, OfABigScenarioKeepsItsLimits) {
  for (const Arguments& more : {Arguments{}, {"--property", "lifetime"}}) {
    Arguments arguments = {"check",        "wake-resize-twice", "--property", "race",
                           "--max-states", "80000",             "--expect",   "inconclusive"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run_cli(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "not searched to the end: --max-states was reached")) << ran.out;
  }
}

// There the detector would report what a context switch orders; nobody has looked, so nobody knows.
TEST(RaceSearch, WhereItCannotBeMadeIsInconclusiveIfAskedFor) {
  for (const Arguments& where : {Arguments{"check", "priority-lock"},
                                 Arguments{"check", "wait-wake", "--memory", "tso"}}) {
    EXPECT_EQ(run_cli(where).code, 0);
    EXPECT_EQ(scenario_of(where).at("skipped"), Json({"race"}));
    Arguments asked = where;
    asked.insert(asked.end(), {"--property", "race"});
    const Ran ran = run_cli(asked);
    EXPECT_EQ(ran.code, exit_code::kBound);
    EXPECT_TRUE(contains(ran.out, "the model has no room for races where threads share a CPU"))
        << ran.out;
  }
}

class RaceNewOnly : public InDirectory {};

// The kernel has the race of nr_threads; draft-1's freed table is used without order as well.
TEST_F(RaceNewOnly, ChargesThePatchWithItsOwn) {
  const Ran shared = run_cli({"check", "wake-installs", "--patch", "mismatch-precheck",
                              "--new-only"});
  EXPECT_EQ(shared.code, 0) << shared.out;
  EXPECT_TRUE(contains(shared.out, "v7.3 violates without it too, so not counted: race in "
                                   "wake-installs\n"))
      << shared.out;
  const Json own = scenario_of({"check", "wake-global", "--patch", "bucket-ref-draft-1",
                                "--new-only"});
  EXPECT_EQ(own.at("shared_with_base"), Json::array());
  EXPECT_EQ(own.at("violations").at(1).at("property"), "race");
}

// v7.3 has 10323 states here, and so is not searched for races by default; with the patch 9744.
TEST_F(RaceNewOnly, LooksAtTheKernelWhateverItsSize) {
  const std::string file = write("straddle.futex", R"(
word f = 0;
hash none;
sizing minimum 2, per_thread 2, maximum 4;
thread main {
  int before = 0;
  clone(first);
  clone(second);
  before = GET_SLOTS();
  futex_wake(f, 1);
}
thread first cloned { store(f, 1); }
thread second cloned { }
)");
  EXPECT_EQ(scenario_of({"check", file}).at("skipped"), Json({"race"}));
  const Json patched = scenario_of({"check", file, "--patch", "bucket-ref-tglx", "--new-only"});
  EXPECT_EQ(patched.at("skipped"), Json::array());
  EXPECT_EQ(patched.at("shared_with_base"), Json({"race"}));
  EXPECT_EQ(patched.at("violations").size(), 1U);
}

TEST(SlowRaceMatrix, MarksWhatIsThePatchsOwnAndSaysWhatItLeftOut) {
  const Ran ran = run_cli({"matrix", "--row", "hash-wait-new", "--row", "mismatch-precheck",
                           "--scenario", "wake-installs", "--scenario", "wake-global",
                           "--scenario", "set-slots-race"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "race: not looked at in 2 of 6 searches")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "mismatch-precheck: race in wake-installs (")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "; v7.3 violates it too\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "hash-wait-new: race in wake-global (")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "; v7.3 violates it too, but not here\n    mm_struct.hash_new: "))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "\n+ so does the base, and the patch on v7.3 does where v7.3 "
                                "does not\n"))
      << ran.out;
}

}  // namespace
}  // namespace futexmc::cli
