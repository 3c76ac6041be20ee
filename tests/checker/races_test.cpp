// SPDX-License-Identifier: GPL-2.0-or-later
//
// The race detector on litmus tests whose answer is known from the Linux-kernel memory model, and
// what it must not depend on: reductions, the order of search, when clocks are made canonical.
#include <gtest/gtest.h>

#include <functional>

#include "checker/lock.hpp"
#include "checker/minimize.hpp"
#include "checker/races.hpp"
#include "checker/replay.hpp"
#include "checker/scope.hpp"
#include "tests/checker/searching.hpp"

namespace futexmc::checker {
namespace {

struct Box {
  Cell<int> value;
};

class Litmus final : public Program {
 public:
  using Body = std::function<void(Litmus&)>;
  explicit Litmus(std::vector<Body> bodies) : bodies_(std::move(bodies)) {}

  void build(Builder& builder) override {
    self_ = this;
    data = &builder.make<Cell<int>>("data", "word");
    builder.name(*data, "value");
    flag = &builder.make<Cell<int>>("flag", "word");
    back = &builder.make<Cell<int>>("back", "word");
    pointer = &builder.make<Cell<Box*>>("pointer", "pointer");
    lock = &builder.make<Lock>("lock", "lock");
    box = &builder.make<Box>("box", "box");
    arena.layout.unallocated(Liveness::never_allocated);
    liveness_ = arena.layout.objects().back().liveness;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      builder.thread({"t" + std::to_string(i), &run, i, false});
    }
  }
  bool looks_for_races() const override { return true; }

  static void read(const Cell<int>& cell) { load(cell, Order::plain); }
  static void write(Cell<int>& cell) { store(cell, 1, Order::plain); }
  static bool is_set(const Cell<int>& cell, Order order) { return load(cell, order) != 0; }
  static void mb() {
    announce({.name = "smp_mb", .loc = Loc::here(), .order = Order::full});
    remember_done();
  }
  static void add(Cell<int>& cell, Order order) {
    update(cell, order, [](int& v) { return ++v; }, "atomic_inc");
  }
  void change_box(Liveness to) {
    announce({.name = "allocate", .loc = Loc::here(), .reads = kEverything, .writes = kEverything});
    order::object_changes(box->value.index());
    arena.write_cell(liveness_, to_word(to), true);
    remember_done();
  }

  Cell<int>* data = nullptr;
  Cell<int>* flag = nullptr;
  Cell<int>* back = nullptr;
  Cell<Box*>* pointer = nullptr;
  Lock* lock = nullptr;
  Box* box = nullptr;

