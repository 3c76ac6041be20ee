// SPDX-License-Identifier: GPL-2.0-or-later
//
// What v7.3 itself violates (docs/findings.md): a default size that was computed before the hash
// was replaced, and is installed after. The scenario clone-set-slots-race has the first form.
#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using Names = std::set<std::string>;

Names messages(const char* text) {
  const auto result = testing::search(testing::parse(text, "inline"), testing::v7_3());
  EXPECT_TRUE(result.complete());
  Names found;
  for (const auto& finding : result.findings) {
    found.insert(finding.property + ": " + finding.message);
  }
  return found;
}

// SET_SLOTS returned 0, and the clone's default replaces what it installed.
TEST(Findings, ADefaultReplacesTheUsersChoice) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 4;
      thread main { clone(helper); }
      thread tuner { int r = 0; r = SET_SLOTS(2); }
      thread helper cloned { }
      finally tuner.r == 0;)"),
            Names{"size-policy: the user's choice is given up for a default, which was installed"});
}

// The same with the global hash, which the test under the mutex protects: but clone() fails.
TEST(Findings, ACloneFailsWhenTheGlobalHashIsChosen) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 4;
      thread main { int r = 0; r = clone(helper); }
      thread tuner { SET_SLOTS(0); }
      thread helper cloned { }
      sometimes main.r == 0;
      sometimes main.r == -EBUSY;
      finally slots() == 0;)"),
            Names{});
}

TEST(SlowFindings, ADefaultShrinksTheHash) {
  EXPECT_EQ(messages(R"(
      hash private(2);
      sizing minimum 2, per_thread 2, maximum 8;
      thread a { clone(c); }
      thread b { clone(d); clone(e); }
      thread c cloned { }
      thread d cloned { }
      thread e cloned { })"),
            Names{"size-policy: a default is given up for a smaller one, which was installed"});
}

}  // namespace
}  // namespace futexmc::properties
