// SPDX-License-Identifier: GPL-2.0-or-later
#include <map>
#include <set>

#include "cli/exit_codes.hpp"
#include "cli/names.hpp"
#include "tests/cli/validating.hpp"

namespace futexmc::cli {
namespace {

class Sarif : public Validating {
 protected:
  Ran sarif(Arguments arguments) const {
    arguments.insert(arguments.end(), {"--format", "sarif"});
    Ran ran = run_cli(arguments);
    expect_valid(validation(ran.out), ran.out);
    return ran;
  }
  std::string validation(const std::string& document) const {
    // The distribution's Python has the module; another one on the path may not.
    return "/usr/bin/python3 -W ignore -m jsonschema -i " + write("document.json", document) + " " +
           schema("sarif-subset.schema.json");
  }
};

/// All steps of a result, by executionOrder, with the thread.
std::map<int, std::pair<std::string, Json>> steps_of(const Json& result) {
  std::map<int, std::pair<std::string, Json>> steps;
  for (const Json& flow : result.at("codeFlows").at(0).at("threadFlows")) {
    int last = 0;
    for (const Json& step : flow.at("locations")) {
      const int order = step.at("executionOrder");
      EXPECT_GT(order, last);
      EXPECT_TRUE(steps.emplace(order, std::pair(flow.at("id"), step)).second);
      last = order;
    }
  }
  return steps;
}

TEST_F(Sarif, Violated) {
  Arguments arguments = kViolated;
  arguments.insert(arguments.end(), {"--trace-dir", path("traces")});
  const Ran ran = sarif(arguments);
  EXPECT_EQ(ran.code, 13);
  const Json run = ran.json().at("runs").at(0);
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), all_property_names().size());
  EXPECT_EQ(run.at("automationDetails").at("id"), "futexmc/bucket-ref-draft-1/");
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), true);
  EXPECT_EQ(run.at("invocations").at(0).at("exitCode"), 13);
  // What uses a freed table is not ordered with its being freed, either.
  ASSERT_EQ(run.at("results").size(), 2U);
  EXPECT_EQ(run.at("results").at(1).at("ruleId"), "race");
  const Json& result = run.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "lifetime");
  const std::size_t rule = result.at("ruleIndex");
  EXPECT_EQ(run.at("tool").at("driver").at("rules").at(rule).at("id"), "lifetime");
  EXPECT_EQ(result.at("properties").at("scenario"), "wake-global");
  EXPECT_EQ(result.at("properties").at("minimal"), "proved");
  EXPECT_EQ(result.at("properties").at("trace"),
            path("traces/bucket-ref-draft-1-lifetime-wake-global.json"));
  const Json& place = result.at("locations").at(0);
  EXPECT_EQ(place.at("physicalLocation").at("artifactLocation").at("uri"), "model/futex/ref.cpp");
  EXPECT_EQ(place.at("logicalLocations").at(0).at("fullyQualifiedName"),
            "futex_wake/futex_hash/futex_ref_get");
}

TEST_F(Sarif, HasTheStepsOfEachThreadInOneOrder) {
  const Json result = sarif(kViolated).json().at("runs").at(0).at("results").at(0);
  const Json& cost = result.at("properties").at("cost");
  const auto steps = steps_of(result);
  std::set<std::string> threads;
  std::size_t events = 0;
  int expected = 1;
  for (const auto& [order, step] : steps) {
    EXPECT_EQ(order, expected++);
    if (step.first == "(environment)") {
      ++events;
    } else {
      threads.insert(step.first);
    }
  }
  EXPECT_EQ(threads.size(), cost.at("threads"));
  EXPECT_EQ(events, cost.at("events"));
  EXPECT_EQ(steps.size() - events, cost.at("operations"));
  const Json& last = steps.rbegin()->second.second;
  EXPECT_EQ(last.at("importance"), "essential");
  EXPECT_EQ(last.at("nestingLevel"), 3);
  EXPECT_EQ(last.at("location").at("message").at("text"), "read(&fph0.mm)  <<< lifetime");
  const Json& place = last.at("location").at("physicalLocation").at("artifactLocation");
  const auto tree = std::filesystem::path(FUTEXMC_SCENARIO_DIR).parent_path().parent_path();
  EXPECT_TRUE(std::filesystem::exists(tree / place.at("uri").get<std::string>())) << place;
}

TEST_F(Sarif, EndsWithWhoeverIsStuckOrAnEndThatIsWrong) {
  const Ran ran = sarif({"check", write("sleeps.futex", kSleeps), write("markup.futex", kMarkup)});
  const Json results = ran.json().at("runs").at(0).at("results");
  ASSERT_EQ(results.size(), 2U);
  const auto last = [](const Json& result) {
    return steps_of(result).rbegin()->second.second.at("location").at("message").at("text");
  };
  EXPECT_EQ(last(results.at(0)), "schedule()  <<< lost-wakeup");
  EXPECT_EQ(last(results.at(1)), "end  <<< condition");
  EXPECT_NE(results.at(0).at("partialFingerprints"), results.at(1).at("partialFingerprints"));
}

TEST_F(Sarif, ALimitWarns) {
  const Ran ran = sarif(kInconclusive);
  EXPECT_EQ(ran.code, exit_code::kBound);
  const Json run = ran.json().at("runs").at(0);
  EXPECT_TRUE(run.at("results").empty());
  const Json& invocation = run.at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  const Json& warning = invocation.at("toolExecutionNotifications").back();
  EXPECT_EQ(warning.at("level"), "warning");
  EXPECT_EQ(warning.at("message").at("text"),
            "wake-resize-twice: not searched to the end: --max-states was reached");
}

TEST_F(Sarif, TheSchemaRefusesWhatIsNot) {
  Arguments arguments = kViolated;
  arguments.insert(arguments.end(), {"--format", "sarif"});
  const Json good = run_cli(arguments).json();
  for (const char* const pointer :
       {"/version", "/runs/0/tool", "/runs/0/results/0/message",
        "/runs/0/results/0/codeFlows/0/threadFlows/0/locations/0/location/physicalLocation"}) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = 7;
    EXPECT_NE(command(validation(bad.dump())).first, 0) << pointer;
  }
}

TEST_F(Sarif, Holds) {
  const Ran ran = sarif(kHolds);
  EXPECT_EQ(ran.code, 0);
  const Json run = ran.json().at("runs").at(0);
  EXPECT_TRUE(run.at("results").empty());
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), true);
  EXPECT_EQ(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("level"),
            "note");
}

TEST_F(Sarif, AConditionThatNoExecutionShowsHasNoFlow) {
  const Ran ran = sarif({"check", write("never.futex", "var x = 0;\nthread t { store(x, 1); }\n"
                                                       "sometimes x == 2;\n")});
  const Json result = ran.json().at("runs").at(0).at("results").at(0);
  EXPECT_FALSE(result.contains("codeFlows"));
  EXPECT_TRUE(result.at("properties").at("cost").is_null());
}

TEST_F(Sarif, PathsAreUris) {
  const Ran ran = sarif({"check", write("a <b> & c.futex", kMarkup)});
  const Json result = ran.json().at("runs").at(0).at("results").at(0);
  const Json& place = result.at("locations").at(0).at("physicalLocation").at("artifactLocation");
  const std::string uri = place.at("uri");
  EXPECT_TRUE(uri.starts_with("file:///")) << uri;
  EXPECT_TRUE(uri.ends_with("/a%20%3Cb%3E%20%26%20c.futex")) << uri;
}

}  // namespace
}  // namespace futexmc::cli
