// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/story.hpp"

#include <gtest/gtest.h>

namespace futexmc::checker {
namespace {

RecordedStep lock(std::size_t agent, const char* object) {
  RecordedStep recorded;
  recorded.agent = agent;
  recorded.mover = Mover::right;
  recorded.step.operation = "spin_lock";
  recorded.step.object = object;
  return recorded;
}
RecordedStep unlock(std::size_t agent, const char* object) {
  RecordedStep recorded = lock(agent, object);
  recorded.mover = Mover::left;
  recorded.step.operation = "spin_unlock";
  return recorded;
}
RecordedStep access(std::size_t agent, const char* name, const char* object, bool changes = true) {
  RecordedStep recorded;
  recorded.agent = agent;
  recorded.step.operation = name;
  recorded.step.object = object;
  recorded.step.calls = {"f"};
  if (changes) recorded.changes.push_back({object, "0", "1"});
  return recorded;
}

/// "y", "n" or "c" for each step.
std::string selected(const std::vector<RecordedStep>& steps,
                     std::optional<std::size_t> violating = std::nullopt) {
  std::string text;
  for (const Shown shown : select_steps(steps, 2, violating)) {
    text += shown == Shown::yes ? 'y' : shown == Shown::no ? 'n' : 'c';
  }
  return text;
}

TEST(Story, DropsStoresThatChangeNothing) {
  EXPECT_EQ(selected({access(0, "WRITE_ONCE", "x", false), access(0, "READ_ONCE", "x", false),
                      access(0, "WRITE_ONCE", "x")}),
            "nyy");
}

TEST(Story, DropsPlainAccessesToWhatNobodyElseTouches) {
  EXPECT_EQ(selected({access(0, "write", "mine"), access(0, "write", "ours"),
                      access(1, "read", "ours", false)}),
            "nyy");
  EXPECT_EQ(selected({access(0, "write", "mine")}), "y");  // alone, there is no other story
}

TEST(Story, CondensesLongRunsUnderALock) {
  EXPECT_EQ(selected({lock(0, "l"), access(0, "store", "a"), access(0, "store", "b"),
                      access(0, "store", "c"), unlock(0, "l")}),
            "ycnny");
  EXPECT_EQ(selected({lock(0, "l"), access(0, "store", "a"), access(0, "store", "b"),
                      unlock(0, "l")}),
            "yyyy");
  EXPECT_EQ(selected({access(0, "store", "a"), access(0, "store", "b"), access(0, "store", "c")}),
            "yyy");
}

TEST(Story, KeepsTheViolation) {
  EXPECT_EQ(selected({lock(0, "l"), access(0, "store", "a"), access(0, "store", "b", false),
                      access(0, "store", "c"), unlock(0, "l")}, 2),
            "yyyyy");
}

TEST(Story, DropsLocksAroundNothing) {
  EXPECT_EQ(selected({lock(0, "l"), lock(0, "m"), access(1, "READ_ONCE", "x", false),
                      unlock(0, "m"), unlock(0, "l")}),
            "nnynn");
  EXPECT_EQ(selected({lock(0, "l"), access(0, "READ_ONCE", "x", false), unlock(0, "l")}), "yyy");
  EXPECT_EQ(selected({lock(0, "l")}), "y");
}

}  // namespace
}  // namespace futexmc::checker
