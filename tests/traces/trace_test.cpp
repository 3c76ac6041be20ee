// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/trace.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/models/semaphore.hpp"
#include "tests/traces/programs.hpp"

namespace futexmc::checker {
namespace {

using Json = nlohmann::ordered_json;
using traces::schedule;

Trace example() {
  models::Semaphore late({1, 1, 1, 1, models::Mutation::late_count});
  Trace trace = make_trace(late, schedule({{0, 4}, {1, 2}, {0, 6}}), "deadlock", "waiter0 sleeps");
  trace.subject["scenario"] = {{"name", "semaphore"}, {"text", "two\nlines \"quoted\""}};
  trace.subject["patches"] = Json::array();
  trace.minimal = Minimal::reduced;
  return trace;
}

Trace must_read(const std::string& text) {
  auto read = read_trace(text);
  if (const auto* error = std::get_if<TraceError>(&read)) {
    ADD_FAILURE() << error->place() << ": " << error->message;
    return {};
  }
  return std::get<Trace>(read);
}

TEST(Trace, SaysWhatHappened) {
  const Trace trace = example();
  EXPECT_EQ(trace.cost, (TraceCost{.threads = 2, .switches = 2, .events = 0, .operations = 12}));
  ASSERT_EQ(trace.steps.size(), 12U);
  const TraceStep& step = trace.steps[2];
  EXPECT_EQ(step.agent, "waiter0");
  EXPECT_EQ(step.operation, "lock");
  EXPECT_EQ(step.object, "hb[1]");
  EXPECT_EQ(step.function, "semaphore_wait");
  EXPECT_EQ(step.alternative, std::nullopt);
  EXPECT_EQ(step.enabled, (std::vector<std::string>{"waiter0", "waker1"}));
  EXPECT_EQ(step.state.size(), 32U);
}

TEST(Trace, CountsEvents) {
  traces::Freed freed(false);
  const Trace trace = make_trace(freed, schedule({{0, 1}, {1, 2}, {2, 1}}), "lifetime", "");
  EXPECT_EQ(trace.cost, (TraceCost{.threads = 2, .switches = 1, .events = 1, .operations = 3}));
  EXPECT_EQ(trace.steps[3].agent, "gp_end");
  EXPECT_EQ(trace.steps[3].operation, "gp_end");
  EXPECT_EQ(trace.steps[3].function, "");
}

TEST(Trace, RoundTrip) {
  const Trace trace = example();
  const std::string text = write_trace(trace);
  EXPECT_EQ(must_read(text), trace);
  EXPECT_EQ(write_trace(must_read(text)), text);
}

TEST(Trace, RoundTripWithoutSteps) {
  Trace trace;
  trace.property = "warn";
  EXPECT_EQ(must_read(write_trace(trace)), trace);
}

TEST(Trace, LayoutAndOrderOfMembersDoNotMatter) {
  const Trace trace = example();
  const auto sorted = nlohmann::json::parse(write_trace(trace));
  EXPECT_EQ(must_read(sorted.dump()).steps, trace.steps);
  EXPECT_EQ(must_read(sorted.dump(7)).cost, trace.cost);
}

TEST(Trace, IsReadable) {
  const std::string text = write_trace(example());
  EXPECT_EQ(text.find("{\n  \"format\": \"futexmc-trace\",\n  \"version\": 1,\n"), 0U);
  EXPECT_NE(text.find("\n  \"subject\": {\n    \"scenario\": {\n"), std::string::npos);
  EXPECT_NE(text.find("\n    {\"agent\":\"waiter0\",\"operation\":\"load\","), std::string::npos);
  EXPECT_TRUE(text.ends_with("\"\n}\n"));
}

TEST(Trace, TextThatIsNotUtf8IsReplacedNotFatal) {
  Trace trace = example();
  trace.message = "bad \xff byte";
  EXPECT_EQ(must_read(write_trace(trace)).message, "bad \xEF\xBF\xBD byte");
}

/// The schema and the writer name the same members.
TEST(Trace, FollowsItsSchema) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream file(root / "docs" / "trace.schema.json");
  const auto schema = nlohmann::json::parse(file);
  Trace trace = example();
  trace.steps[0].alternative = 1;
  const auto written = nlohmann::json::parse(write_trace(trace));
  const auto members = [](const nlohmann::json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
  };
  EXPECT_EQ(members(schema["properties"]), members(written));
  EXPECT_EQ(members(schema["$defs"]["step"]["properties"]), members(written["steps"][0]));
  EXPECT_EQ(members(schema["properties"]["cost"]["properties"]), members(written["cost"]));
}

}  // namespace
}  // namespace futexmc::checker
