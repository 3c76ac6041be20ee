// SPDX-License-Identifier: GPL-2.0-or-later
//
// What threads could do, recorded: values, locks, and what becomes of them as events.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "checker/lock.hpp"
#include "model/futex/futex.hpp"
#include "properties/proofs/memory/events.hpp"

namespace futexmc::properties::proofs {
namespace {

namespace lkmm = futexmc::proofs::lkmm;

// Without B's read of what A stores, or with a wrong value in it, the executions would be others.
TEST(Recording, FindsEveryValueThatAnotherThreadStores) {
  static const auto word = []() -> checker::Cell<std::int64_t>& { return *model::machine.word[0]; };
  const memory::Subject subject = {
      "word f = 3; hash global; thread a { } thread b { }", nullptr,
      {{"a", [] {
          checker::store(word(), 5, checker::Order::once, {"a", "test", 0});
          checker::update(word(), checker::Order::full, [](std::int64_t& v) { return v += 10; },
                          "xadd", {"a", "test", 0});
        }},
       {"b", [] {
          memory::result(checker::load(word(), checker::Order::once, {"b", "test", 0}));
        }}}};
  const memory::Recording recording =
      memory::record(subject, model::make_variant("v7.3", {}, {}));
  const std::set<std::uint64_t> values = recording.domains.at(
      checker::cell_index(&word()));
  // Counters are followed a little further than any execution can go, never less far.
  for (const std::uint64_t value : {3U, 5U, 13U, 15U}) EXPECT_TRUE(values.contains(value)) << value;
  EXPECT_FALSE(values.contains(4));
  std::set<std::uint64_t> results;
  for (const memory::Node& node : recording.threads[1].nodes) {
    for (const memory::Group& group : node.groups) {
      results.insert(group.results.begin(), group.results.end());
    }
  }
  EXPECT_EQ(results, values);
}

// What a lock protects is found as somebody left it: never half written.
TEST(Recording, FindsWhatALockProtectsAsItWasLeft) {
  using Flag = checker::Cell<bool>;
  static const auto first = []() -> Flag& { return model::machine.task[0]->wake_q; };
  static const auto second = []() -> Flag& { return model::machine.task[1]->wake_q; };
  static const auto lock = []() -> checker::Lock& { return model::machine.mm->phash.lock.lock; };
  static const checker::Loc loc{"test", "test", 0};
  const memory::Subject subject = {
      "word f = 0; hash global; thread a { } thread b { }", nullptr,
      {{"a", [] {
          lock().acquire("lock", loc);
          checker::store_under(lock(), first(), true, loc);
          checker::store_under(lock(), second(), true, loc);
          lock().release("unlock", "warn", loc);
        }},
       {"b", [] {
          lock().acquire("lock", loc);
          const int one = checker::load_under(lock(), first(), loc) ? 1 : 0;
          const int two = checker::load_under(lock(), second(), loc) ? 2 : 0;
          lock().release("unlock", "warn", loc);
          memory::result(one + two);
        }}}};
  std::set<std::int64_t> results;
  const memory::Recording recording =
      memory::record(subject, model::make_variant("v7.3", {}, {}));
  for (const memory::Node& node : recording.threads[1].nodes) {
    for (const memory::Group& group : node.groups) {
      results.insert(group.results.begin(), group.results.end());
    }
  }
  EXPECT_EQ(results, (std::set<std::int64_t>{0, 3}));
}

/// Two locks and what they might protect.
checker::Lock& one_lock() { return model::machine.mm->phash.lock.lock; }
checker::Lock& other_lock() { return (*model::machine.table[0]).queues[0].lock.lock; }
checker::Cell<bool>& protected_cell() { return model::machine.task[0]->wake_q; }
constexpr checker::Loc kHere{"test", "test", 0};

void under(checker::Lock& lock, void (*body)(checker::Lock& lock)) {
  lock.acquire("lock", kHere);
  body(lock);
  lock.release("unlock", "warn", kHere);
}
void set(checker::Lock& lock) { checker::store_under(lock, protected_cell(), true, kHere); }
void look(checker::Lock& lock) {
  memory::result(checker::load_under(lock, protected_cell(), kHere) ? 1 : 0);
}

using Formula = z3::expr (*)(memory::Events& events);

lkmm::Verdict ask(void (*first)(), void (*second)(), Formula formula) {
  const memory::Subject subject = {
      "word f = 0; hash private(2); thread a { } thread b { }", nullptr,
      {{"a", first}, {"b", second}}};
  const memory::Recording recording = memory::record(subject, model::make_variant("v7.3", {}, {}));
  z3::context context;
  memory::Events events(recording, context);
  const z3::expr asked = formula(events);
  lkmm::Model model(events.graph());
  return model.ask(asked).verdict;
}

z3::expr otherwise(memory::Events& events) {
  return events.ends(0).otherwise || events.ends(1).otherwise;
}

// Who relies on a lock that does not protect is told so: executions are not lost in silence.
TEST(Locks, ACellUnderTwoLocksIsNotAsItWasLeft) {
  const auto first = [] { under(one_lock(), &set); };
  EXPECT_EQ(ask(first, [] { under(one_lock(), &look); }, &otherwise), lkmm::Verdict::impossible);
  EXPECT_EQ(ask(first, [] { under(other_lock(), &look); }, &otherwise), lkmm::Verdict::possible);
}

// A cell goes over to another lock when both are held, as `moved` says, which the other protects.
TEST(Locks, ACellMayMoveFromOneLockToAnother) {
  static const auto moved = []() -> checker::Cell<bool>& { return model::machine.task[1]->wake_q; };
  const auto move = [] {
    under(one_lock(), [](checker::Lock& lock) {
      set(lock);
      under(other_lock(), [](checker::Lock& other) {
        set(other);
        checker::store_under(other, moved(), true, kHere);
      });
    });
  };
  const auto find = [] {
    under(other_lock(), [](checker::Lock& other) {
      if (checker::load_under(other, moved(), kHere)) look(other);
    });
  };
  EXPECT_EQ(ask(move, find, &otherwise), lkmm::Verdict::impossible);
  EXPECT_EQ(ask(move, find, [](memory::Events& events) { return events.returned(1, 1); }),
            lkmm::Verdict::possible);
  EXPECT_EQ(ask(move, find, [](memory::Events& events) { return events.returned(1, 0); }),
            lkmm::Verdict::impossible);
  // Who does not wait for that finds what nobody left.
  EXPECT_EQ(ask(move, [] { under(other_lock(), &look); }, &otherwise), lkmm::Verdict::possible);
}

// What stops a thread that holds a lock is seen although others wait for the lock then.
TEST(Locks, AFaultUnderALockIsSeen) {
  const auto stop = [] {
    under(one_lock(), [](checker::Lock&) { checker::fault("lifetime", {"gone"}); });
  };
  const Formula both = [](memory::Events& events) {
    return events.ends(0).faulted && events.ends(1).locked_out;
  };
  EXPECT_EQ(ask(stop, [] { under(one_lock(), &look); }, both), lkmm::Verdict::possible);
  EXPECT_EQ(ask([] { under(one_lock(), &look); }, [] { under(one_lock(), &look); },
                [](memory::Events& events) { return events.ends(1).locked_out; }),
            lkmm::Verdict::impossible);
}

}  // namespace
}  // namespace futexmc::properties::proofs
