// SPDX-License-Identifier: GPL-2.0-or-later
//
// replay, minimize and explain, on a trace that a check wrote.
#include "checker/trace.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

class Traces : public InDirectory {
 protected:
  void SetUp() override {
    const Ran ran = run_cli({"check", "wake-global", "--patch", "bucket-ref-draft-1",
                             "--trace-dir", path("t")});
    ASSERT_EQ(ran.code, 13) << ran.err;
  }
  std::string trace() const { return path("t/bucket-ref-draft-1-lifetime-wake-global.json"); }
  /// The trace with one member of its subject replaced, and a digest that fits.
  std::string with(const std::string& member, const Json& value) const {
    Json json = Json::parse(read("t/bucket-ref-draft-1-lifetime-wake-global.json"));
    json["subject"][member] = value;
    json["digest"] = checker::trace_digest(json);
    return write("edited.json", dump(json));
  }
};

TEST_F(Traces, ReplayReproduces) {
  const Ran ran = run_cli({"replay", trace()});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, trace() + ": reproduces lifetime: ")) << ran.out;
}

TEST_F(Traces, OnTheFixedVariantReplayDoesNot) {
  const Ran ran = run_cli({"replay", path("t"), "--kernel", "v7.3"});
  EXPECT_TRUE(ran.code == 1 || ran.code == 2) << ran.out;
  EXPECT_TRUE(contains(ran.out, "now passes") || contains(ran.out, "diverges at step "));
}

TEST_F(Traces, AKnockoutAloneKeepsThePatch) {
  const Json json =
      run_cli({"replay", trace(), "--knockout", "none", "--format", "json"}).json();
  EXPECT_EQ(json.at("exit_code"), 0);
  const Json& one = json.at("replays").at(0);
  EXPECT_EQ(one.at("outcome"), "reproduces");
  EXPECT_EQ(one.at("patches"), Json({"bucket-ref-draft-1"}));
  EXPECT_EQ(one.at("knockouts"), Json::array());
}

TEST_F(Traces, TheHighestCodeCounts) {
  write("t/zz.json", "{}");
  const Ran ran = run_cli({"replay", path("t")});
  EXPECT_EQ(ran.code, 65);
  EXPECT_TRUE(contains(ran.out, "reproduces")) << ran.out;
}

TEST_F(Traces, ExplainFitsAnEmail) {
  const Ran ran = run_cli({"explain", trace()});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "futex_ref_get()")) << ran.out;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 75U) << line;
}

// Of a condition that does not hold: what the values were, in the scenario's words.
TEST_F(Traces, AStoryThatComesToAnEndSaysWhatCameOut) {
  const std::string committed = std::string(FUTEXMC_TEST_DIR) + "/../../traces/";
  const Ran ran = run_cli({"explain", committed + "knockout-rq-target.json"});
  EXPECT_TRUE(contains(ran.out, "\nIn the end cond = 0, f = 2, g = 1, waiter.r = 0, owner.n = 1."))
      << ran.out;
  const Ran error = run_cli({"explain", committed + "bucket-ref-draft-1-condition.json"});
  EXPECT_TRUE(contains(error.out, "waiter.r = -ETIMEDOUT.")) << error.out;
  // Nothing was at its end when this happened.
  EXPECT_FALSE(contains(run_cli({"explain", trace()}).out, "In the end")) << ran.out;
}

TEST_F(Traces, MinimizeIsDeterministicAndDoesNotWander) {
  const Ran ran = run_cli({"minimize", trace(), "-o", path("again.json")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "proved minimal")) << ran.err;
  EXPECT_EQ(read("again.json"), read("t/bucket-ref-draft-1-lifetime-wake-global.json"));
  EXPECT_EQ(run_cli({"minimize", trace()}).out, read("again.json"));
}

TEST_F(Traces, ASubjectThatIsNotOursIsBadInputWithThePlace) {
  struct {
    const char* member;
    Json value;
    const char* message;
  } const cases[] = {
      {"kernel", "v7.9", "$.subject.kernel: unknown kernel 'v7.9'; did you mean 'v7.3'?"},
      {"kernel", 7, "$.subject.kernel: is not a string"},
      {"patches", {"bucket-ref-tgx"}, "$.subject.patches[0]: unknown patch"},
      {"patches", "x", "$.subject.patches: is not an array"},
      {"knockouts", {"bais"}, "$.subject.knockouts[0]: unknown knock-out 'bais'"},
      {"text", "thread t {", "$.subject.text:1:"},
      {"model", nullptr, "$.subject.model: is not a string"},
      {"colour", "red", "$.subject.colour: is not a member"},
  };
  for (const auto& one : cases) {
    const Ran ran = run_cli({"replay", with(one.member, one.value)});
    EXPECT_EQ(ran.code, 65) << one.message;
    EXPECT_TRUE(contains(ran.err, one.message)) << ran.err;
  }
}

// What a trace claims to cost is counted anew.
TEST_F(Traces, ExplainCountsTheCostItself) {
  Json json = Json::parse(read("t/bucket-ref-draft-1-lifetime-wake-global.json"));
  json["cost"]["threads"] = 1;
  json["cost"]["switches"] = 0;
  json["digest"] = checker::trace_digest(json);
  const Ran edited = run_cli({"explain", write("edited.json", dump(json))});
  EXPECT_EQ(edited.code, 0) << edited.err;
  EXPECT_EQ(edited.out, run_cli({"explain", trace()}).out);
}

TEST_F(Traces, AnotherModelVersionIsNotHeldToItsHashes) {
  EXPECT_EQ(run_cli({"replay", with("model", "0")}).code, 0);
}

}  // namespace
}  // namespace futexmc::cli
