// SPDX-License-Identifier: GPL-2.0-or-later
//
// Printing and reading back is the identity on trees, and printing settles after one round.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/scenario/compile.hpp"
#include "model/scenario/listing.hpp"
#include "model/scenario/parser.hpp"
#include "model/scenario/print.hpp"
#include "model/scenario/scenario.hpp"
#include "tests/scenario/generate.hpp"

namespace futexmc::scenario {
namespace {

std::string whole_listing(const Scenario& scenario) {
  std::string text;
  for (const Thread& thread : scenario.threads) text += listing(scenario, thread);
  for (const Condition& condition : scenario.conditions)
    text += condition.text + " : " + listing(scenario, condition) + "\n";
  return text;
}

RC_GTEST_PROP(ScenarioRoundTrip, PrintedTreeReadsBackEqual, ()) {
  const ast::File tree = testing::draw_file();
  const std::string text = print(tree);
  Problems problems;
  const auto again = parse_source(text, problems);
  RC_LOG() << text;
  if (!problems.empty()) RC_LOG() << problems.list()[0].message;
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == tree);
  RC_ASSERT(print(*again) == text);
}

RC_GTEST_PROP(ScenarioRoundTrip, TreeAndTextCompileAlike, ()) {
  const ast::File tree = testing::draw_file();
  const std::string text = print(tree);
  RC_LOG() << text;
  Problems problems;
  const auto direct = compile(tree, "name", text, problems);
  const Result result = parse(text, "name.futex");
  if (!result) RC_LOG() << render(result.diagnostics[0]);
  RC_ASSERT(direct.has_value());
  RC_ASSERT(static_cast<bool>(result));
  RC_ASSERT(result.scenario->text == direct->text);
  RC_ASSERT(result.scenario->threads.size() == direct->threads.size());
  // Lines differ: a tree built by hand has no places.
  const auto strip = [](Scenario scenario) {
    for (Thread& thread : scenario.threads)
      for (Instruction& i : thread.code)
        if (i.op == Op::statement) i.value = 0;
    return whole_listing(scenario);
  };
  RC_ASSERT(strip(*result.scenario) == strip(*direct));
}

TEST(ScenarioPrint, CanonicalForm) {
  const std::string messy =
      "thread w/*!*/may_sleep{int a=((1+2))*3-(4-5);if(!(a==1)&&-(-a)<2){}else{if(a){settle;}}}\r\n"
      "never   (w.a|1)==0x10 ;var y=0x10;hash global;";
  const std::string canonical =
      "var y = 16;\n"
      "hash global;\n"
      "thread w may_sleep {\n"
      "  int a = (1 + 2) * 3 - (4 - 5);\n"
      "  if (!(a == 1) && -(-a) < 2) {\n"
      "  } else if (a) {\n"
      "    settle;\n"
      "  }\n"
      "}\n"
      "never (w.a | 1) == 16;\n";
  Problems problems;
  const auto tree = parse_source(messy, problems);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(print(*tree), canonical);
}

}  // namespace
}  // namespace futexmc::scenario
