// SPDX-License-Identifier: GPL-2.0-or-later
//
// Store buffers against the classic litmus tests: what total store order allows and what it does
// not (P. Sewell and others, x86-TSO, CACM 2010).
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "checker/lock.hpp"
#include "checker/store_buffer.hpp"
#include "tests/checker/searching.hpp"

namespace futexmc::checker {
namespace {

/// Two threads over x and y; the outcome is what each read.
class Litmus final : public Program {
 public:
  using Body = std::function<void(Litmus&)>;
  Litmus(Memory memory, Body first, Body second)
      : memory_(memory), body_{std::move(first), std::move(second)} {}

  void build(Builder& builder) override {
    self_ = this;
    x = &builder.make<Cell<int>>("x", "word");
    y = &builder.make<Cell<int>>("y", "word");
    lock = &builder.make<Lock>("lock", "lock");
    seen_ = &builder.make<std::array<Cell<int>, 2>>("seen", "registers");
    builder.thread({"first", &run, 0, false});
    builder.thread({"second", &run, 1, false});
  }
  Memory memory() const override { return memory_; }
  std::string outcome(const FinalState& /*state*/) override {
    return std::to_string((*seen_)[0].peek()) + std::to_string((*seen_)[1].peek());
  }

  void saw(int value) {
    auto& mine = (*seen_)[rt.current_id];
    mine.poke(mine.peek() * 10 + value);
  }
  static int read(Cell<int>& cell) { return load(cell, Order::once); }
  static void write(Cell<int>& cell, int value) { store(cell, value, Order::once); }
  static void fence() {
    announce({.name = "smp_mb", .order = Order::full});
    remember_done();
  }

  Cell<int>* x = nullptr;
  Cell<int>* y = nullptr;
  Lock* lock = nullptr;

 private:
  static void run(std::uint64_t id) { self_->body_[id](*self_); }
  static inline Litmus* self_ = nullptr;
  Memory memory_;
  std::array<Body, 2> body_;
  std::array<Cell<int>, 2>* seen_ = nullptr;
};

using Outcomes = std::vector<std::string>;

Outcomes outcomes(Memory memory, const Litmus::Body& first, const Litmus::Body& second) {
  Litmus program(memory, first, second);
  const Result result = depth_first(program, testing::with(true, true));
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(breadth_first(program, testing::with(true, true)).outcomes, result.outcomes);
  return result.outcomes;
}

void store_buffering(Litmus& t, Cell<int>* mine, Cell<int>* other, bool fenced) {
  Litmus::write(*mine, 1);
  if (fenced) Litmus::fence();
  t.saw(Litmus::read(*other));
}

TEST(Tso, StoreBufferingIsSeenWithoutFences) {
  for (const bool fenced : {false, true}) {
    const auto first = [fenced](Litmus& t) { store_buffering(t, t.x, t.y, fenced); };
    const auto second = [fenced](Litmus& t) { store_buffering(t, t.y, t.x, fenced); };
    const Outcomes strong = {"01", "10", "11"};
    const Outcomes weak = {"00", "01", "10", "11"};
    EXPECT_EQ(outcomes(Memory::sc, first, second), strong);
    EXPECT_EQ(outcomes(Memory::tso, first, second), fenced ? strong : weak);
  }
}

// A locked instruction drains as a fence does, on whatever it acts.
TEST(Tso, LockedInstructionsDrain) {
  const auto body = [](Cell<int>* Litmus::*mine, Cell<int>* Litmus::*other) {
    return [=](Litmus& t) {
      Litmus::write(*(t.*mine), 1);
      t.lock->acquire("lock", Loc::here());
      t.saw(Litmus::read(*(t.*other)));
      t.lock->release("unlock", "lock", Loc::here());
    };
  };
  EXPECT_EQ(outcomes(Memory::tso, body(&Litmus::x, &Litmus::y), body(&Litmus::y, &Litmus::x)),
            (Outcomes{"01", "10", "11"}));
}

// Stores of one thread become visible in order, and loads are not delayed.
TEST(Tso, MessagesArriveInOrder) {
  const auto sender = [](Litmus& t) {
    Litmus::write(*t.x, 1);
    Litmus::write(*t.y, 1);
  };
  const auto receiver = [](Litmus& t) {
    t.saw(Litmus::read(*t.y));
    t.saw(Litmus::read(*t.x));
  };
  EXPECT_EQ(outcomes(Memory::tso, sender, receiver), (Outcomes{"00", "01", "011"}));
}

// A thread sees its own store before anybody else does.
TEST(Tso, OwnStoresAreForwarded) {
  const auto body = [](Cell<int>* Litmus::*mine, Cell<int>* Litmus::*other) {
    return [=](Litmus& t) {
      Litmus::write(*(t.*mine), 1);
      t.saw(Litmus::read(*(t.*mine)));
      t.saw(Litmus::read(*(t.*other)));
    };
  };
  const Outcomes seen =
      outcomes(Memory::tso, body(&Litmus::x, &Litmus::y), body(&Litmus::y, &Litmus::x));
  EXPECT_EQ(seen, (Outcomes{"1010", "1011", "1110", "1111"}));
}

// An unlock is a plain store: what the lock protects is visible before it.
TEST(Tso, UnlockComesAfterWhatItProtects) {
  const auto body = [](Litmus& t) {
    t.lock->acquire("lock", Loc::here());
    const int now = Litmus::read(*t.x);
    Litmus::write(*t.x, now + 1);
    t.saw(now);
    t.lock->release("unlock", "lock", Loc::here());
  };
  EXPECT_EQ(outcomes(Memory::tso, body, body), (Outcomes{"01", "10"}));
}

TEST(Tso, ABufferThatIsFullIsABoundAndNoVerdict) {
  Litmus program(Memory::tso,
                 [](Litmus& t) {
                   for (int i = 1; i <= 13; ++i) Litmus::write(*t.x, i);
                 },
                 [](Litmus&) {});
  EXPECT_EQ(depth_first(program, testing::unreduced()).limit, Limit::model);
}

}  // namespace
}  // namespace futexmc::checker
