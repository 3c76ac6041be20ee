// SPDX-License-Identifier: GPL-2.0-or-later
//
// What authors get wrong, and exactly what they are told: every message of the scenario compiler
// with its line and column. malformed_cases.hpp has the table.
#include "tests/scenario/malformed_cases.hpp"

#include <gtest/gtest.h>

#include "model/scenario/scenario.hpp"

namespace futexmc::scenario {
namespace {

std::string brief(const Result& result) {
  std::string text;
  for (const Diagnostic& d : result.diagnostics)
    text += std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " + d.message +
            "\n";
  return text;
}

class Malformed : public ::testing::TestWithParam<testing::MalformedCase> {};

TEST_P(Malformed, IsDiagnosedExactly) {
  const Result result = parse(GetParam().text, "bad.futex");
  EXPECT_FALSE(result.scenario.has_value());
  EXPECT_EQ(brief(result), std::string(GetParam().expected) + "\n") << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Syntax, Malformed, ::testing::ValuesIn(testing::kSyntaxCases));
INSTANTIATE_TEST_SUITE_P(Settings, Malformed, ::testing::ValuesIn(testing::kSettingCases));
INSTANTIATE_TEST_SUITE_P(Names, Malformed, ::testing::ValuesIn(testing::kNameCases));
INSTANTIATE_TEST_SUITE_P(Calls, Malformed, ::testing::ValuesIn(testing::kCallCases));
INSTANTIATE_TEST_SUITE_P(Threads, Malformed, ::testing::ValuesIn(testing::kThreadCases));
INSTANTIATE_TEST_SUITE_P(Conditions, Malformed, ::testing::ValuesIn(testing::kConditionCases));

TEST(Diagnostics, RenderShowsLineAndCaret) {
  const Result result =
      parse("hash global;\r\nthread w {\r\n\tint r = lod(f);\r\n}\r\n", "d/x.futex");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(render(result.diagnostics[0]),
            "d/x.futex:3:10: error: unknown function 'lod'; did you mean 'load'?\n"
            "\tint r = lod(f);\n"
            "\t        ^\n");
}

TEST(Diagnostics, RenderCountsBytesAndPlacesTheCaretByCharacters) {
  const Result result = parse("/* \xc3\xbc */ wrod f = 0;", "x");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(render(result.diagnostics[0]),
            "x:1:10: error: unknown declaration or setting 'wrod'; did you mean 'word'?\n"
            "/* \xc3\xbc */ wrod f = 0;\n"
            "        ^\n");
}

TEST(Diagnostics, RenderCutsLongLines) {
  const Result result = parse(std::string(500, ' ') + "x" + std::string(500, ' '), "x");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(render(result.diagnostics[0]),
            "x:1:501: error: unknown declaration or setting 'x'\n" + std::string(50, ' ') + "x" +
                std::string(49, ' ') + "\n" + std::string(50, ' ') + "^\n");
}

TEST(Diagnostics, SourceOrderAndSeveralAtOnce) {
  const Result result = parse("bogus;\nword f = 0\nvar 3;\nthread w { int r = 0; r = ; }\n"
                              "finally x == 1;\nthread v { }", "x");
  EXPECT_EQ(brief(result),
            "1:1: unknown declaration or setting 'bogus'\n"
            "3:1: expected ';' after 'word', found 'var'\n"
            "3:5: expected a name after 'var', found '3'\n"
            "4:27: expected an expression, found ';'\n");
}

}  // namespace
}  // namespace futexmc::scenario
