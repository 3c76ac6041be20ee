// SPDX-License-Identifier: GPL-2.0-or-later
//
// An operation that waits until nobody else can go.
#include <gtest/gtest.h>

#include "checker/lock.hpp"
#include "tests/checker/searching.hpp"

namespace futexmc::checker {
namespace {

// A watcher reads a word when all is quiet; a writer sets it and may block for good; events of
// either kind change it.
class Quiet final : public Program {
 public:
  enum class Event : std::uint8_t { none, owed, optional };
  Quiet(bool blocks, Event event) : blocks_(blocks), event_(event) {}

  void build(Builder& builder) override {
    self_ = this;
    word_ = &builder.make<Cell<int>>("word", "word");
    seen_ = &builder.make<Cell<int>>("seen", "word");
    builder.thread({"watcher", &watch, 0, false});
    builder.thread({"writer", &write, 0, true});
    if (event_ == Event::none) return;
    builder.event({.name = "timer", .owed = event_ == Event::owed,
                   .enabled = [](std::uint64_t) { return self_->word_->peek() == 2; },
                   .fire = [](std::uint64_t) { self_->word_->poke(3); }});
  }
  std::string outcome(const FinalState& /*state*/) override {
    return std::to_string(seen_->peek());
  }

 private:
  static void watch(std::uint64_t /*unused*/) {
    Operation op = operation("settle", *self_->word_, Access::read, Order::full, Loc::here());
    op.guard.kind = Guard::Kind::settled;
    announce(op);
    remember_done();
    store(*self_->seen_, load(*self_->word_, Order::once), Order::once);
  }
  static void write(std::uint64_t /*unused*/) {
    store(*self_->word_, 1, Order::once);
    store(*self_->word_, 2, Order::once);
    if (!self_->blocks_) return;
    Operation op = operation("wait", *self_->word_, Access::read, Order::full, Loc::here());
    op.guard = {.value = 9, .cell = self_->word_->index(), .kind = Guard::Kind::equal};
    announce(op);
    remember_done();
  }
  static inline Quiet* self_ = nullptr;
  bool blocks_;
  Event event_;
  Cell<int>* word_ = nullptr;
  Cell<int>* seen_ = nullptr;
};

void expect_outcomes(bool blocks, Quiet::Event event, const std::vector<std::string>& expected) {
  Quiet program(blocks, event);
  EXPECT_EQ(depth_first(program, testing::unreduced()).outcomes, expected);
  for (const testing::Reduction reduction : testing::kReductions) {
    const Options options = testing::with(reduction.movers, reduction.sleep_sets);
    EXPECT_EQ(depth_first(program, options).outcomes, expected);
  }
}

TEST(Settle, WaitsForThreadsToFinish) { expect_outcomes(false, Quiet::Event::none, {"2"}); }

TEST(Settle, WaitsForThreadsToBlock) { expect_outcomes(true, Quiet::Event::none, {"2"}); }

TEST(Settle, WaitsForOwedEvents) { expect_outcomes(true, Quiet::Event::owed, {"3"}); }

TEST(Settle, DoesNotWaitForWhatMayNeverHappen) {
  expect_outcomes(true, Quiet::Event::optional, {"2", "3"});
}

}  // namespace
}  // namespace futexmc::checker
