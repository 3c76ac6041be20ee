// SPDX-License-Identifier: GPL-2.0-or-later
//
// The committed traces: each is read, reproduces its violation state for state, is the best of its
// kind, and can be told in 75 columns. On the variant without the fault it does not reproduce.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "checker/explain.hpp"
#include "checker/replay.hpp"
#include "checker/trace.hpp"
#include "model/scenario/scenario.hpp"
#include "properties/futex_program.hpp"
#include "properties/property.hpp"

namespace futexmc {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(FUTEXMC_TRACE_DIR)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A trace with the scenario and the variant that it names.
struct Loaded {
  checker::Trace trace;
  scenario::Scenario scenario;
  model::Variant variant;
};

Loaded load(const std::string& name) {
  std::ifstream file(fs::path(FUTEXMC_TRACE_DIR) / (name + ".json"));
  std::stringstream text;
  text << file.rdbuf();
  Loaded loaded{std::get<checker::Trace>(checker::read_trace(text.str())), {}, {}};
  const auto& subject = loaded.trace.subject;
  loaded.scenario = *scenario::parse(subject.at("text").get<std::string>(), "trace").scenario;
  loaded.variant = model::make_variant(subject.at("kernel"), subject.at("patches"),
                                       subject.at("knockouts"));
  if (subject.contains("memory")) loaded.variant.memory = checker::Memory::tso;
  return loaded;
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, ReproducesStateForState) {
  const Loaded loaded = load(GetParam());
  ASSERT_NE(properties::find(loaded.trace.property), nullptr);
  properties::FutexProgram program(loaded.scenario, loaded.variant);
  program.look_for_shown(loaded.trace.property, loaded.trace.message);
  checker::ReplayOptions options;
  options.same_model = true;
  const checker::Replay replay = checker::replay(program, loaded.trace, options);
  EXPECT_EQ(replay.outcome, checker::Outcome::reproduces) << replay.because;
  EXPECT_EQ(replay.state_differs_at, 0U);
}

TEST_P(Corpus, IsTheBestOfItsKind) {
  EXPECT_EQ(load(GetParam()).trace.minimal, checker::Minimal::proved);
}

TEST_P(Corpus, FitsAChangelog) {
  const Loaded loaded = load(GetParam());
  properties::FutexProgram program(loaded.scenario, loaded.variant);
  program.look_for_shown(loaded.trace.property, loaded.trace.message);
  std::istringstream story(checker::explain(program, loaded.trace));
  bool marked = false;
  for (std::string line; std::getline(story, line);) {
    EXPECT_LE(line.size(), 75U) << line;
    EXPECT_EQ(line.find('\t'), std::string::npos) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    marked |= line.find(loaded.trace.property) != std::string::npos;
  }
  EXPECT_TRUE(marked);
}

TEST_P(Corpus, DoesNotReproduceWithoutTheFault) {
  const Loaded loaded = load(GetParam());
  // Findings (docs/findings.md): no kernel is without them.
  const bool finding = loaded.trace.property == "size-policy" || loaded.trace.property == "race";
  const bool everywhere = GetParam().starts_with("v") && finding;
  // It has the fault, but not the operations of v6.12, which has one hash.
  const bool elsewhere = everywhere && loaded.variant.kernel == "v6.12";
  model::Variant fixed = model::make_variant("v7.3", {}, {});
  fixed.memory = loaded.variant.memory;
  properties::FutexProgram program(loaded.scenario, fixed);
  program.look_for_shown(loaded.trace.property, loaded.trace.message);
  const checker::Replay replay = checker::replay(program, loaded.trace);
  EXPECT_EQ(replay.outcome == checker::Outcome::reproduces, everywhere && !elsewhere);
  EXPECT_EQ(replay.outcome == checker::Outcome::diverges, elsewhere || !replay.because.empty());
  if (!everywhere) {
    EXPECT_EQ(replay.because.empty(), replay.outcome == checker::Outcome::now_passes);
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, Corpus, testing::ValuesIn(trace_names()),
                         [](const auto& trace) {
                           std::string name = trace.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

/// Stories stay short: nobody follows twenty context switches.
TEST(CorpusAsAWhole, IsOfShortStories) {
  std::vector<std::size_t> switches;
  for (const std::string& name : trace_names()) {
    const checker::Trace trace = load(name).trace;
    switches.push_back(trace.cost.switches);
    EXPECT_EQ(trace.minimal, checker::Minimal::proved) << name;
  }
  std::sort(switches.begin(), switches.end());
  EXPECT_LE(switches[switches.size() / 2], 4U);
}

TEST(CorpusAsAWhole, HasATraceForEachKnockoutThatIsCaught) {
  const std::vector<std::string> names = trace_names();
  for (const model::KnockoutInfo& info : model::knockouts()) {
    const bool caught = info.why.empty() && info.engine != model::Engine::lkmm;
    const bool has = std::find(names.begin(), names.end(), "knockout-" + info.name) != names.end();
    EXPECT_EQ(has, caught && info.story) << info.name;
  }
}

// The waiter counted too late: the waker comes while the waiter has read the word and is not yet
// counted. That takes two switches: to the waker, and back so that the waiter goes to sleep.
TEST(CorpusAsAWhole, TheLateCountNeedsTwoContextSwitches) {
  EXPECT_EQ(load("knockout-waiters-before-check").trace.cost.switches, 2U);
}

}  // namespace
}  // namespace futexmc
