// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/matrix_cells.hpp"

#include "cli/exit_codes.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

class Matrix : public InDirectory {};

const Json& cell_of(const Json& row, const std::string& property) {
  for (const Json& cell : row.at("cells")) {
    if (cell.at("property") == property) return cell;
  }
  throw std::logic_error("no such cell");
}

TEST_F(Matrix, OneRowAsJson) {
  const Ran ran = run_cli({"matrix", "--row", "bucket-ref-draft-1", "--scenario", "wake-global",
                           "--scenario", "wait-wake", "--format", "json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json json = ran.json();
  ASSERT_EQ(json.at("rows").size(), 1U);
  const Json& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("row"), "bucket-ref-draft-1");
  EXPECT_EQ(row.at("kernel"), "v7.3");
  EXPECT_EQ(row.at("patches"), Json({"bucket-ref-draft-1"}));
  EXPECT_EQ(row.at("cells").size(), property_names().size());
  const Json& lifetime = cell_of(row, "lifetime");
  EXPECT_EQ(lifetime.at("verdict"), "violated");
  EXPECT_EQ(lifetime.at("scenario"), "wake-global");
  EXPECT_EQ(lifetime.at("shared_with_base"), false);
  EXPECT_EQ(lifetime.size(), 10U);
  EXPECT_EQ(lifetime.at("skipped"), 0);
  const Json& deadlock = cell_of(row, "deadlock");
  EXPECT_EQ(deadlock.at("verdict"), "holds");
  EXPECT_TRUE(deadlock.at("scenario").is_null());
  EXPECT_TRUE(deadlock.at("trace").is_null());
}

TEST_F(Matrix, AsText) {
  const Ran ran = run_cli({"matrix", "--row", "bucket-ref-draft-1", "--row", "v7.3", "--scenario",
                           "wake-global"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "VIOLATED")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "bucket-ref-draft-1: lifetime in wake-global (")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "?")) << ran.out;
}

TEST_F(Matrix, AViolationOfTheBaseIsMarked) {
  const std::string file =
      write("sleeps.futex", "word f = 0;\nhash global;\nthread t { futex_wait(f, 0); }\n");
  for (const bool with_base : {true, false}) {
    std::vector<std::string> arguments = {"matrix", "--row", "mismatch-precheck", "--scenario",
                                          file};
    if (with_base) arguments.insert(arguments.end(), {"--row", "v7.3"});
    const Ran ran = run_cli(arguments);
    EXPECT_EQ(ran.code, 0);
    EXPECT_TRUE(contains(ran.out, "VIOLATED*")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "* so does the base")) << ran.out;
  }
}

TEST_F(Matrix, ALimitLeavesQuestions) {
  const Ran ran = run_cli({"matrix", "--row", "v7.3", "--scenario", "wake-resize-twice",
                           "--max-time", "0.001"});
  EXPECT_EQ(ran.code, exit_code::kTime);
  EXPECT_TRUE(contains(ran.out, "?")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "v7.3: inconclusive in wake-resize-twice")) << ran.out;
}

TEST_F(Matrix, FitsInAHundredAndFortyColumns) {
  MatrixRow row;
  row.row.name = "bucket-ref-draft-1";
  for (const std::string& property : property_names()) {
    row.cells.push_back({property, properties::Verdict::holds, "", "", 0, 0, "", false, false,
                         false, 0, 0});
  }
  row.states = 123'456'789;
  row.seconds = 1234;
  const std::string text = matrix_text({row}, checker::Memory::sc);
  for (std::size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1) {
    EXPECT_LE(to - from, 140U);
  }
}

TEST(MatrixCells, TheShortestPathDecidesThenTheFewestStates) {
  const auto outcome = [](const char* name, std::size_t steps, std::uint64_t states) {
    CheckOutcome made;
    made.report.emplace();
    properties::ScenarioReport& report = made.report->scenario;
    report.scenario = name;
    report.verdict = properties::Verdict::violated;
    report.result.states = states;
    report.violations.push_back({"lifetime", "m", steps, 1, {}});
    return made;
  };
  const auto deciding = [](const std::vector<CheckOutcome>& outcomes) {
    for (const Cell& cell : make_row(rows().front(), outcomes).cells) {
      if (cell.property == "lifetime") return cell.scenario;
    }
    return std::string();
  };
  EXPECT_EQ(deciding({outcome("a", 9, 1), outcome("b", 8, 5), outcome("c", 8, 4)}), "c");
}

TEST(MatrixCells, ACrashIsNeverAPass) {
  std::vector<CheckOutcome> outcomes(1);
  outcomes[0].crash = "killed by signal 11";
  for (const Cell& cell : make_row(rows().front(), outcomes).cells) {
    EXPECT_EQ(cell.verdict, properties::Verdict::inconclusive);
  }
  EXPECT_EQ(summarize(outcomes).exit_code, exit_code::kInternal);
}

}  // namespace
}  // namespace futexmc::cli
