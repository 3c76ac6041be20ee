// SPDX-License-Identifier: GPL-2.0-or-later
//
// Litmus texts: what is read, what is refused and where, and that printing loses nothing.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include <fmt/format.h>

#include "properties/proofs/lkmm/litmus_events.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/proofs/litmus_cases.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {
namespace {

std::string diagnose(const std::string& text) {
  const Parsed parsed = parse(text);
  const auto* problem = std::get_if<Problem>(&parsed);
  if (!problem) return "read";
  return fmt::format("{}:{}: {}", problem->line, problem->column, problem->message);
}

std::string with_code(std::string_view code) {
  return fmt::format("C t\n{{}}\nP0(int *x, int *y, spinlock_t *l) {{\n{}\n}}\nexists (x=1)\n",
                     code);
}

TEST(LitmusMalformed, WholeTextsAreRefusedWithThePlace) {
  for (const MalformedCase& c : kWhole) {
    EXPECT_EQ(diagnose(std::string(c.text)), c.expected) << c.text;
  }
}

TEST(LitmusMalformed, CodeIsRefusedWithThePlace) {
  for (const MalformedCase& c : kCode) EXPECT_EQ(diagnose(with_code(c.text)), c.expected) << c.text;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(LitmusLimits, Depth) {
  const auto parens = [](std::size_t n) {
    return with_code("*x = " + repeated("(", n) + "1" + repeated(")", n) + ";");
  };
  EXPECT_EQ(diagnose(parens(10)), "read");
  EXPECT_EQ(diagnose(parens(100000 / 10)), "4:45: nested too deeply");
  EXPECT_EQ(diagnose(with_code("*x = 1" + repeated(" + 1", 100) + ";")),
            "4:168: nested too deeply");
  EXPECT_EQ(diagnose(with_code(repeated("if (1) ", 1000) + ";")), "4:278: nested too deeply");
  EXPECT_EQ(diagnose("C t\n{}\nP0(int *x) { }\nexists " + repeated("~", 1000) + "true"),
            "4:46: nested too deeply");
}

TEST(LitmusLimits, Size) {
  EXPECT_EQ(diagnose("C t\n" + std::string(kMaxSource, ' ')),
            "1:1: a test has at most 65536 bytes");
  EXPECT_EQ(diagnose(with_code(repeated("*x = 1; ", kMaxStatements))), "read");
  EXPECT_EQ(diagnose(with_code(repeated("*x = 1; ", kMaxStatements + 1))),
            "4:16001: too many statements");
  std::string threads;
  for (std::size_t t = 0; t <= kMaxThreads; ++t) threads += fmt::format("P{}(int *x) {{ }}\n", t);
  EXPECT_EQ(diagnose("C t\n{}\n" + threads + "exists (x=1)"), "19:1: too many threads");
}

TEST(LitmusText, EverythingThatIsRead) {
  const std::string text = R"(C all+of-it
"documentation is" (* not *)
)";
  EXPECT_EQ(diagnose(text + "{}"), "2:1: unexpected character '\"'");

  const std::string good = R"(C all+of-it

(* A comment (with parentheses) *)
{
  int x = 1; y = &x; p = x;
  atomic_t a = ATOMIC_INIT(-3);
  0:r9 = 4;
}

P0(int *x, int **y, atomic_t *a, spinlock_t *l, struct foo *s) // comment
{
  int r0 = READ_ONCE(*x); /* comment */
  int *r1;
  r1 = rcu_dereference(*y);
  if (r0 == 1 + 2 - 3 | 4 & 5 ^ 6) {
    *r1 = (r0 != 0) + *x;
  } else if (r0 >= -1)
    atomic_sub(r0, a);
  else {
    ;
  }
  r0 = cmpxchg_acquire(x, r0, 3);
  r9 = atomic_fetch_andnot_relaxed(1, a);
  spin_lock(l);
  smp_store_mb(*x, 1);
  spin_unlock(l);
}

locations [x; 0:r0]
filter (not (0:r0=7))
~exists (0:r0=1 /\ (x!=2 \/ ~[y]=x) /\ true \/ false)
)";
  const Parsed parsed = parse(good);
  ASSERT_TRUE(std::holds_alternative<Program>(parsed)) << diagnose(good);
  const auto& program = std::get<Program>(parsed);
  EXPECT_EQ(program.quantifier, Quantifier::not_exists);
  EXPECT_EQ(program.initials.size(), 5U);
  const std::string printed = print(program);
  EXPECT_EQ(diagnose(printed), "read") << printed;
  EXPECT_EQ(std::get<Program>(parse(printed)), program) << printed;
}

