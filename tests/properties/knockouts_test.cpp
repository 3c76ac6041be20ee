// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each knock-out is caught by the property that its line in the table names, in the scenario that
// it names; without it that scenario holds. And nothing is left out: every property catches some.
#include "properties/property.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using model::KnockoutInfo;
using model::knockouts;

class Knockouts : public ::testing::TestWithParam<std::string> {
 protected:
  const KnockoutInfo& info() const {
    const auto& table = knockouts();
    return *std::find_if(table.begin(), table.end(),
                         [](const KnockoutInfo& one) { return one.name == GetParam(); });
  }
};

TEST_P(Knockouts, IsCaughtByItsProperty) {
  const auto result =
      testing::search(testing::load(info().scenario), testing::with_knockout(info().name));
  EXPECT_TRUE(result.complete());
  EXPECT_TRUE(result.violated(info().property)) << testing::describe(result);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const KnockoutInfo& info : knockouts()) all.push_back(info.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Table, Knockouts, ::testing::ValuesIn(names()), testing::named);

/// The scenarios of the table, which hold while nothing is knocked out.
class KnockoutScenarios : public ::testing::TestWithParam<std::string> {};

TEST_P(KnockoutScenarios, HoldWithoutAny) {
  EXPECT_TRUE(testing::holds(testing::search(testing::load(GetParam()), testing::v7_3())));
}

std::set<std::string> scenarios() {
  std::set<std::string> all;
  for (const KnockoutInfo& info : knockouts()) all.insert(info.scenario);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Table, KnockoutScenarios, ::testing::ValuesIn(scenarios()),
                         testing::named);

TEST(KnockoutTable, CatchesWithEveryProperty) {
  for (const Property& property : all()) {
    EXPECT_TRUE(std::any_of(knockouts().begin(), knockouts().end(), [&](const KnockoutInfo& info) {
      return info.property == property.id;
    })) << property.id;
  }
  for (const KnockoutInfo& info : knockouts()) EXPECT_NE(find(info.property), nullptr) << info.name;
}

// One line for each knock-out, in the order of the enumeration, under the name given there.
TEST(KnockoutTable, ListsEveryKnockout) {
  const std::vector<std::string> defined = {
#define FUTEXMC_KNOCKOUT(id, name) name,
#include "model/knockouts.def"
#undef FUTEXMC_KNOCKOUT
  };
  EXPECT_EQ(names(), defined);
  for (std::size_t i = 0; i < knockouts().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(knockouts()[i].id), i) << knockouts()[i].name;
    EXPECT_FALSE(knockouts()[i].title.empty()) << knockouts()[i].name;
  }
}

}  // namespace
}  // namespace futexmc::properties
