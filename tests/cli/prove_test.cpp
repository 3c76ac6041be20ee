// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "cli/exit_codes.hpp"
#include "cli/places.hpp"
#include "cli/proofs.hpp"
#include "cli/variants.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

using properties::proofs::Answer;
using properties::proofs::Claim;

class Prove : public InDirectory {};

const Json& theorem_of(const Json& json, const std::string& name) {
  for (const Json& one : json.at("theorems")) {
    if (one.at("theorem") == name) return one;
  }
  throw std::logic_error("no such theorem");
}

TEST_F(Prove, TheBaseAsJson) {
  const Ran ran = run_cli({"prove", "--theorem", "count-get", "--theorem", "waiters-wake",
                           "--theorem", "count-get", "--format", "json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json json = ran.json();
  ASSERT_EQ(json.at("theorems").size(), 2U);
  const Json& get = theorem_of(json, "count-get");
  EXPECT_EQ(get.at("variant"), "v7.3");
  EXPECT_EQ(get.at("bound"), "any number");
  EXPECT_EQ(get.at("verdict"), "proved");
  EXPECT_GT(get.at("assumptions").size(), 0U);
  EXPECT_GT(get.at("checks").size(), 0U);
  EXPECT_TRUE(get.at("seconds").is_number());
  EXPECT_FALSE(get.contains("execution"));
  EXPECT_FALSE(get.contains("reason"));
}

using SlowProve = Prove;

TEST_F(SlowProve, AllThatApplyAsText) {
  const Ran ran = run_cli({"prove", "--kernel", "v6.12"});
  EXPECT_EQ(ran.code, 13);  // docs/findings.md
  EXPECT_TRUE(contains(ran.out, "\nmemory-requeue-done-met refuted: ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\nwaiters-count            any number ")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "count-get")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "Assumed:\n")) << ran.out;
  // What was proved, and what shows that it is not about nothing.
  EXPECT_TRUE(contains(ran.out, "\nwaiters-count proved: hb->waiters is the waiters queued"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "\n    each of the ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\n    possible: the waiter sleeps and is woken\n"))
      << ran.out;
}

// The theorems on the memory model, on every kernel and patch that they speak of: none unknown.
TEST_F(SlowProve, MemoryTheoremsHoldOnEveryRow) {
  for (const Row& row : rows()) {
    const model::Variant variant = named_variant(row.kernel, row.patches, {});
    for (const auto* const theorem : default_theorems(variant, false)) {
      if (!theorem->id.starts_with("memory-") || !theorem->in_matrix) continue;
      const Claim claim = properties::proofs::decide(*theorem, variant, {});
      EXPECT_NE(claim.answer, Answer::unknown)
          << theorem->id << " on " << row.name << ": " << claim.reason;
      const bool refuted = claim.answer == Answer::refuted;
      EXPECT_FALSE(refuted && row.name == kBaseKernel) << theorem->id;
    }
  }
}

