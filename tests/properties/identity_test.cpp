// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a thread's scopes forget makes no difference. The audit compares every arrival at a state
// with the first; on the smallest scenarios nothing is forgotten, or no state is recognised at all,
// and the outcomes are the same. (That a wrong scope is found is a test of the checker.)
#include "tests/properties/subject.hpp"

namespace futexmc::properties {
namespace {

using checker::Options;
using checker::Result;
using testing::Subject;

void audit(const Subject& subject) {
  const auto scenario = testing::load(subject.scenario);
  const auto variant = testing::variant_of(subject);
  for (const bool movers : {true, false}) {
    Options options;
    options.movers = options.sleep_sets = movers;
    options.audit = true;
    const Result result = testing::search(scenario, variant, options);
    EXPECT_TRUE(result.complete());
    EXPECT_GT(result.matched, 0U);
    ASSERT_TRUE(result.audit_failures.empty())
        << "movers " << movers << ": " << result.audit_failures.front().what;
  }
}

class Identity : public ::testing::TestWithParam<Subject> {};
class SlowIdentity : public ::testing::TestWithParam<Subject> {};

TEST_P(Identity, AuditIsClean) { audit(GetParam()); }
TEST_P(SlowIdentity, AuditIsClean) { audit(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Small, Identity,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"wait-wake", "wait-wake-private", "wait-signal", "first-clone",
                              "wait-spurious-wake", "bitset"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(SeveralWords, Identity,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"requeue", "requeue-wake", "requeue-collision", "requeue-fault",
                              "requeue-timeout", "wake-op", "wake-op-fault", "waitv",
                              "waitv-one-wake", "waitv-fault", "waitv-timeout", "waitv-signal",
                              "wait-restart", "wait-stopped"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Pi, Identity,
                         ::testing::ValuesIn(testing::with_knockouts(
                             {"pi-lock", "pi-unlock", "pi-timeout", "pi-signal", "pi-fault",
                              "pi-trylock", "pi-unlock-race", "pi-deadlock",
                              "requeue-pi", "requeue-pi-timeout", "requeue-pi-deadlock"})),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(LargerPi, SlowIdentity,
                         ::testing::Values(Subject{"pi-chain", ""}, Subject{"pi-steal", ""},
                                           Subject{"pi-chain-wake", ""},
                                           Subject{"pi-timeout-resize", ""},
                                           Subject{"pi-block-resize", "bucket-ref-draft-2"},
                                           Subject{"requeue-pi-chain", ""},
                                           Subject{"requeue-pi-steal", ""}),
                         testing::subject_name);
INSTANTIATE_TEST_SUITE_P(Rows, SlowIdentity,
                         ::testing::Values(Subject{"allocation-fails", ""},
                                           Subject{"collision", ""},
                                           Subject{"wait-again", "wake-q-clear-first"},
                                           Subject{"wake-global", ""},
                                           Subject{"wake-global", "bucket-ref-draft-1"},
                                           Subject{"wake-resize", ""},
                                           Subject{"requeue-resize", ""},
                                           Subject{"requeue-resize", "rwsem-gate-get"},
                                           Subject{"wake-op-resize", ""},
                                           Subject{"waitv-resize", ""},
                                           Subject{"waitv-resize", "waitv-guard"},
                                           Subject{"wake-resize", "bucket-ref-tglx"},
                                           Subject{"wake-resize", "put-no-touch"},
                                           Subject{"wake-resize", "fold-grace-period"}),
                         testing::subject_name);

std::vector<std::string> outcomes(const scenario::Scenario& scenario, const Options& given) {
  Options options = given;
  options.outcomes = true;
  const Result result = testing::search(scenario, testing::v7_3(), options);
  EXPECT_TRUE(testing::holds(result));
  return result.outcomes;
}

TEST(UnscopedIdentity, OutcomesAreTheSame) {
  for (const char* name : {"wait-wake", "wait-wake-private"}) {
    const auto scenario = testing::load(name);
    Options unscoped;
    unscoped.scoped = false;
    EXPECT_EQ(outcomes(scenario, unscoped), outcomes(scenario, {})) << name;
  }
}

// Every schedule, with no state ever recognised.
TEST(StatelessSearch, OutcomesAreTheSame) {
  const auto scenario = testing::parse(R"(
      word f = 0; hash global;
      thread waiter { int r = 0; r = futex_wait(f, 0); }
      thread waker { int n = 0; store(f, 1); n = futex_wake(f, 1); })", "tiny.futex");
  Options stateless;
  stateless.stateful = false;
  EXPECT_EQ(outcomes(scenario, stateless), outcomes(scenario, {}));
  stateless.sleep_sets = false;
  EXPECT_EQ(outcomes(scenario, stateless), outcomes(scenario, {}));
}

}  // namespace
}  // namespace futexmc::properties
