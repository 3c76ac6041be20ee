// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/exit_codes.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* kSleeps = "word f = 0;\nhash global;\nthread t { futex_wait(f, 0); }\n";
constexpr const char* kWrong = "var x = 0;\nthread t { store(x, 1); }\nfinally x == 2;\n";

class Check : public InDirectory {};

TEST_F(Check, HoldsWithItsNumbers) {
  const Ran ran = run_cli({"check", "wait-wake"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "wait-wake                holds ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " states, ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " transitions, ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " B/state, odds ")) << ran.out;
  // The hash is the global one: there is no reference, no size, and nobody waits for a pivot.
  EXPECT_TRUE(contains(ran.out, "nothing to look at here for: boost, deadlock, pi-owner, refcount, "
                                "requeue-state, size-policy\n"))
      << ran.out;
  EXPECT_EQ(lines_in(ran.out), 2U);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Check, NamesNoVacuousPropertyThatOneScenarioLooksAt) {
  const Ran ran = run_cli({"check", "wait-wake", "wait-spurious-resize"});
  EXPECT_EQ(ran.code, 0);
  // Neither has a PI word.
  EXPECT_TRUE(contains(ran.out, "nothing to look at here for: boost, pi-owner, requeue-state\n"))
      << ran.out;
}

TEST_F(Check, LifetimeViolatedHasItsStory) {
  const Ran ran = run_cli({"check", "wake-global", "--patch", "bucket-ref-draft-1"});
  EXPECT_EQ(ran.code, 13);
  EXPECT_TRUE(contains(ran.out, "violated: lifetime")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "use after free of futex_private_hash")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "== lifetime in wake-global\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "futex_ref_get()")) << ran.out;
}

TEST_F(Check, LostWakeupAndConditionHaveTheirCodes) {
  const Ran lost = run_cli({"check", write("sleeps.futex", kSleeps)});
  EXPECT_EQ(lost.code, 11);
  EXPECT_TRUE(contains(lost.out, "violated: lost-wakeup")) << lost.out;
  const Ran wrong = run_cli({"check", write("wrong.futex", kWrong)});
  EXPECT_EQ(wrong.code, 10);
  EXPECT_TRUE(contains(wrong.out, "condition: finally (x == 2) is false")) << wrong.out;
  EXPECT_EQ(run_cli({"check", path("sleeps.futex"), path("wrong.futex")}).code, 11);
}

TEST_F(Check, OnlySelectedPropertiesCount) {
  write("sleeps.futex", kSleeps);
  EXPECT_EQ(run_cli({"check", path("sleeps.futex"), "--property", "lifetime"}).code, 0);
  EXPECT_EQ(run_cli({"check", path("sleeps.futex"), "--property", "lifetime", "--property",
                     "lost-wakeup"})
                .code,
            11);
}

TEST_F(Check, SometimesThatNeverHappensHasNoTrace) {
  const Ran ran = run_cli({"check", "--format", "json",
                           write("never.futex", "var x = 0;\nthread t { store(x, 1); }\n"
                                                "sometimes x == 2;\n")});
  EXPECT_EQ(ran.code, 10);
  EXPECT_TRUE(ran.json().at("scenarios").at(0).at("violations").at(0).at("cost").is_null());
}

TEST_F(Check, SearchesAgree) {
  const auto states = [](Arguments more) {
    Arguments all = {"check", "wake-global", "--format", "json"};
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = run_cli(all);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    return ran.json().at("scenarios").at(0).at("final_states").get<int>();
  };
  const int reference = states({"--no-reduction"});
  EXPECT_GT(reference, 0);
  EXPECT_EQ(states({}), reference);
  EXPECT_EQ(states({"--search", "bfs"}), reference);
  EXPECT_EQ(states({"--audit"}), reference);
}

TEST_F(Check, Json) {
  const Ran ran = run_cli({"check", "wake-global", "--patch", "bucket-ref-draft-1", "--format",
                           "json", "--trace-dir", path("traces")});
  const Json json = ran.json();
  EXPECT_EQ(json.at("kernel"), "v7.3");
  EXPECT_EQ(json.at("patches"), Json({"bucket-ref-draft-1"}));
  EXPECT_EQ(json.at("knockouts"), Json::array());
  EXPECT_EQ(json.at("verdict"), "violated");
  EXPECT_EQ(json.at("exit_code"), 13);
  const Json& scenario = json.at("scenarios").at(0);
  EXPECT_EQ(scenario.at("scenario"), "wake-global");
  EXPECT_TRUE(scenario.at("limit").is_null());
  EXPECT_TRUE(scenario.at("reduction_off").is_null());
  EXPECT_GT(scenario.at("states").get<int>(), 0);
  const Json& violation = scenario.at("violations").at(0);
  EXPECT_EQ(violation.at("property"), "lifetime");
  EXPECT_EQ(violation.at("minimal"), "proved");
  EXPECT_LE(violation.at("cost").at("switches").get<int>(), 2);
  EXPECT_EQ(violation.at("trace"),
            path("traces/bucket-ref-draft-1-lifetime-wake-global.json"));
  EXPECT_EQ(run_cli({"replay", path("traces")}).code, 0);
}

TEST_F(Check, Expect) {
  const auto code = [](const std::string& expected, Arguments arguments) {
    arguments.insert(arguments.begin(), {"check", "--expect", expected});
    return run_cli(arguments).code;
  };
  const std::string sleeps = write("sleeps.futex", kSleeps);
  EXPECT_EQ(code("holds", {"wait-wake"}), 0);
  EXPECT_EQ(code("violated", {"wait-wake"}), 15);
  EXPECT_EQ(code("inconclusive", {"wait-wake"}), 15);
  EXPECT_EQ(code("inconclusive", {"wait-wake", "--max-states", "5"}), 0);
  EXPECT_EQ(code("violated", {sleeps}), 0);
  EXPECT_EQ(code("violated:lost-wakeup", {sleeps}), 0);
  EXPECT_EQ(code("violated:lifetime", {sleeps}), 15);
  EXPECT_EQ(code("holds", {sleeps}), 15);
}

TEST_F(Check, ManyScenariosRunInProcessesAndArePrintedInOrder) {
  const Ran ran = run_cli({"check", "wait-wake", "wake-global", "bitset", "wait-wake", "-j", "3"});
  EXPECT_EQ(ran.code, 0);
  const std::size_t second = ran.out.find("\nwake-global ");
  EXPECT_EQ(ran.out.find("wait-wake "), 0U);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(second, ran.out.find("\nbitset "));
}

TEST_F(Check, AScenarioCountsOnce) {
  const std::string file = write("a.futex", "thread w { }");
  const Ran ran = run_cli({"check", "wait-wake", file, "wait-wake", path("./a.futex"), "--format",
                           "json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json().at("scenarios").size(), 2U);
  EXPECT_TRUE(contains(ran.err, "scenario 'wait-wake' is named twice and counts once")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "a.futex' is named twice")) << ran.err;
}

TEST_F(Check, ProgressHasItsCodeAndItsStory) {
  const std::string file = write("spin.futex", R"(
word f = 0; hash global; cpus 1; scheduling strict;
thread high priority 2 { futex_wait(f, 0, timeout); while (load(f) == 1) { } }
thread low { store(f, 1); store(f, 0); })");
  EXPECT_EQ(run_cli({"check", file}).code, 0);
  const Ran ran = run_cli({"check", file, "--property", "progress", "--trace-dir", path("t")});
  EXPECT_EQ(ran.code, 12) << ran.out;
  EXPECT_TRUE(contains(ran.out, "--- timer of high ---  <<< progress")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "only these properties were looked at: progress\n")) << ran.out;
  const std::string trace = path("t/v7.3-progress-spin.json");
  EXPECT_EQ(run_cli({"replay", trace}).code, 0);
  EXPECT_EQ(run_cli({"minimize", trace}).out, read("t/v7.3-progress-spin.json"));
  const Ran expected =
      run_cli({"check", file, "--property", "progress", "--expect", "violated:progress"});
  EXPECT_EQ(expected.code, 0);
  for (const char* const format : {"json", "junit", "sarif"}) {
    const Ran document = run_cli({"check", file, "--property", "progress", "--format", format});
    EXPECT_TRUE(contains(document.out, "high spins")) << format;
  }
}

class Limits : public InDirectory {};

TEST_F(Limits, MemoryGivesInconclusiveAndStatistics) {
  const Ran ran = run_cli({"check", "wake-resize-twice", "--max-memory", "1M"});
  EXPECT_EQ(ran.code, exit_code::kMemory);
  EXPECT_TRUE(contains(ran.out, "inconclusive: memory")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " states, ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "--max-memory was reached")) << ran.out;
}

TEST_F(Limits, MemoryOfABreadthFirstSearch) {
  EXPECT_EQ(run_cli({"check", "wake-resize-twice", "--max-memory", "1M", "--search", "bfs"}).code,
            exit_code::kMemory);
}

TEST_F(Limits, Time) {
  const Ran ran = run_cli({"check", "wake-resize-twice", "--max-time", "0.001"});
  EXPECT_EQ(ran.code, exit_code::kTime);
  EXPECT_TRUE(contains(ran.out, "inconclusive: time")) << ran.out;
}

TEST_F(Limits, States) {
  const Ran ran =
      run_cli({"check", "wake-resize-twice", "--max-states", "100", "--format", "json"});
  EXPECT_EQ(ran.code, exit_code::kBound);
  EXPECT_EQ(ran.json().at("scenarios").at(0).at("limit"), "states");
}

TEST_F(Limits, ViolatedComesBeforeInconclusive) {
  const Ran ran = run_cli({"check", write("sleeps.futex", kSleeps), "wake-resize-twice",
                           "--max-states", "100"});
  EXPECT_EQ(ran.code, 11);
}

// A patch is not charged with what its kernel does, and is with what it adds.
TEST(NewOnly, LeavesWhatThePatchAdds) {
  const Ran plain = run_cli({"check", "clone-set-slots-race", "--patch", "mismatch-precheck"});
  EXPECT_EQ(plain.code, 10) << plain.out;
  const Ran ran = run_cli({"check", "clone-set-slots-race", "--patch", "mismatch-precheck",
                           "--new-only"});
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_TRUE(contains(ran.out, "v7.3 violates without it too, so not counted: size-policy in "
                                "clone-set-slots-race"))
      << ran.out;
  const Ran json = run_cli({"check", "address-reuse", "--kernel", "v7.1", "--patch",
                            "bucket-ref-tglx", "--new-only", "--format", "json"});
  const Json report = json.json();
  const Json& scenario = report.at("scenarios").at(0);
  EXPECT_EQ(scenario.at("shared_with_base"), Json({"refcount", "lifetime"}));
  ASSERT_EQ(scenario.at("violations").size(), 2U);
  EXPECT_EQ(scenario.at("violations").at(0).at("property"), "deadlock");
  EXPECT_EQ(scenario.at("violations").at(1).at("property"), "condition");
  EXPECT_EQ(json.code, 11);
}

// Where no execution ends, what must hold in the end has not been looked at.
TEST_F(Limits, WithoutAFinalStateTheFinalPropertiesAreVacuous) {
  const Ran ran = run_cli({"check", write("endless.futex",
                                          "word f = 0;\nhash global;\n"
                                          "thread t { while (1) { store(f, 1); } }\n"
                                          "finally 0;\n")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "no final state")) << ran.out;
  EXPECT_TRUE(contains(ran.out, " atomic-sleep, boost, condition, deadlock, ")) << ran.out;
}

TEST_F(Limits, InterruptedStopsEverything) {
  interrupted().store(true);
  const Ran one = run_cli({"check", "wake-resize-twice"});
  EXPECT_EQ(one.code, exit_code::kTime);
  EXPECT_TRUE(contains(one.out, "inconclusive: interrupted")) << one.out;
  const Ran all = run_cli({"check", "--format", "json"});
  EXPECT_EQ(all.code, exit_code::kTime);
  const Json report = all.json();
  for (const Json& scenario : report.at("scenarios")) {
    EXPECT_EQ(scenario.at("limit"), "interrupted");
  }
}

}  // namespace
}  // namespace futexmc::cli
