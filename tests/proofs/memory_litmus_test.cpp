// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory theorems' events as litmus tests: read back by the parser they have the answer that
// the events have, and together they have the theorem's.
#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "properties/proofs/lkmm/litmus_events.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs {
namespace {

namespace lkmm = futexmc::proofs::lkmm;
namespace litmus = lkmm::litmus;

std::vector<LitmusTest> tests_of(const std::string& theorem, const std::string& knockout) {
  const Theorem& one = *find_theorem(theorem);
  const model::Variant variant = model::make_variant(
      "v7.3", {}, knockout.empty() ? std::vector<std::string>() : std::vector{knockout});
  return one.litmus(one.id, variant, {});
}

/// Of the text, by way of the parser.
bool is_possible(const LitmusTest& test) {
  const litmus::Parsed parsed = litmus::parse(test.text);
  const auto* const problem = std::get_if<litmus::Problem>(&parsed);
  if (problem != nullptr) {
    ADD_FAILURE() << test.name << ":" << problem->line << ":" << problem->column << ": "
                  << problem->message;
    return false;
  }
  const auto& program = std::get<litmus::Program>(parsed);
  EXPECT_EQ(program.name, test.name);
  z3::context context;
  lkmm::Graph graph(context);
  const z3::expr condition = litmus::add_events(program, graph);
  const lkmm::Answer answer = lkmm::Model(graph).ask(condition);
  EXPECT_NE(answer.verdict, lkmm::Verdict::unknown) << test.name << ": " << answer.reason;
  return answer.verdict == lkmm::Verdict::possible;
}

bool is_bad(const LitmusTest& test) { return test.name.find("-bad-") != std::string::npos; }

struct Case {
  const char* theorem;
  const char* knockout;  // empty: none
  bool refuted;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.theorem << " " << one.knockout; }

void expect(const Case& one) {
  const std::vector<LitmusTest> tests = tests_of(one.theorem, one.knockout);
  EXPECT_TRUE(std::any_of(tests.begin(), tests.end(), is_bad));
  bool refuted = false;
  std::set<std::string> names;
  for (const LitmusTest& test : tests) {
    SCOPED_TRACE(test.name);
    EXPECT_TRUE(names.insert(test.name).second);
    EXPECT_EQ(is_possible(test), test.possible);
    const std::string result = test.possible ? "Result: Sometimes\n" : "Result: Never\n";
    EXPECT_NE(test.text.find(result), std::string::npos);
    EXPECT_NE(test.text.find(std::string("Theorem ") + one.theorem + " on v7.3"),
              std::string::npos);
    if (is_bad(test)) refuted |= test.possible;
    else EXPECT_TRUE(test.possible);
  }
  EXPECT_EQ(refuted, one.refuted) << one.theorem << " " << one.knockout;
}

TEST(MemoryLitmus, OfTheBiasSeenWithTheState) {
  expect({"memory-dead", "", false});
  expect({"memory-dead", "begin-release", true});
  expect({"memory-dead", "dead-acquire", true});
}

TEST(MemoryLitmus, SayWhatTheyAre) {
  const std::vector<LitmusTest> tests = tests_of("memory-dead", "");
  // One combination of runs; two outcomes.
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].name.find("memory-dead-v7.3-"), 0U);
  for (const char* const part :
       {"P0 is pivot:\n", "futex_ref_is_dead(): smp_load_acquire(fph0.state) = 1\n",
        "smp_store_release(fph0_state, 1);", "atomic_set(mm_atomic, 1000000);",
        "1000000 stands for LONG_MAX\n", "// futex_ref_is_dead()\n"}) {
    const bool there = std::any_of(tests.begin(), tests.end(), [&](const LitmusTest& test) {
      return test.text.find(part) != std::string::npos;
    });
    EXPECT_TRUE(there) << part;
  }
}

TEST(MemoryLitmus, OnlyTheoremsOnMemoryHaveThem) {
  // The runs are too many to combine; what the last asks is not about final values.
  const std::set<std::string> without = {
      "memory-wakeup-two", "memory-pivot-four", "memory-pivot",            "memory-revive",
      "memory-requeue-done",   "memory-requeue-done-met", "memory-requeue-locked",
      "memory-requeue-locked-met", "memory-put-free"};
  for (const Theorem& theorem : theorems()) {
    const bool has = theorem.id.starts_with("memory-") && !without.contains(theorem.id);
    EXPECT_EQ(theorem.litmus != nullptr, has) << theorem.id;
  }
}

class SlowMemoryLitmus : public ::testing::TestWithParam<Case> {};

TEST_P(SlowMemoryLitmus, HaveTheTheoremsAnswer) { expect(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Table, SlowMemoryLitmus,
    ::testing::Values(Case{"memory-wakeup", "", false}, Case{"memory-wakeup", "wait-barrier", true},
                      Case{"memory-wakeup", "wake-barrier", true},
                      Case{"memory-wakeup", "waiters-before-check", true},
                      Case{"memory-wakeup", "value-check-locked", true},
                      Case{"memory-unqueue", "", false}, Case{"memory-reuse", "", false},
                      Case{"memory-reuse", "wake-release", true}, Case{"memory-fold", "", false},
                      Case{"memory-lookup-free", "", false},
                      Case{"memory-lookup-free", "lookup-rcu", true},
                      Case{"memory-prctl-put", "", false},
                      Case{"memory-prctl-put", "put-wake", true},
                      Case{"memory-prctl-put", "put-barrier", true},
                      Case{"memory-prctl-put", "prctl-barrier", true},
                      Case{"memory-prctl-put", "woken-barrier", true},
                      Case{"memory-prctl-fold", "", false},
                      Case{"memory-prctl-fold", "fold-wake", true},
                      Case{"memory-prctl-fold", "fold-barrier", true}),
    [](const auto& instance) {
      std::string name = instance.param.theorem + std::string("_") + instance.param.knockout;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace futexmc::properties::proofs
