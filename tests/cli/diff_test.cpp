// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc diff`. What it says of some patches is in approved/. To approve what it says now, run
// with FUTEXMC_APPROVE=1 in the environment and look at the difference.
#include "cli/exit_codes.hpp"
#include "cli/failure.hpp"
#include "cli/variants.hpp"
#include "tests/approving.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

using Arguments = std::vector<std::string>;

class Diff : public InDirectory {};

void expect_approved(Arguments arguments, const std::string& name) {
  // Small ones: a resize, a fault, a sleeper, shared keys.
  arguments.insert(arguments.begin(), {"diff", "wake-global", "page-fault", "wait-wake-private",
                                       "bitset", "shared-key"});
  const Ran ran = run_cli(std::move(arguments));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  const auto path = std::filesystem::path(FUTEXMC_TEST_DIR) / "approved" / (name + ".txt");
  if (approving()) std::ofstream(path) << ran.out;
  std::ifstream file(path);
  EXPECT_EQ(ran.out, std::string(std::istreambuf_iterator<char>(file), {}))
      << "not as approved in " << path;
}

TEST(DiffApproved, SplitCacheline) {
  expect_approved({"--kernel", "v7.1", "--patch", "split-cacheline"}, "diff-split-cacheline");
}
TEST(DiffApproved, BucketRef) {
  expect_approved({"--kernel", "v7.1", "--patch", "bucket-ref"}, "diff-bucket-ref");
}
TEST(DiffApproved, BucketRefTglx) {
  expect_approved({"--kernel", "v7.1", "--patch", "bucket-ref-tglx"}, "diff-bucket-ref-tglx");
}
TEST(DiffApproved, MismatchPrecheck) {
  expect_approved({"--patch", "mismatch-precheck"}, "diff-mismatch-precheck");
}

TEST_F(Diff, TheAnswerDoesNotDependOnTheJobs) {
  const auto out = [](const std::string& jobs) {
    return run_cli({"diff", "bitset", "wake-global", "wait-wake", "--knockout", "wake-bitset",
                    "--jobs", jobs})
        .out;
  };
  EXPECT_EQ(out("1"), out("3"));
}

TEST_F(Diff, NoBehaviourChanged) {
  const Ran ran = run_cli({"diff", "wait-wake", "bitset", "--patch", "split-cacheline"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "\nno behaviour changed\n")) << ran.out;
}

TEST_F(Diff, ADifferenceIsNoFailureAndItsWitnessesReplay) {
  const Ran ran = run_cli({"diff", "bitset", "--knockout", "wake-bitset", "--format", "json",
                           "--trace-dir", path("traces")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json json = ran.json();
  EXPECT_EQ(json.at("exit_code"), 0);
  const Json& scenario = json.at("scenarios").at(0);
  EXPECT_EQ(scenario.at("scenario"), "bitset");
  EXPECT_EQ(scenario.at("result"), "differs");
  EXPECT_TRUE(scenario.at("before").at("limit").is_null());
  const Json& gained = scenario.at("gained").at(0);
  EXPECT_EQ(gained.at("kind"), "property");
  EXPECT_EQ(gained.at("what"), "condition");
  EXPECT_EQ(gained.at("trace"), path("traces/no-wake-bitset-property-bitset-1.json"));
  EXPECT_EQ(scenario.at("gained").at(1).at("kind"), "outcome");
  EXPECT_EQ(json.at("after").at("knockouts"), Json({"wake-bitset"}));
  EXPECT_EQ(json.at("before").at("accounts").size(), 4U);
  EXPECT_EQ(json.at("before").at("cache_lines").at("operations"), 48);
  EXPECT_EQ(run_cli({"replay", path("traces")}).code, 0);
  const std::string outcome = path("traces/no-wake-bitset-outcome-bitset-2.json");
  EXPECT_TRUE(contains(run_cli({"explain", outcome}).out, "outcome: f=0 left:"));
  EXPECT_NE(run_cli({"replay", outcome, "--knockout", "none"}).code, exit_code::kReproduces);
}

TEST_F(Diff, ALimitIsInconclusive) {
  const Ran ran =
      run_cli({"diff", "wait-wake", "bitset", "--knockout", "bias", "--max-states", "50"});
  EXPECT_EQ(ran.code, exit_code::kBound);
  EXPECT_TRUE(contains(ran.out, "bitset: inconclusive")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "before not searched to the end: --max-states was reached"));
  EXPECT_FALSE(contains(ran.out, "\nno behaviour changed\n")) << ran.out;
  const Json json = run_cli({"diff", "bitset", "--knockout", "bias", "--max-states", "50",
                             "--format", "json"})
                        .json();
  EXPECT_EQ(json.at("scenarios").at(0).at("result"), "inconclusive");
  EXPECT_EQ(json.at("exit_code"), exit_code::kBound);
}

TEST_F(Diff, InterruptedIsInconclusive) {
  interrupted().store(true);
  const Ran ran = run_cli({"diff", "--patch", "mismatch-precheck"});
  EXPECT_EQ(ran.code, exit_code::kTime);
  EXPECT_TRUE(contains(ran.out, "bitset: inconclusive; no difference is certain\n")) << ran.out;
}

TEST_F(Diff, AgainstTakesAVariantsName) {
  const auto first_line = [](Arguments arguments) {
    arguments.insert(arguments.begin(), {"diff", "wait-wake"});
    const Ran ran = run_cli(std::move(arguments));
    return ran.out.substr(0, ran.out.find('\n'));
  };
  EXPECT_EQ(first_line({"--against", "v7.2"}), "v7.2 -> v7.3");
  EXPECT_EQ(first_line({"--kernel", "v7.1", "--patch", "bucket-ref", "--against",
                        "bucket-ref-tglx"}),
            "v7.1+bucket-ref-tglx -> v7.1+bucket-ref");
  EXPECT_EQ(first_line({"--against", "v7.2+mismatch-precheck+no-bias"}),
            "v7.2+mismatch-precheck+no-bias -> v7.3");
}

TEST_F(Diff, WhatAKernelHasNotIsNotCompared) {
  const Ran named = run_cli({"diff", "wake-resize", "--against", "v6.12"});
  EXPECT_EQ(named.code, exit_code::kUsage);
  EXPECT_TRUE(contains(named.err, "kernel 'v6.12' has not")) << named.err;
}

TEST(Variants, NamesAreReadBack) {
  for (const char* name : {"v7.2", "v7.2+mismatch-precheck", "v7.2+mismatch-precheck+no-bias"}) {
    EXPECT_EQ(variant_name(parse_variant(name, kBaseKernel)), name);
  }
  EXPECT_EQ(variant_name(parse_variant("", "v7.2")), "v7.2");
  EXPECT_EQ(variant_name(parse_variant("bucket-ref-tglx", kBaseKernel)), "bucket-ref-tglx");
  EXPECT_THROW(parse_variant("v7.9", kBaseKernel), Failure);
  EXPECT_THROW(parse_variant("v7.2+no-bais", kBaseKernel), Failure);
}

}  // namespace
}  // namespace futexmc::cli
