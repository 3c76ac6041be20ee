// SPDX-License-Identifier: GPL-2.0-or-later
//
// Use of dead objects: found on any access, recorded once, fatal to the thread that did it only.
#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/models/pivot.hpp"

namespace futexmc::checker {
namespace {

// An object is freed while readers may still use it.
class Freed final : public Program {
 public:
  explicit Freed(Liveness becomes) : becomes_(becomes) {}
  void build(Builder& builder) override {
    self_ = this;
    object_ = &builder.make<Cell<int>>("fph0", "futex_private_hash");
    builder.name(*object_, "state");
    done_ = &builder.make<Cell<int>>("done", "word");
    builder.thread({"reader", &read, 0, false});
    builder.thread({"freer", &free_it, 0, false});
  }
  std::string outcome(const FinalState& state) override {
    return (state.any_faulted ? "faulted " : "fine ") + std::to_string(done_->peek());
  }

 private:
  static void read(std::uint64_t /*unused*/) {
    load(*self_->object_, Order::once);
    load(*self_->object_, Order::once);
    update(*self_->done_, Order::full, [](int& v) { v += 1; return 0; }, "done");
  }
  static void free_it(std::uint64_t /*unused*/) {
    announce(operation("kfree", *self_->object_, Access::write, Order::plain, Loc::here()));
    arena.write_cell(arena.layout.object_of(self_->object_->index()).liveness,
                     to_word(self_->becomes_), true);
    remember_done();
    update(*self_->done_, Order::full, [](int& v) { v += 10; return 0; }, "done");
  }
  static inline Freed* self_ = nullptr;
  Liveness becomes_;
  Cell<int>* object_ = nullptr;
  Cell<int>* done_ = nullptr;
};

TEST(Lifetime, UseAfterFreeIsFoundOnce) {
  Freed program(Liveness::freed);
  const Result result = depth_first(program, testing::unreduced());
  const std::vector<std::string> expected = {
      "lifetime: use after free of futex_private_hash in read(): load of fph0.state"};
  EXPECT_EQ(testing::signatures(result), expected);
  EXPECT_TRUE(result.violated("lifetime"));
  EXPECT_FALSE(result.violated("deadlock"));
}

TEST(Lifetime, AFaultStopsOnlyItsThread) {
  Freed program(Liveness::freed);
  const Result result = depth_first(program, testing::unreduced());
  EXPECT_EQ(result.outcomes, (std::vector<std::string>{"faulted 10", "fine 11"}));
}

TEST(Lifetime, UseBeforeAllocationSaysSo) {
  Freed program(Liveness::never_allocated);
  const Result result = depth_first(program, testing::unreduced());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].message,
            "use before allocation of futex_private_hash in read(): load of fph0.state");
}

TEST(Lifetime, EveryPathOfAFindingShowsIt) {
  models::Pivot program({1, 1, 1, 1, 1, models::PivotMutation::none, true});
  for (const bool reduced : {false, true}) {
    const Options options = testing::with(reduced, reduced);
    const Result result = depth_first(program, options);
    ASSERT_FALSE(result.findings.empty());
    for (const Finding& finding : result.findings) {
      EXPECT_EQ(finding.property, "lifetime");
      const auto seen = testing::violations_of(program, finding.path, options);
      ASSERT_FALSE(seen.empty());
      EXPECT_EQ(seen.back(), finding.property + ": " + finding.message);
    }
  }
}

TEST(Lifetime, ThePivotFreesAHashThatAWaiterDequeuesFrom) {
  // The kernel's futex_unqueue() is a read section for this reason; pivot.pml does not look.
  models::Pivot program({1, 1, 1, 1, 1, models::PivotMutation::none, true});
  const Result result = depth_first(program, testing::unreduced());
  EXPECT_EQ(result.findings.size(), 2U);
  for (const Finding& finding : result.findings) {
    EXPECT_NE(finding.message.find("semaphore_wait"), std::string::npos) << finding.message;
  }
}

}  // namespace
}  // namespace futexmc::checker
