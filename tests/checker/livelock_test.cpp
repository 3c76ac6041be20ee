// SPDX-License-Identifier: GPL-2.0-or-later
//
// Livelocks in programs small enough to say who spins and where. The reference is a plain search of
// paths: a state is live if some path from it ends.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "checker/livelock.hpp"
#include "checker/minimize.hpp"
#include "checker/replay.hpp"
#include "checker/scope.hpp"
#include "tests/checker/toys.hpp"

namespace futexmc::checker {
namespace {

/// Threads over two flags.
class Flags final : public Program {
 public:
  using Body = std::function<void(Flags&)>;
  explicit Flags(std::vector<Body> bodies) : bodies_(std::move(bodies)) {}

  void build(Builder& builder) override {
    self_ = this;
    a = &builder.make<Cell<int>>("a", "flag");
    b = &builder.make<Cell<int>>("b", "flag");
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      builder.thread({"t" + std::to_string(i), &run, i, false});
    }
  }
  Cell<int>* a = nullptr;
  Cell<int>* b = nullptr;

  static void await(Cell<int>& cell, int value) {
    Scope scope("await");
    do scope.at("again");
    while (load(cell, Order::once) != value);
  }

 private:
  static void run(std::uint64_t id) { self_->bodies_[id](*self_); }
  static inline Flags* self_ = nullptr;
  std::vector<Body> bodies_;
};

std::vector<std::string> messages(Program& program) {
  const Livelocks livelocks = find_livelocks(program, {});
  EXPECT_EQ(livelocks.limit, Limit::none);
  std::vector<std::string> all;
  for (const Livelock& livelock : livelocks.found) {
    all.push_back(livelock.message.substr(livelock.message.find(": ") + 2));
  }
  return all;
}

using Messages = std::vector<std::string>;

TEST(Livelock, WhoWaitsHisTurnDoesNotCount) {
  // The schedule in which t0 spins for ever is unfair: a final state is always within reach.
  Flags fair({[](Flags& f) { Flags::await(*f.a, 1); },
              [](Flags& f) { store(*f.a, 1, Order::once); }});
  EXPECT_EQ(messages(fair), Messages{});
}

TEST(Livelock, WhoSpinsInVainIsNamed) {
  Flags alone({[](Flags& f) { Flags::await(*f.a, 1); }, [](Flags& f) { load(*f.b, Order::once); }});
  EXPECT_EQ(messages(alone), Messages{"t0 spins"});
  Flags each_other({[](Flags& f) { Flags::await(*f.a, 1); store(*f.b, 1, Order::once); },
                    [](Flags& f) { Flags::await(*f.b, 1); store(*f.a, 1, Order::once); }});
  EXPECT_EQ(messages(each_other), Messages{"t0 and t1 spin"});
}

// What was stored first decides: only one order is a livelock, and the path leads to it.
TEST(Livelock, BeginsWhereTheLastWayOutIsMissed) {
  Flags program({[](Flags& f) { store(*f.a, 1, Order::once); Flags::await(*f.a, 1); },
                 [](Flags& f) { store(*f.a, 2, Order::once); }});
  const Livelocks livelocks = find_livelocks(program, {});
  ASSERT_EQ(livelocks.found.size(), 1U);
  EXPECT_EQ(livelocks.found[0].path, (Path{{0, 0}, {1, 0}}));
  EXPECT_EQ(livelocks.found[0].message, "no final state can be reached any more: t0 spins");
  const std::uint64_t live = livelocks.states - livelocks.found[0].states.size();
  // Nobody has stored; t0 has; t1 has; both in the good order; t0 is done, alone, or with t1 either
  // before or after it.
  EXPECT_EQ(live, 7U);
}

TEST(Livelock, DifferentSpinnersAreDifferentFindings) {
  Flags program({[](Flags& f) { if (load(*f.a, Order::once) == 0) Flags::await(*f.b, 1); },
                 [](Flags& f) { if (load(*f.a, Order::once) == 0) Flags::await(*f.b, 2); },
                 [](Flags& f) { store(*f.a, 1, Order::once); }});
  EXPECT_EQ(messages(program), (Messages{"t0 spins", "t1 spins", "t0 and t1 spin"}));
}

// One of two spins for sure, but which is not decided yet.
TEST(Livelock, SaysOrWhereItIsNotDecided) {
  const auto body = [](Flags& f) {
    const auto first = [](int& taken) { return std::exchange(taken, 1) == 0; };
    if (update(*f.a, Order::full, first, "xchg")) Flags::await(*f.b, 1);
  };
  Flags program({body, body});
  EXPECT_EQ(messages(program), (Messages{"t0 or t1 spins", "t0 spins", "t1 spins"}));
}

TEST(Livelock, ALimitFindsNothing) {
  Flags alone({[](Flags& f) { Flags::await(*f.a, 1); }, [](Flags& f) { load(*f.b, Order::once); }});
  Options options;
  options.max_states = 2;
  const Livelocks livelocks = find_livelocks(alone, options);
  EXPECT_EQ(livelocks.limit, Limit::states);
  EXPECT_TRUE(livelocks.found.empty());
}

// A wrong order of two stores, in front of which a bystander has taken steps for nothing.
TEST(Livelock, IsMinimisedAndReplayed) {
  Flags program({[](Flags& f) { store(*f.a, 1, Order::once); Flags::await(*f.a, 1); },
                 [](Flags& f) { store(*f.a, 2, Order::once); },
                 [](Flags& f) { store(*f.b, 1, Order::once); }});
  const Finding finding{kProgress, "no final state can be reached any more: t0 spins",
                        {{2, 0}, {0, 0}, {1, 0}}};
  const Minimized best = minimize(program, finding, {});
  ASSERT_TRUE(best.shown && best.minimal);
  EXPECT_EQ(best.path, (Path{{0, 0}, {1, 0}}));
  const Trace trace = make_trace(program, best.path, finding.property, finding.message);
  EXPECT_EQ(replay(program, trace).outcome, Outcome::reproduces);
  EXPECT_EQ(replay(program, trace).at, 2U);
  ReplayOptions hurried;
  hurried.max_states = 1;
  EXPECT_EQ(replay(program, trace, hurried).outcome, Outcome::diverges);
  // Where t0 can come to an end the same steps show nothing.
  Flags fixed({[](Flags& f) { store(*f.a, 1, Order::once); Flags::await(*f.a, 2); },
               [](Flags& f) { store(*f.a, 2, Order::once); },
               [](Flags& f) { store(*f.b, 1, Order::once); }});
  EXPECT_EQ(replay(fixed, trace).outcome, Outcome::now_passes);
  Flags fair({[](Flags& f) { Flags::await(*f.a, 1); },
              [](Flags& f) { store(*f.a, 1, Order::once); }});
  EXPECT_FALSE(minimize(fair, finding, {}).shown);
}

}  // namespace
}  // namespace futexmc::checker
