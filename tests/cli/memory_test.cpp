// SPDX-License-Identifier: GPL-2.0-or-later
//
// --memory: barrier (B) of futex_wake() is missed with store buffers only, whatever command looks.
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

class MemoryOption : public InDirectory {
 protected:
  static Ran with(std::vector<std::string> arguments, const std::string& memory) {
    arguments.insert(arguments.end(), {"--memory", memory});
    return run_cli(std::move(arguments));
  }
};

TEST_F(MemoryOption, OfASample) {
  const std::vector<std::string> sample = {"sample",     "wait-wake-store", "--knockout",
                                           "wake-barrier", "--property", "lost-wakeup"};
  EXPECT_EQ(with(sample, "sc").code, 20);
  const Ran weak = with(sample, "tso");
  EXPECT_EQ(weak.code, 11) << weak.out;
  // The store is in the story when it is made and when it is seen.
  EXPECT_TRUE(contains(weak.out, "f = 1\n")) << weak.out;
  EXPECT_TRUE(contains(weak.out, "--- drain of waker: f 0 -> 1 ---")) << weak.out;
}

TEST_F(MemoryOption, OfAMatrix) {
  const std::vector<std::string> matrix = {"matrix", "--row", "v7.3", "--scenario",
                                           "wait-wake-store"};
  const Ran strong = with(matrix, "sc");
  const Ran weak = with(matrix, "tso");
  EXPECT_EQ(weak.code, 0);
  EXPECT_TRUE(weak.out.starts_with("with store buffers (--memory tso)\n")) << weak.out;
  EXPECT_FALSE(contains(strong.out, "tso")) << strong.out;
  std::vector<std::string> json = matrix;
  json.insert(json.end(), {"--format", "json"});
  const Json more = with(json, "tso").json();
  const Json fewer = with(json, "sc").json();
  EXPECT_EQ(more.at("memory"), "tso");
  EXPECT_EQ(fewer.at("memory"), "sc");
  const auto states = [](const Json& one) {
    return one.at("rows").at(0).at("cells").at(0).at("states").get<std::uint64_t>();
  };
  EXPECT_GT(states(more), states(fewer));
}

TEST_F(MemoryOption, OfADiff) {
  const std::vector<std::string> diff = {"diff", "wait-wake-store", "--knockout", "wake-barrier"};
  EXPECT_FALSE(contains(with(diff, "sc").out, "+ property"));
  const Ran weak = with(diff, "tso");
  EXPECT_EQ(weak.code, 0) << weak.err;
  EXPECT_TRUE(contains(weak.out, "+ property: lost-wakeup")) << weak.out;
  EXPECT_TRUE(weak.out.starts_with("v7.3+tso -> no-wake-barrier+tso\n")) << weak.out;
}

TEST_F(MemoryOption, OfAReplayIsTheTracesUnlessGiven) {
  const Ran found = run_cli({"check", "wait-wake-store", "--knockout", "wake-barrier", "--memory",
                             "tso", "--trace-dir", path("t")});
  ASSERT_EQ(found.code, 11) << found.out;
  const std::string trace = path("t/no-wake-barrier+tso-lost-wakeup-wait-wake-store.json");
  EXPECT_EQ(run_cli({"replay", trace}).code, 0);
  const Ran same = with({"replay", trace}, "tso");
  EXPECT_EQ(same.code, 0);
  EXPECT_FALSE(contains(same.out, "with memory")) << same.out;
  const Ran other = with({"replay", trace}, "sc");
  EXPECT_NE(other.code, 0);
  EXPECT_TRUE(contains(other.out, "with memory sc, not the trace's tso: ")) << other.out;
  std::vector<std::string> json = {"replay", trace, "--format", "json"};
  EXPECT_EQ(with(json, "sc").json().at("replays").at(0).at("memory"), "sc");
}

}  // namespace
}  // namespace futexmc::cli
