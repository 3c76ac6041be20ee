// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random programs over the calls on one, two and three words: reduced or not, with whatever scopes
// forget, the answer is the same, and v7.3 holds. Everybody may sleep: that wakes are not lost is
// what the scenarios are for.
#include <random>

#include "tests/properties/run.hpp"

namespace futexmc::properties {
namespace {

using checker::Options;
using checker::Result;

class Drawing {
 public:
  explicit Drawing(unsigned seed) : random_(seed) {}

  std::string program() {
    std::string text = "word f = 0; word g = 0; word h = 0; ";
    text += one_in(2) ? "hash global; " : "hash private(2); ";
    text += one_in(3) ? "collide f, g; " : "";
    text += one_in(4) ? "budget fault 1; " : one_in(4) ? "budget spurious 1; " : "";
    const int threads = one_in(3) ? 3 : 2;
    for (int id = 0; id < threads; ++id) {
      text += "thread t" + std::to_string(id) + " may_sleep { int r = 0; int s = 0; r = " + call() +
              "; ";
      if (threads == 2) text += "s = " + call() + "; ";
      text += "} ";
    }
    return text;
  }

 private:
  // Not of <random>'s distributions, which differ from one library to the other.
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool one_in(int count) { return pick(count) == 0; }
  std::string number() { return std::to_string(pick(3)); }
  std::string word() { return std::string(1, "fgh"[pick(3)]); }
  std::string timeout() { return one_in(4) ? ", timeout" : ""; }

  std::string call() {
    switch (pick(8)) {
      case 0: return "futex_wait(" + word() + ", 0" + timeout() + ")";
      case 1: return "futex_waitv(f, 0, g, 0" + timeout() + ")";
      case 2: return "futex_waitv(" + word() + ", 0, " + word() + ", 0" + timeout() + ")";
      case 3: return "futex_wake(" + word() + ", " + number() + ")";
      case 4: return "futex_wake_op(" + word() + ", 1, " + number() + ", " + word() +
                     ", xor, 1, eq, 0)";
      case 5: return "futex_cmp_requeue(" + word() + ", " + number() + ", 1, " + word() + ", 0)";
      default: return "futex_requeue(" + word() + ", 0, " + number() + ", " + word() + ")";
    }
  }

  std::mt19937 random_;
};

Result search(const scenario::Scenario& scenario, bool movers, bool sleep_sets, bool audit) {
  Options options;
  options.movers = movers;
  options.sleep_sets = sleep_sets;
  options.outcomes = true;
  options.audit = audit;
  return testing::search(scenario, testing::v7_3(), options);
}

class SlowSeveralWords : public ::testing::TestWithParam<unsigned> {};

TEST_P(SlowSeveralWords, ReductionsAgreeAndTheKernelHolds) {
  for (unsigned i = 0; i < 8; ++i) {
    const std::string text = Drawing(100 * GetParam() + i).program();
    SCOPED_TRACE(text);
    const auto scenario = testing::parse(text, "random.futex");
    const Result reference = search(scenario, false, false, false);
    EXPECT_TRUE(testing::holds(reference));
    for (const bool movers : {false, true}) {
      const Result reduced = search(scenario, movers, true, true);
      EXPECT_TRUE(testing::holds(reduced));
      EXPECT_EQ(reduced.outcomes, reference.outcomes);
      EXPECT_TRUE(reduced.audit_failures.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SlowSeveralWords, ::testing::Range(0U, 8U));

// Programs of this kind do show what is missing.
TEST(SeveralWordsWithoutLockPtr, AreCaught) {
  bool caught = false;
  for (unsigned seed = 0; seed < 96 && !caught; ++seed) {
    const auto scenario = testing::parse(Drawing(seed).program(), "random.futex");
    const auto variant = testing::with_knockout("requeue-lock-ptr");
    caught = !testing::search(scenario, variant).findings.empty();
  }
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace futexmc::properties
