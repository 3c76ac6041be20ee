// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each construct of the language compiles to. listing_test.cpp has the code of statements.
#include <gtest/gtest.h>

#include "model/scenario/listing.hpp"
#include "model/scenario/scenario.hpp"

namespace futexmc::scenario {
namespace {

/// Compiles `text`, which must be right.
Scenario good(const std::string& text) {
  Result result = parse(text, "dir/some.name.futex");
  for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << render(d);
  return result ? std::move(*result.scenario) : Scenario{};
}

TEST(ScenarioParse, Defaults) {
  const Scenario s = good("thread w { }");
  EXPECT_EQ(s.name, "some.name");
  EXPECT_EQ(s.title, "");
  EXPECT_EQ(s.text, "thread w { }");
  EXPECT_TRUE(s.words.empty());
  EXPECT_EQ(s.hash, (Hash{Hash::Kind::none, 0}));
  EXPECT_EQ(s.sizing, (Sizing{2, 1, 4}));
  EXPECT_EQ(s.budgets, Budgets{});
  EXPECT_EQ(s.cpus, 0);
  EXPECT_TRUE(s.collisions.empty());
  EXPECT_TRUE(s.conditions.empty());
  ASSERT_EQ(s.threads.size(), 1u);
  EXPECT_FALSE(s.threads[0].cpu || s.threads[0].cloned || s.threads[0].may_sleep);
  EXPECT_EQ(s.threads[0].register_count, 0);
}

TEST(ScenarioParse, NameOfTheScenario) {
  EXPECT_EQ(parse("thread w { }", "a.futex").scenario->name, "a");
  EXPECT_EQ(parse("thread w { }", "a.b/c").scenario->name, "c");
  EXPECT_EQ(parse("thread w { }", ".hidden").scenario->name, ".hidden");
  EXPECT_EQ(parse("thread w { }", "").scenario->name, "");
}

TEST(ScenarioParse, TitleIsUtf8AndMayHoldCommentMarks) {
  EXPECT_EQ(good("title \"J\xc3\xb6rg's /* case */ // 1\"; thread w { }").title,
            "J\xc3\xb6rg's /* case */ // 1");
}

TEST(ScenarioParse, WordsAndVars) {
  const Scenario s = good("word f = 0xFFFFFFFF; var done = 3; word g = INT_MAX; thread w { }");
  ASSERT_EQ(s.words.size(), 3u);
  EXPECT_EQ(s.words[0].name, "f");
  EXPECT_EQ(s.words[0].initial, 4294967295);
  EXPECT_TRUE(s.words[0].futex);
  EXPECT_EQ(s.words[1].initial, 3);
  EXPECT_FALSE(s.words[1].futex);
  EXPECT_EQ(s.words[2].initial, 2147483647);
}

TEST(ScenarioParse, Hash) {
  EXPECT_EQ(good("hash none; thread w { }").hash, (Hash{Hash::Kind::none, 0}));
  EXPECT_EQ(good("hash global; thread w { }").hash, (Hash{Hash::Kind::global, 0}));
  EXPECT_EQ(good("hash private(2); thread w { }").hash, (Hash{Hash::Kind::private_, 2}));
  EXPECT_EQ(good("hash private(8); thread w { }").hash, (Hash{Hash::Kind::private_, 8}));
}

TEST(ScenarioParse, Settings) {
  const Scenario s = good(
      "cpus 8; sizing maximum 8, minimum 4; sizing per_thread 3;\n"
      "budget spurious 1, signal 2, fault 3; budget migrate 4, alloc_fail 0, reuse 1;\n"
      "thread w { }");
  EXPECT_EQ(s.cpus, 8);
  EXPECT_EQ(s.sizing, (Sizing{4, 3, 8}));
  EXPECT_EQ(s.budgets, (Budgets{1, 2, 3, 4, 0, 1}));
}

TEST(ScenarioParse, Collisions) {
  const Scenario s = good("word f = 0; word g = 0; word h = 0; collide g, f; collide f, g, h;\n"
                          "thread w { }");
  using Pair = std::array<int, 2>;
  EXPECT_EQ(s.collisions, (std::vector<Pair>{{1, 0}, {0, 1}, {0, 2}}));
}

TEST(ScenarioParse, ThreadAttributesInAnyOrder) {
  const Scenario s = good(
      "thread a on cpu 1 may_sleep { clone(b); }\n"
      "thread b cloned may_sleep on cpu 0 { clone(c); }\n"
      "thread c cloned { }");
  EXPECT_EQ(s.threads[0].cpu, 1);
  EXPECT_TRUE(s.threads[0].may_sleep);
  EXPECT_FALSE(s.threads[0].cloned);
  EXPECT_EQ(s.threads[1].cpu, 0);
  EXPECT_TRUE(s.threads[1].may_sleep && s.threads[1].cloned);
  EXPECT_FALSE(s.threads[2].cpu.has_value());
}

TEST(ScenarioParse, Scheduling) {
  EXPECT_FALSE(good("thread w { }").strict);
  EXPECT_FALSE(good("scheduling any; thread w { }").strict);
  const Scenario s =
      good("thread a priority 99 may_sleep { clone(b); } thread b cloned { } scheduling strict;");
  EXPECT_TRUE(s.strict);
  EXPECT_EQ(s.threads[0].priority, 99);
  EXPECT_EQ(s.threads[1].priority, 1);
}

TEST(ScenarioParse, OrderOfItemsIsFree) {
  const Scenario s = good("never w.r == f; thread w { int r = load(f); } word f = 0;");
  EXPECT_EQ(listing(s, s.conditions[0]), "w.r f ==");
}

TEST(ScenarioParse, RegistersCountersAndTemporaries) {
  const Thread t = good("thread w { int a = 0; int b = 1; repeat (2) { repeat (3) { } }\n"
                        "repeat (4) { a = a + 1; } }").threads[0];
  EXPECT_EQ(t.registers, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(t.counter_begin, 2);
  EXPECT_EQ(t.counter_end, 4);
  EXPECT_EQ(t.register_count, 5);
}

TEST(ScenarioParse, SameRegisterNameInTwoThreads) {
  const Scenario s = good("hash global; thread a { int r = 0; }\n"
                          "thread b { int q = 0; int r = 1; } finally a.r == b.r;");
  EXPECT_EQ(s.conditions[0].postfix[0].object, 0);
  EXPECT_EQ(s.conditions[0].postfix[0].value, 0);
  EXPECT_EQ(s.conditions[0].postfix[1].object, 1);
  EXPECT_EQ(s.conditions[0].postfix[1].value, 1);
}

TEST(ScenarioParse, Conditions) {
  const Scenario s = good(
      "word f = 0; thread w { int r = 0; }\n"
      "finally  f==1 /* why */ && ! (w.r < -EAGAIN);\n"
      "  never asleep(w) || finished(w);\n"
      "sometimes slots() * 2 - -f >= 0x10 ^ 1 | 2 & 3;");
  ASSERT_EQ(s.conditions.size(), 3u);
  EXPECT_EQ(s.conditions[0].kind, Condition::Kind::finally);
  EXPECT_EQ(s.conditions[0].text, "f == 1 && !(w.r < -EAGAIN)");
  EXPECT_EQ(listing(s, s.conditions[0]), "f 1 == w.r -11 < ! &&");
  EXPECT_EQ(s.conditions[1].kind, Condition::Kind::never);
  EXPECT_EQ(s.conditions[1].place, (Place{3, 3}));
  EXPECT_EQ(listing(s, s.conditions[1]), "asleep(w) finished(w) ||");
  EXPECT_EQ(s.conditions[2].kind, Condition::Kind::sometimes);
  EXPECT_EQ(listing(s, s.conditions[2]), "slots() 2 * f negate - 16 >= 1 ^ 2 3 & |");
}

TEST(ScenarioParse, NamedConstants) {
  const Scenario s = good("thread w { }\nfinally INT_MAX + EAGAIN + EWOULDBLOCK + ETIMEDOUT "
                          "+ EINTR + EINVAL + EFAULT + ENOMEM + EBUSY;");
  EXPECT_EQ(listing(s, s.conditions[0]),
            "2147483647 11 + 11 + 110 + 4 + 22 + 14 + 12 + 16 +");
}

TEST(ScenarioParse, LineEndsAndComments) {
  const Scenario s = good("/* a\r\n * b **/ thread w {\r\n  settle; // c\r\n\tsettle;\r\n}//");
  EXPECT_EQ(listing(s, s.threads[0]), "0: line 3\n1: settle\n2: line 4\n3: settle\n4: end\n");
}

TEST(ScenarioParse, WordsOfSettingsAreFreeAsNames) {
  const Scenario s = good("word signal = 0; word global = 0; thread on on cpu 0 { int cpu = 0; }");
  EXPECT_EQ(s.words[1].name, "global");
  EXPECT_EQ(s.threads[0].name, "on");
}

}  // namespace
}  // namespace futexmc::scenario
