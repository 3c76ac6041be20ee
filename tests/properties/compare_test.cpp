// SPDX-License-Identifier: GPL-2.0-or-later
//
// Comparing two variants: sets of behaviours, witnesses, accounts and what is said about them, and
// the simulation of cache lines.
#include <gtest/gtest.h>

#include "checker/replay.hpp"
#include "properties/compare/account.hpp"
#include "properties/compare/behaviour.hpp"
#include "properties/compare/lines.hpp"
#include "properties/compare/sentences.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using Texts = std::vector<std::string>;

Observed observed(std::initializer_list<const char*> outcomes,
                  checker::Limit limit = checker::Limit::none) {
  Observed made;
  for (const char* outcome : outcomes) made.behaviours.insert({BehaviourKind::outcome, outcome});
  made.limit = limit;
  return made;
}

Texts names(const std::vector<Difference>& differences) {
  Texts texts;
  for (const Difference& one : differences) texts.push_back(one.behaviour.what);
  return texts;
}

TEST(CompareSets, GainedAndLostInOrder) {
  const Comparison comparison = compare_sets(observed({"c", "a", "b"}), observed({"b", "e", "d"}));
  EXPECT_EQ(names(comparison.gained), (Texts{"d", "e"}));
  EXPECT_EQ(names(comparison.lost), (Texts{"a", "c"}));
  EXPECT_TRUE(comparison.conclusive());
  EXPECT_FALSE(comparison.same());
  EXPECT_TRUE(compare_sets(observed({"a"}), observed({"a"})).same());
}

TEST(CompareSets, WhatAnUnfinishedSearchLacksIsNoDifference) {
  const Comparison cut =
      compare_sets(observed({"a", "b"}), observed({"b", "c"}, checker::Limit::states));
  EXPECT_EQ(names(cut.gained), (Texts{"c"}));
  EXPECT_EQ(names(cut.lost), Texts{});
  EXPECT_FALSE(cut.conclusive());
  EXPECT_FALSE(compare_sets(observed({"a"}, checker::Limit::time), observed({"a"})).same());
}

TEST(CompareSets, WaysOfAViolationCountWhereBothViolate) {
  const auto violating = [](std::initializer_list<const char*> messages) {
    Observed made;
    made.behaviours.insert({BehaviourKind::property, "lifetime"});
    for (const char* message : messages) {
      made.behaviours.insert({BehaviourKind::violation, std::string("lifetime: ") + message});
    }
    return made;
  };
  EXPECT_EQ(names(compare_sets(observed({}), violating({"a", "b"})).gained), Texts{"lifetime"});
  EXPECT_EQ(names(compare_sets(violating({"a"}), violating({"a", "b"})).gained),
            Texts{"lifetime: b"});
}

Comparison compared(const std::string& scenario, const model::Variant& after,
                    const checker::Options& options = {}) {
  return compare(testing::load(scenario), testing::v7_3(), after, options);
}

const Difference* find(const std::vector<Difference>& differences, BehaviourKind kind) {
  for (const Difference& one : differences) {
    if (one.behaviour.kind == kind) return &one;
  }
  return nullptr;
}

/// The witness, replayed on its own variant and on the other.
void expect_witness(const Difference& difference, const scenario::Scenario& scenario,
                    const model::Variant& shows, const model::Variant& lacks) {
  ASSERT_TRUE(difference.witness.has_value()) << difference.behaviour.what;
  const checker::Trace& trace = *difference.witness;
  const auto outcome_on = [&](const model::Variant& variant) {
    FutexProgram program(scenario, variant);
    program.look_for_shown(trace.property, trace.message);
    return checker::replay(program, trace).outcome;
  };
  EXPECT_EQ(outcome_on(shows), checker::Outcome::reproduces) << difference.behaviour.what;
  EXPECT_NE(outcome_on(lacks), checker::Outcome::reproduces) << difference.behaviour.what;
}