 private:
  static void run(std::uint64_t id) { self_->bodies_[id](*self_); }
  static inline Litmus* self_ = nullptr;
  std::vector<Body> bodies_;
  std::uint32_t liveness_ = 0;
};

using Body = Litmus::Body;

/// The races found, the same whatever the reduction and the order of search.
std::vector<std::string> races(const std::vector<Body>& bodies) {
  Litmus program(bodies);
  std::vector<std::string> found =
      testing::signatures(depth_first(program, testing::unreduced()));
  for (const testing::Reduction reduction : testing::kReductions) {
    Options options = testing::with(reduction.movers, reduction.sleep_sets);
    options.audit = true;
    const Result reduced = depth_first(program, options);
    EXPECT_EQ(testing::signatures(reduced), found);
    EXPECT_TRUE(reduced.audit_failures.empty());
    EXPECT_EQ(testing::signatures(breadth_first(program, options)), found);
  }
  return found;
}

const std::vector<std::string> kNone;
const std::vector<std::string> kData = {
    "race: word.value: a plain read in read() is not ordered with a write in write()"};

// Message passing: data before flag, flag before data.
std::vector<Body> message_passing(const Body& publish, const Body& look_and_read) {
  return {[publish](Litmus& t) {
            Litmus::write(*t.data);
            publish(t);
          },
          look_and_read};
}
Body reads_if(const std::function<bool(Litmus&)>& seen) {
  return [seen](Litmus& t) {
    if (seen(t)) Litmus::read(*t.data);
  };
}

TEST(Races, UnorderedAccessesRaceAndOrderedOnesDoNot) {
  EXPECT_EQ(races({[](Litmus& t) { Litmus::write(*t.data); },
                   [](Litmus& t) { Litmus::read(*t.data); }}),
            kData);
  EXPECT_EQ(races({[](Litmus& t) { Litmus::read(*t.data); },
                   [](Litmus& t) { Litmus::read(*t.data); }}),
            kNone);
  EXPECT_EQ(races({[](Litmus& t) { Litmus::write(*t.data); },
                   [](Litmus& t) { load(*t.data, Order::once); }}),
            kNone)
      << "a plain write counts as marked";
  EXPECT_EQ(races({[](Litmus& t) {
                     Litmus::write(*t.data);
                     Litmus::read(*t.data);
                   }}),
            kNone)
      << "one thread alone";
}

TEST(Races, MessagePassingNeedsBothSides) {
  struct Case {
    Order store, load;
    bool fence_before, fence_after, ordered;
  };
  const std::vector<Case> cases = {
      {Order::release, Order::acquire, false, false, true},
      {Order::once, Order::acquire, false, false, false},
      {Order::release, Order::once, false, false, false},
      {Order::once, Order::once, true, true, true},
      {Order::once, Order::once, true, false, false},
      {Order::once, Order::once, false, true, false},
      {Order::release, Order::once, false, true, true},
      {Order::once, Order::acquire, true, false, true},
      {Order::plain, Order::acquire, true, false, true},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case c = cases[i];
    const auto publish = [c](Litmus& t) {
      if (c.fence_before) Litmus::mb();
      store(*t.flag, 1, c.store);
    };
    const auto seen = [c](Litmus& t) {
      const bool set = Litmus::is_set(*t.flag, c.load);
      if (c.fence_after) Litmus::mb();
      return set;
    };
    EXPECT_EQ(races(message_passing(publish, reads_if(seen))), c.ordered ? kNone : kData) << i;
  }
}

TEST(Races, LocksOrder) {
  const auto body = [](bool writes) {
    return [writes](Litmus& t) {
      t.lock->acquire("lock", Loc::here());
      if (writes) Litmus::write(*t.data);
      else Litmus::read(*t.data);
      t.lock->release("unlock", "warn", Loc::here());
    };
  };
  EXPECT_EQ(races({body(true), body(false)}), kNone);
  EXPECT_EQ(races({body(true), body(false), [](Litmus& t) { Litmus::read(*t.data); }}), kData);
}

// The release reaches through others' read-modify-writes, but not through their stores.
TEST(Races, ReadModifyWritesCarryARelease) {
  for (const bool rmw : {true, false}) {
    std::vector<Body> bodies = message_passing(
        [](Litmus& t) { store(*t.flag, 1, Order::release); },
        reads_if([](Litmus& t) { return load(*t.flag, Order::acquire) == 2; }));
    bodies.emplace_back([rmw](Litmus& t) {
      if (load(*t.flag, Order::once) != 1) return;
      if (rmw) Litmus::add(*t.flag, Order::relaxed);
      else store(*t.flag, 2, Order::once);
    });
    EXPECT_EQ(races(bodies), rmw ? kNone : kData);
  }
}

// What everybody's barrier orders although no value goes that way: one who has read the old flag
// before the other writes it.
TEST(Races, BarriersOrderAReadBeforeAnOverwrite) {
  for (const bool fenced : {true, false}) {
    const std::vector<Body> bodies = {
        [fenced](Litmus& t) {
          Litmus::write(*t.data);
          if (fenced) Litmus::mb();
          if (Litmus::is_set(*t.flag, Order::once)) return;
          store(*t.back, 1, Order::once);
        },
        [fenced](Litmus& t) {
          store(*t.flag, 1, Order::once);
          if (fenced) Litmus::mb();
          // Only where the first thread is known to have read 0.
          if (load(*t.back, Order::once) == 1) Litmus::read(*t.data);
        }};
    EXPECT_EQ(races(bodies), fenced ? kNone : kData);
  }
}

TEST(Races, ALaterWriteIsOrderedByAControlDependency) {
  const auto reader = [](Litmus& t) {
    Litmus::read(*t.data);
    store(*t.flag, 1, Order::release);
  };
  const auto writer = [](Litmus& t) {
    if (Litmus::is_set(*t.flag, Order::once)) Litmus::write(*t.data);
  };
  EXPECT_EQ(races({reader, writer}), kNone);
  const auto careless = [](Litmus& t) {
    Litmus::read(*t.data);
    store(*t.flag, 1, Order::once);
  };
  EXPECT_EQ(races({careless, writer}), kData);
}

// Published by pointer: the address dependency suffices for the reader, the writer must release.
TEST(Races, APublishedObjectIsReadThroughItsPointer) {
  for (const bool released : {true, false}) {
    const auto publisher = [released](Litmus& t) {
      t.change_box(Liveness::live);
      store(*t.pointer, t.box, released ? Order::release : Order::once);
    };
    const auto reader = [](Litmus& t) {
      Box* const box = load(*t.pointer, Order::once);
      if (box != nullptr) Litmus::read(box->value);
    };
    const std::vector<std::string> expected = {
        "race: box: its use in read() is not ordered with its allocation or freeing in "
        "change_box()"};
    EXPECT_EQ(races({publisher, reader}), released ? kNone : expected);
  }
}

TEST(Races, AFreedObjectMustBeDoneWith) {
  for (const bool released : {true, false}) {
    const auto user = [released](Litmus& t) {
      store(t.box->value, 1, Order::once);
      store(*t.flag, 1, released ? Order::release : Order::once);
    };
    const auto owner = [](Litmus& t) {
      t.change_box(Liveness::live);
      store(*t.back, 1, Order::release);
      Scope scope("wait");
      do scope.at("again");
      while (!Litmus::is_set(*t.flag, Order::once));
      t.change_box(Liveness::freed);
    };
    const auto waits = [user](Litmus& t) {
      if (Litmus::is_set(*t.back, Order::acquire)) user(t);
    };
    EXPECT_EQ(races({owner, waits}).empty(), released);
  }
}

// A spinning loop releases for ever; its clock must not grow for ever.
TEST(Races, ClocksStayFinite) {
  Litmus program({[](Litmus& t) {
                    Scope scope("writer");
                    for (;;) {
                      scope.at("again");
                      store(*t.flag, 1, Order::release);
                      Litmus::write(*t.data);
                      store(*t.flag, 0, Order::release);
                    }
                  },
                  [](Litmus& t) {
                    Scope scope("reader");
                    for (;;) {
                      scope.at("again");
                      Litmus::is_set(*t.flag, Order::acquire);
                    }
                  }});
  Options options = testing::unreduced();
  options.max_states = 1000;
  const Result result = depth_first(program, options);
  EXPECT_TRUE(result.complete());
  EXPECT_GT(result.states, 4U);
}

TEST(Races, AreTracesLikeOthers) {
  Litmus program({[](Litmus& t) {
                    Litmus::write(*t.data);
                    store(*t.flag, 1, Order::once);
                  },
                  reads_if([](Litmus& t) { return Litmus::is_set(*t.flag, Order::acquire); })});
  const Result found = breadth_first(program, testing::unreduced());
  ASSERT_EQ(found.findings.size(), 1U);
  const Minimized best = minimize(program, found.findings[0], testing::unreduced());
  ASSERT_TRUE(best.shown && best.minimal);
  EXPECT_EQ(best.cost.switches, 1U);
  const Trace trace = make_trace(program, to_operations(program, best.path), "race",
                                 found.findings[0].message);
  ReplayOptions same;
  same.same_model = true;
  const Replay replayed = replay(program, trace, same);
  EXPECT_EQ(replayed.outcome, Outcome::reproduces);
  EXPECT_EQ(replayed.state_differs_at, 0U);
}

class Tolerant final : public Program {
 public:
  void build(Builder& builder) override {
    cell_ = &builder.make<Cell<int>>("word", "word");
    builder.thread({"writer", [](std::uint64_t) { store(*cell_, 1, Order::once); }, 0, false});
    builder.thread({"reader", [](std::uint64_t) { load(*cell_, Order::plain); }, 0, false});
  }
  bool looks_for_races() const override { return true; }
  bool tolerates(const Race& race) const override {
    asked = race;
    return accepts;
  }
  mutable Race asked;
  bool accepts = true;

 private:
  static inline Cell<int>* cell_ = nullptr;
};

TEST(Races, AProgramMayAcceptOne) {
  Tolerant program;
  EXPECT_TRUE(depth_first(program, {}).findings.empty());
  EXPECT_EQ(program.asked.what, "word");
  EXPECT_FALSE(program.asked.lifetime);
  program.accepts = false;
  EXPECT_EQ(depth_first(program, {}).findings.size(), 1U);
}

}  // namespace
}  // namespace futexmc::checker
