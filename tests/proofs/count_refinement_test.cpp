// SPDX-License-Identifier: GPL-2.0-or-later
//
// The transition system that the theorems on the reference count are about is what the model does:
// every operation of every scenario with a private hash is one of its rules or changes nothing that
// it sees, and its facts hold in every state. Operations are single: nothing is fused.
#include "properties/proofs/count/refinement.hpp"

#include <cstdlib>

#include "properties/proofs/system/search.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties::proofs::count {
namespace {

/// Scenarios of many states: what commutes is explored in one order only.
const std::set<std::string>& slow_ones() {
  static const std::set<std::string> names = {
      "address-reuse",     "clone-then-set-slots", "custom-and-default", "one-cpu",
      "pool-grows",        "two-clones-grow",      "two-wakes-resize",   "wait-spurious-resize",
      "wait-wake-global",  "wait-wake-resize",     "wake-resize-twice",  "clone-set-slots-race",
      "futex-hash-repro",  "page-fault",           "shared-key",         "wait-timeout-resize",
      "migrating-wake",    "requeue-wait-resize",  "waitv-wait-resize",  "wake-op-wait-resize",
      "waitv-resize",      "requeue-wake-op-resize", "pi-chain-timeout", "pi-chain-wake",
      "requeue-pi-chain",  "pi-steal",             "pi-block-resize",  "pi-chain"};
  return names;
}

/// Of these, the ones that take more time than all others together: only with FUTEXMC_DEEP in the
/// environment.
const std::set<std::string>& biggest() {
  static const std::set<std::string> names = {"pool-grows", "wait-wake-global",
                                              "wait-wake-resize", "requeue-wake-op-resize"};
  return names;
}

/// A search of the scenario with a watcher whose system has these parameters.
checker::Result watch(const scenario::Scenario& scenario, const model::Variant& variant,
                      Refinement& refinement, bool sleep_sets) {
  checker::Options options;
  options.movers = false;
  options.sleep_sets = sleep_sets;
  options.watcher = &refinement;
  return testing::search(scenario, variant, options);
}

/// Those that have a private hash at some time.
std::vector<std::string> scenarios(bool slow) {
  std::vector<std::string> names;
  for (const std::string& name : testing::scenario_names()) {
    const bool global = testing::load(name).hash.kind == scenario::Hash::Kind::global;
    if (!global && slow_ones().contains(name) == slow) names.push_back(name);
  }
  return names;
}

void maps(const std::string& name, bool sleep_sets) {
  const model::Variant variant = testing::v7_3();
  Refinement refinement(parameters_of(variant));
  const checker::Result result = watch(testing::load(name), variant, refinement, sleep_sets);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(refinement.operations, result.transitions);
  EXPECT_GT(refinement.steps, 0U);
  EXPECT_LT(refinement.steps, refinement.operations);
  EXPECT_EQ(refinement.unmapped, std::vector<std::string>{});
  EXPECT_EQ(refinement.broken, std::vector<std::string>{});
}

class Refines : public ::testing::TestWithParam<std::string> {};
class SlowRefines : public ::testing::TestWithParam<std::string> {};
TEST_P(Refines, EveryOperationMaps) { maps(GetParam(), false); }
TEST_P(SlowRefines, EveryOperationMaps) {
  if (biggest().contains(GetParam()) && std::getenv("FUTEXMC_DEEP") == nullptr) {
    GTEST_SKIP() << "takes most of a minute: set FUTEXMC_DEEP to run it";
  }
  maps(GetParam(), true);
}
INSTANTIATE_TEST_SUITE_P(V73, Refines, ::testing::ValuesIn(scenarios(false)), testing::named);
INSTANTIATE_TEST_SUITE_P(V73, SlowRefines, ::testing::ValuesIn(scenarios(true)), testing::named);

// The other way round: what the system can do is done in some of these scenarios, but for readers
// who leave without a get (in the model that is one operation with the load), a first table that is
// the global hash, and a get that fails while a grace period waits for it.
TEST(SlowRefinesTogether, ApplyAlmostEveryRule) {
  const model::Variant variant = testing::v7_3();
  std::set<std::string> missing = rule_names(CountSystem(parameters_of(variant)));
  for (const char* const name : {"wake-resize", "first-clone", "wake-global", "global-for-good",
                                 "futex-hash-repro", "set-slots-race", "migrating-wake"}) {
    Refinement refinement(parameters_of(variant));
    watch(testing::load(name), variant, refinement, false);
    for (const std::string& rule : refinement.rules) missing.erase(rule);
  }
  EXPECT_EQ(missing, (std::set<std::string>{
                         "__futex_pivot_hash(): the global hash is the first table",
                         "a reader of a replaced table leaves",
                         "a reader of a replaced table leaves, marked",
                         "a reader of the table leaves", "a reader of the table leaves, marked",
                         "futex_ref_get(): the atomic is zero, fails, marked"}));
}

// A slip in the model: the fold forgets the next table's reference, or the first table has none of
// its own. The system without the slip does not do that.
class RefinesNot : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};
TEST_P(RefinesNot, ASlipBreaksTheMapping) {
  const auto& [knockout, scenario] = GetParam();
  const model::Variant variant = testing::with_knockout(knockout);
  Refinement of_base(parameters_of(testing::v7_3()));
  watch(testing::load(scenario), variant, of_base, true);
  EXPECT_FALSE(of_base.unmapped.empty());
  EXPECT_FALSE(of_base.broken.empty());
}
INSTANTIATE_TEST_SUITE_P(
    Slips, RefinesNot,
    ::testing::Values(std::pair{"next-ref", "wake-resize"}, std::pair{"initial-ref", "first-clone"},
                      std::pair{"fold-sum", "wake-resize"},
                      std::pair{"fold-grace-period", "wake-resize"},
                      std::pair{"dead-test", "wake-resize"},
                      std::pair{"publish-grace-period", "wake-resize-twice"},
                      std::pair{"put-wake", "wake-resize"}, std::pair{"drop-mmget", "wake-resize"}),
    [](const ::testing::TestParamInfo<std::pair<std::string, std::string>>& of) {
      return testing::test_name(of.param.first);
    });

}  // namespace
}  // namespace futexmc::properties::proofs::count