TEST(LitmusText, PrintedGeneratedTestsAreReadBack) {
  for (unsigned number = 0; number < kGenerated; ++number) {
    const Program program = generate(number);
    const Parsed again = parse(print(program));
    ASSERT_TRUE(std::holds_alternative<Program>(again)) << diagnose(print(program));
    EXPECT_EQ(std::get<Program>(again), program) << print(program);
  }
}

TEST(LitmusText, EveryFunctionIsFoundByItsSpelling) {
  for (const Function& f : functions()) {
    for (const Order order : {f.order, Order::once, Order::acquire, Order::release}) {
      if (!f.orderings && order != f.order) continue;
      const Call call{&f, order};
      EXPECT_EQ(find_call(spell(call)), call) << spell(call);
    }
  }
  EXPECT_FALSE(find_call("atomic_inc_relaxed"));
}

std::string observe(const std::string& body, const std::string& question) {
  const Parsed parsed =
      parse("C t\n{ x = 5; }\nP0(int *x, int *y) {\nint r0; int r1;\n" + body + "\n}\n" + question);
  if (!std::holds_alternative<Program>(parsed)) return "refused";
  return std::string(spell(run(std::get<Program>(parsed)).observation));
}

// One thread computes: values, branches, joins.
TEST(LitmusRun, Values) {
  EXPECT_EQ(observe("r0 = READ_ONCE(*x);", "forall (0:r0=5 /\\ y=0)"), "Always");
  EXPECT_EQ(observe("r0 = atomic_sub_return(7, x);", "exists (0:r0=-2 /\\ x=-2)"), "Always");
  EXPECT_EQ(observe("r0 = atomic_fetch_and(6, x);", "exists (0:r0=5 /\\ x=4)"), "Always");
  EXPECT_EQ(observe("r0 = atomic_add_negative(-6, x);", "exists (0:r0=1 /\\ x=-1)"), "Always");
  EXPECT_EQ(observe("r0 = atomic_sub_and_test(5, x);", "exists (0:r0=1 /\\ x=0)"), "Always");
  EXPECT_EQ(observe("r0 = atomic_add_unless(x, 1, 5);", "exists (0:r0=0 /\\ x=5)"), "Always");
  EXPECT_EQ(observe("r0 = cmpxchg(x, 5, 6); r1 = cmpxchg(x, 5, 7);",
                    "exists (0:r0=5 /\\ 0:r1=6 /\\ x=6)"), "Always");
  EXPECT_EQ(observe("r0 = *x; if (r0 < 5) r1 = 1; else { r1 = 2; *y = 3; }",
                    "exists (0:r1=2 /\\ y=3)"), "Always");
  EXPECT_EQ(observe("r0 = *x; if (r0 == 5) { r1 = 1; } r0 = r1 ^ 3;", "exists (0:r0=2)"),
            "Always");
  EXPECT_EQ(observe("*y = x;", "exists (y=x)"), "Always");
  EXPECT_EQ(observe("r0 = *x;", "filter (0:r0=4) exists (true)"), "Never");
}

}  // namespace
}  // namespace futexmc::proofs::lkmm::litmus::testing
