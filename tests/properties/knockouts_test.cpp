// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each knock-out is caught by the property that its line in the table names, in the scenario that
// it names; without it that scenario holds. And nothing is left out: every property catches some.
// What the table says is redundant, or needs a weaker memory to be seen, does hold.
#include <sstream>

#include "properties/property.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using model::KnockoutInfo;
using model::knockouts;

bool is_caught(const KnockoutInfo& info) { return testing::is_caught(info); }
bool is_unseen(const KnockoutInfo& info) { return info.engine != model::Engine::sc; }
bool is_redundant(const KnockoutInfo& info) { return !info.why.empty(); }
bool has_counterpart(const KnockoutInfo& info) { return !info.together.empty(); }

std::vector<std::string> names(bool (*wanted)(const KnockoutInfo&)) {
  std::vector<std::string> all;
  for (const KnockoutInfo& info : knockouts()) {
    if (wanted(info)) all.push_back(info.name);
  }
  return all;
}

class Knockouts : public ::testing::TestWithParam<std::string> {
 protected:
  const KnockoutInfo& info() const {
    const auto& table = knockouts();
    return *std::find_if(table.begin(), table.end(),
                         [](const KnockoutInfo& one) { return one.name == GetParam(); });
  }
};

TEST_P(Knockouts, IsCaughtByItsProperty) {
  const auto result = testing::search_for(info().property, testing::load(info().scenario),
                                          testing::with_knockout(info().name));
  EXPECT_TRUE(result.complete());
  EXPECT_TRUE(result.violated(info().property)) << testing::describe(result);
}
INSTANTIATE_TEST_SUITE_P(Table, Knockouts, ::testing::ValuesIn(names(&is_caught)), testing::named);

/// Those that only a weaker memory shows.
using UnseenKnockouts = Knockouts;

TEST_P(UnseenKnockouts, HoldUnderSequentialConsistency) {
  EXPECT_NE(find(info().property), nullptr);
  EXPECT_TRUE(testing::holds(
      testing::search(testing::load(info().scenario), testing::with_knockout(info().name))));
}
INSTANTIATE_TEST_SUITE_P(Table, UnseenKnockouts, ::testing::ValuesIn(names(&is_unseen)),
                         testing::named);

/// Those that store buffers show, and the weaker ones that these do not show either.
using BufferKnockouts = Knockouts;

TEST_P(BufferKnockouts, AreCaughtByStoreBuffersIfTheTableSaysSo) {
  model::Variant variant = testing::with_knockout(info().name);
  variant.memory = checker::Memory::tso;
  const auto result = testing::search(testing::load(info().scenario), variant);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.violated(info().property), info().engine == model::Engine::tso)
      << testing::describe(result);
}
INSTANTIATE_TEST_SUITE_P(Table, BufferKnockouts, ::testing::ValuesIn(names(&is_unseen)),
                         testing::named);

/// Without any, those scenarios hold with store buffers.
TEST(SlowBufferKnockoutScenarios, HoldWithoutAny) {
  std::set<std::string> scenarios;
  for (const KnockoutInfo& info : knockouts()) {
    if (is_unseen(info)) scenarios.insert(info.scenario);
  }
  model::Variant variant = testing::v7_3();
  variant.memory = checker::Memory::tso;
  for (const std::string& name : scenarios) {
    EXPECT_TRUE(testing::holds(testing::search(testing::load(name), variant))) << name;
  }
}

/// The scenarios of at most 40000 states.
std::vector<std::string> small_scenarios() {
  std::vector<std::string> small;
  std::ifstream in(FUTEXMC_TEST_DIR "/counts.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    std::uint64_t states = 0;
    if (fields >> name >> states && states <= 40'000) small.push_back(name);
  }
  return small;
}

using RedundantKnockouts = Knockouts;

TEST_P(RedundantKnockouts, HoldInEverySmallScenario) {
  const std::vector<std::string> small = small_scenarios();
  EXPECT_GE(small.size(), 15U);
  for (const std::string& name : small) {
    EXPECT_TRUE(testing::holds(
        testing::search(testing::load(name), testing::with_knockout(info().name)))) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Table, RedundantKnockouts, ::testing::ValuesIn(names(&is_redundant)),
                         testing::named);

/// Those that are redundant because of another: one of the two is needed.
using KnockoutPairs = Knockouts;

TEST_P(KnockoutPairs, AreCaughtTogether) {
  const auto result =
      testing::search(testing::load(info().scenario),
                      model::make_variant("v7.3", {}, {info().name, info().together}));
  EXPECT_TRUE(result.violated(info().property)) << testing::describe(result);
}
INSTANTIATE_TEST_SUITE_P(Table, KnockoutPairs, ::testing::ValuesIn(names(&has_counterpart)),
                         testing::named);

/// The scenarios of the table, which hold while nothing is knocked out.
class KnockoutScenarios : public ::testing::TestWithParam<std::string> {};

TEST_P(KnockoutScenarios, HoldWithoutAny) {
  EXPECT_TRUE(testing::holds(testing::search(testing::load(GetParam()), testing::v7_3())));
}

std::set<std::string> scenarios() {
  std::set<std::string> all;
  for (const KnockoutInfo& info : knockouts()) {
    if (!info.scenario.empty()) all.insert(info.scenario);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Table, KnockoutScenarios, ::testing::ValuesIn(scenarios()),
                         testing::named);

TEST(SlowRaceKnockoutScenarios, HoldWithoutAny) {
  std::set<std::string> scenarios;
  for (const KnockoutInfo& info : knockouts()) {
    if (info.property == "race") scenarios.insert(info.scenario);
  }
  EXPECT_FALSE(scenarios.empty());
  for (const std::string& name : scenarios) {
    EXPECT_TRUE(testing::holds(
        testing::search_for("race", testing::load(name), testing::v7_3()))) << name;
  }
}

TEST(KnockoutTable, CatchesWithEveryProperty) {
  for (const Property& property : all()) {
    EXPECT_TRUE(std::any_of(knockouts().begin(), knockouts().end(), [&](const KnockoutInfo& info) {
      return is_caught(info) && info.property == property.id;
    })) << property.id;
  }
  for (const KnockoutInfo& info : knockouts()) {
    const bool none = is_redundant(info) && !has_counterpart(info);
    EXPECT_EQ(find(info.property) == nullptr, none) << info.name;
  }
}

// One line for each knock-out, in the order of the enumeration, under the name given there.
TEST(KnockoutTable, ListsEveryKnockout) {
  const std::vector<std::string> defined = {
#define FUTEXMC_KNOCKOUT(id, name) name,
#include "model/knockouts.def"
#undef FUTEXMC_KNOCKOUT
  };
  EXPECT_EQ(names([](const KnockoutInfo&) { return true; }), defined);
  for (std::size_t i = 0; i < knockouts().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(knockouts()[i].id), i) << knockouts()[i].name;
    EXPECT_FALSE(knockouts()[i].title.empty()) << knockouts()[i].name;
    EXPECT_FALSE(knockouts()[i].function.empty()) << knockouts()[i].name;
  }
}

}  // namespace
}  // namespace futexmc::properties
