// SPDX-License-Identifier: GPL-2.0-or-later
//
// Coverage by name, and watching for a name.
#include "checker/coverage.hpp"

#include <gtest/gtest.h>

#include "tests/checker/searching.hpp"
#include "tests/checker/toys.hpp"

namespace futexmc::checker {
namespace {

/// Two counters of one kind, in arrays, one of them named.
class Counters final : public Program {
 public:
  void build(Builder& builder) override {
    auto& named = builder.make<std::array<Cell<int>, 2>>("named", "counters");
    builder.name(named[0], "at[0].value");
    builder.name(named[1], "at[1].value");
    auto& plain = builder.make<Cell<int>>("plain", "counter");
    for (Cell<int>* const cell : {&named[0], &named[1], &plain}) {
      builder.thread({"t" + std::to_string(names_++ % 3), &bump, toys::address_of(cell), false});
    }
  }

 private:
  static void bump(std::uint64_t counter) {
    store(toys::cell_of(counter), 1, Order::once);
    announce({.name = "pause", .loc = Loc::here()});
    remember_done();
  }
  int names_ = 0;
};

TEST(CoverageNames, LeaveOutObjectsAndIndices) {
  Counters program;
  Coverage coverage;
  Options options;
  options.coverage = &coverage;
  EXPECT_TRUE(depth_first(program, options).complete());
  EXPECT_EQ(coverage.names(), (std::set<std::string>{"bump(): pause", "bump(): store of counter",
                                                     "bump(): store of counters.at[].value"}));
}

TEST(CoverageNames, WatchedOnesAreToldEachTime) {
  Counters program;
  Coverage coverage;
  int told = 0;
  coverage.watch({"bump(): store of counter", "bump(): never"}, [&](const std::string& name) {
    EXPECT_EQ(name, "bump(): store of counter");
    ++told;
  });
  Options options;
  options.coverage = &coverage;
  depth_first(program, options);
  EXPECT_GT(told, 1);
}

}  // namespace
}  // namespace futexmc::checker