TEST(Compare, AKnockOutGainsAnOutcomeWithAWitness) {
  const model::Variant faulty = testing::with_knockout("wake-bitset");
  const Comparison comparison = compared("bitset", faulty);
  ASSERT_TRUE(comparison.conclusive());
  const Difference* const outcome = find(comparison.gained, BehaviourKind::outcome);
  const Difference* const property = find(comparison.gained, BehaviourKind::property);
  ASSERT_NE(outcome, nullptr);
  ASSERT_NE(property, nullptr);
  EXPECT_EQ(property->behaviour.what, "condition");
  const scenario::Scenario scenario = testing::load("bitset");
  expect_witness(*outcome, scenario, faulty, testing::v7_3());
  expect_witness(*property, scenario, faulty, testing::v7_3());
}

TEST(Compare, AnOperationThatIsReachedNoMoreHasAWitness) {
  const model::Variant precheck = testing::with_patch("mismatch-precheck");
  const Comparison comparison = compared("page-fault", precheck);
  EXPECT_TRUE(comparison.gained.empty());
  const Difference* const operation = find(comparison.lost, BehaviourKind::operation);
  ASSERT_NE(operation, nullptr);
  EXPECT_EQ(operation->behaviour.what, "__futex_hash(): rcu_dereference of mm_struct.hash");
  expect_witness(*operation, testing::load("page-fault"), testing::v7_3(), precheck);
}

TEST(Compare, AVariantIsTheSameAsItself) {
  EXPECT_TRUE(compared("wait-wake-private", testing::v7_3()).same());
}

TEST(Compare, ALimitIsNeverNoChange) {
  checker::Options options;
  options.max_states = 10;
  const Comparison comparison = compared("bitset", testing::v7_3(), options);
  EXPECT_EQ(comparison.before.limit, checker::Limit::states);
  EXPECT_FALSE(comparison.conclusive());
  EXPECT_FALSE(comparison.same());
}

TEST(Account, OfARefusedWait) {
  const Account account = accounts(testing::v7_3()).front();
  EXPECT_EQ(account.operation, "refused wait");
  Texts lines;
  for (const Entry& entry : account.entries) {
    lines.push_back(entry.role.name + " " + std::to_string(entry.reads.count) + " " +
                    std::to_string(entry.writes.count) + (entry.contended ? " contended" : ""));
  }
  EXPECT_EQ(lines, (Texts{"mm hash 1 0", "table hash_mask 1 0", "table mm 3 0", "table state 2 0",
                          "mm ref (per CPU) 0 2", "bucket waiters 0 2 contended",
                          "waiter lock_ptr 0 1", "bucket lock 0 2 contended", "user word 1 0"}));
  EXPECT_EQ(account.find("bucket lock")->writes.phases, (Texts{"the locking", "the unlocking"}));
  EXPECT_EQ(account.find("bucket priv"), nullptr);
}

TEST(Account, WaiterAndWakerWriteToEachOther) {
  const std::vector<Account> all = accounts(testing::v7_3());
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[2].find("task state")->contended);
  EXPECT_TRUE(all[3].find("bucket chain")->contended);
  EXPECT_FALSE(all[3].find("table state")->contended);
}

Texts said(const model::Variant& before, const model::Variant& after) {
  Texts texts;
  for (const Sentence& sentence : all_sentences(accounts(before), accounts(after))) {
    texts.push_back(sentence.text);
  }
  return texts;
}

TEST(Sentences, FollowFromTheAccounts) {
  const model::Variant v7_1 = model::make_variant("v7.1", {}, {});
  const auto on_v7_1 = [&](const std::string& patch) {
    return said(v7_1, model::make_variant("v7.1", {patch}, {}));
  };
  EXPECT_EQ(on_v7_1("split-cacheline"), Texts{});
  EXPECT_EQ(on_v7_1("bucket-ref"),
            Texts{"the lookup and the put no longer read the bucket's back pointer"});
  EXPECT_EQ(on_v7_1("bucket-ref-tglx"),
            Texts{"the lookup no longer reads the bucket's back pointer: its first read moved to "
                  "the put"});
  EXPECT_EQ(said(testing::v7_3(), testing::with_patch("mismatch-precheck")),
            (Texts{"refused waits no longer touch the mm, the table, the reference count, the "
                   "bucket and the waiter",
                   "the value check reads the user word twice, not once"}));
  EXPECT_EQ(said(testing::with_patch("mismatch-precheck"), testing::v7_3()).front(),
            "refused waits now touch the mm, the table, the reference count, the bucket and the "
            "waiter");
}