TEST_F(Prove, WhatIsRefutedComesWithAnExecution) {
  const Ran ran = run_cli({"prove", "--kernel", "v7.2", "--theorem", "count-get"});
  EXPECT_EQ(ran.code, 13);
  EXPECT_TRUE(contains(ran.out, "count-get refuted: ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "    futex_ref_get() on a replaced table succeeds")) << ran.out;
  const Ran wake = run_cli({"prove", "--knockout", "put-wake", "--theorem", "count-wake",
                            "--theorem", "count-get"});
  EXPECT_EQ(wake.code, 11);
  EXPECT_EQ(run_cli({"prove", "--knockout", "wait-count", "--theorem", "waiters-count"}).code, 10);
}

TEST_F(Prove, WhatTheKernelDoesNotGuaranteeAnywayMayBeLeftOut) {
  const std::vector<std::string> only = {"prove", "--kernel", "v7.2", "--theorem", "count-get",
                                         "--new-only"};
  std::vector<std::string> patched = only;
  patched.insert(patched.end(), {"--patch", "mismatch-precheck"});
  const Ran ran = run_cli(patched);
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_TRUE(contains(ran.out, "count-get is refuted on v7.2 without anything")) << ran.out;
  patched.insert(patched.end(), {"--knockout", "put-wake", "--theorem", "count-wake", "--format",
                                 "json"});
  const Ran worse = run_cli(patched);
  EXPECT_EQ(worse.code, 11) << worse.out;
  EXPECT_EQ(theorem_of(worse.json(), "count-get").at("shared_with_base"), true);
  EXPECT_EQ(theorem_of(worse.json(), "count-wake").at("shared_with_base"), false);
  EXPECT_EQ(run_cli(only).code, exit_code::kUsage);
}

TEST_F(Prove, WhatIsUnknownComesWithItsReason) {
  const Ran ran = run_cli({"prove", "--knockout", "begin-release", "--theorem", "count-get"});
  EXPECT_EQ(ran.code, exit_code::kBound);
  EXPECT_TRUE(contains(ran.out, "count-get unknown: the transition system does not represent"))
      << ran.out;
  for (const char* const theorem : {"count-get", "count-width", "memory-wakeup"}) {
    const Ran late = run_cli({"prove", "--theorem", theorem, "--max-time", "1e-9"});
    EXPECT_EQ(late.code, exit_code::kTime) << theorem;
    EXPECT_TRUE(contains(late.out, " unknown: --max-time was reached")) << late.out;
  }
  interrupted().store(true);
  const Ran stopped = run_cli({"prove", "--theorem", "count-get", "--theorem", "memory-dead",
                               "--litmus", path("none")});
  EXPECT_EQ(stopped.code, exit_code::kTime);
  EXPECT_TRUE(contains(stopped.out, "memory-dead unknown: interrupted")) << stopped.out;
  EXPECT_TRUE(contains(stopped.err, "no litmus tests of memory-dead: interrupted")) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(path("none/memory-dead-v7.3-bad-1.litmus")));
}

TEST_F(Prove, LitmusTestsAreWritten) {
  const std::string directory = path("new/tests");
  std::vector<std::string> arguments = {"prove", "--theorem", "memory-dead", "--theorem",
                                        "count-width", "--litmus", directory};
  const Ran ran = run_cli(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "3 litmus tests of memory-dead written to " + directory))
      << ran.out;
  const std::string text = read_file(directory + "/memory-dead-v7.3-bad-1.litmus", 10'000);
  EXPECT_TRUE(contains(text, "Result: Never")) << text;
  // Again, over the old ones; and those of a refutation beside them.
  arguments.insert(arguments.end(), {"--knockout", "dead-acquire", "--format", "json"});
  const Ran refuted = run_cli(arguments);
  EXPECT_EQ(refuted.code, 13) << refuted.err;
  const Json json = refuted.json();
  EXPECT_FALSE(theorem_of(json, "count-width").contains("litmus"));
  bool some = false;
  for (const Json& file : theorem_of(json, "memory-dead").at("litmus")) {
    EXPECT_TRUE(contains(file.get<std::string>(), "memory-dead-v7.3+no-dead-acquire-")) << file;
    some |= contains(read_file(file.get<std::string>(), 10'000), "Result: Sometimes");
  }
  EXPECT_TRUE(some);
}

TEST(ProofExitCodes, TheFirstOfTheTableCounts) {
  const auto claim = [](const char* theorem, Answer answer) {
    Claim made;
    made.theorem = theorem;
    made.answer = answer;
    return made;
  };
  EXPECT_EQ(proof_exit_code({}), 0);
  EXPECT_EQ(proof_exit_code({claim("count-get", Answer::proved),
                             claim("count-wake", Answer::unknown)}), exit_code::kBound);
  EXPECT_EQ(proof_exit_code({claim("waiters-count", Answer::refuted),
                             claim("count-wake", Answer::refuted),
                             claim("count-get", Answer::unknown)}), 11);
  EXPECT_EQ(proof_exit_code({claim("waiters-wake", Answer::refuted),
                             claim("count-free", Answer::refuted)}), 13);
}

TEST_F(Prove, TheMatrixSaysHowManyWereProved) {
  const std::vector<std::string> matrix = {"matrix", "--row", "v7.2", "--row", "v6.12",
                                           "--scenario", "wait-wake", "--proofs"};
  const Ran ran = run_cli(matrix);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto in_matrix = [](const char* kernel) {
    const auto theorems = default_theorems(model::make_variant(kernel, {}, {}), false);
    return static_cast<std::size_t>(std::count_if(
        theorems.begin(), theorems.end(), [](const auto* one) { return one->in_matrix; }));
  };
  const std::size_t all = in_matrix("v7.2");
  const std::size_t old = in_matrix("v6.12");
  EXPECT_TRUE(contains(ran.out, std::to_string(all - 3) + " proved, 3 refuted")) << ran.out;
  EXPECT_TRUE(contains(ran.out, std::to_string(old) + " proved ")) << ran.out;
  std::vector<std::string> as_json = matrix;
  as_json.insert(as_json.end(), {"--format", "json"});
  const Json row = run_cli(as_json).json().at("rows").at(1);
  EXPECT_EQ(row.at("row"), "v7.2");
  EXPECT_EQ(row.at("proofs").size(), all);
}

}  // namespace
}  // namespace futexmc::cli