Account one_entry(Uses reads) {
  const Role role{"x", "the x", "the group"};
  return {"wait", "waits", "futex_wait", {{role, std::move(reads), {}, false}}};
}

TEST(Sentences, EachTemplate) {
  const Uses lookup{{"the lookup"}, 1};
  const Uses put{{"the put"}, 1};
  const Uses both{{"the lookup", "the put"}, 2};
  const Uses twice{{"the put"}, 2};
  const auto say = [](const Uses& before, const Uses& after) {
    return sentences(one_entry(before), one_entry(after));
  };
  EXPECT_EQ(say(lookup, put), Texts{"the read of the x moved from the lookup to the put"});
  EXPECT_EQ(say(both, lookup), Texts{"the put no longer reads the x"});
  EXPECT_EQ(say(lookup, both), Texts{"the put now reads the x"});
  EXPECT_EQ(say(put, twice), Texts{"the put reads the x twice, not once"});
  EXPECT_EQ(say(put, put), Texts{});
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

TEST(Caches, CountWhatOthersHave) {
  using Paid = Caches::Paid;
  Caches caches;
  EXPECT_EQ(caches.access("line", 0, false), Paid::nothing);    // nobody has it
  EXPECT_EQ(caches.access("line", 1, false), Paid::shared);     // unmodified
  EXPECT_EQ(caches.access("line", 1, true), Paid::ownership);   // another shares it
  EXPECT_EQ(caches.access("line", 1, true), Paid::nothing);     // its own
  EXPECT_EQ(caches.access("line", 1, false), Paid::nothing);
  EXPECT_EQ(caches.quote("line", 0, false), Paid::hitm);        // a quote changes nothing
  EXPECT_EQ(caches.access("line", 0, false), Paid::hitm);
  EXPECT_EQ(caches.access("line", 2, false), Paid::shared);     // written back meanwhile
  EXPECT_EQ(caches.access("other", 2, true), Paid::nothing);    // another line
}

/// The first of the line's loads; null if none pays.
const Touch* first_load(const LinesReport& report, const std::string& line) {
  for (const LineReport& one : report.lines) {
    if (one.line != line) continue;
    for (const Touch& touch : one.touches) {
      if (!touch.write) return &touch;
    }
  }
  return nullptr;
}

TEST(Lines, TheLoadOfTheBackPointerComesFirstAndLeavesWithTheSplit) {
  const LinesReport before = simulate_lines(model::make_variant("v7.1", {}, {}));
  const LinesReport after = simulate_lines(model::make_variant("v7.1", {"split-cacheline"}, {}));
  ASSERT_FALSE(before.lines.empty());
  EXPECT_EQ(before.lines.front().line, "bucket");
  const Touch* const load = first_load(before, "bucket");
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->member, "bucket priv");
  EXPECT_EQ(load->function, "futex_hash");
  EXPECT_GE(load->hitm * 10, before.operations * 9);  // nearly every wait's
  EXPECT_EQ(first_load(after, "bucket"), nullptr);
  EXPECT_LT(after.lines.front().transfers * 2, before.lines.front().transfers);
  EXPECT_EQ(line_sentences(before, after).front(),
            "futex_hash() no longer fetches the line \"bucket\" for its read of bucket priv");
}

TEST(Lines, WhichLoadComesFirstDoesNotDependOnTheCostOfAMiss) {
  for (const std::uint64_t cost : {2, 4, 8, 16, 40}) {
    const LinesReport report = simulate_lines(model::make_variant("v7.1", {}, {}), cost);
    const Touch* const load = first_load(report, "bucket");
    ASSERT_NE(load, nullptr) << cost;
    EXPECT_EQ(load->function, "futex_hash") << cost;
  }
}

TEST(Lines, ThoseOfTheSteadyStateAreOnlyTheBucketS) {
  const LinesReport report = simulate_lines(testing::v7_3());
  EXPECT_EQ(report.operations, 48U);
  ASSERT_EQ(report.lines.size(), 1U);
  EXPECT_EQ(report.lines.front().touches.front().member, "bucket waiters");
  EXPECT_TRUE(simulate_lines(testing::with_patch("mismatch-precheck")).lines.empty());
}

}  // namespace
}  // namespace futexmc::properties
