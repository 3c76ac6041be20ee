// SPDX-License-Identifier: GPL-2.0-or-later
//
// Size, depth and garbage: every bound of the language ends in a diagnostic, never in a crash.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "model/scenario/limits.hpp"
#include "model/scenario/problems.hpp"
#include "model/scenario/print.hpp"
#include "model/scenario/scenario.hpp"
#include "tests/scenario/generate.hpp"

namespace futexmc::scenario {
namespace {

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::string in_thread(const std::string& body) { return "thread w { " + body + " }"; }

/// Message of the only diagnostic.
std::string message(const std::string& text) {
  const Result result = parse(text, "x");
  return result.diagnostics.size() == 1 ? result.diagnostics[0].message : "not one diagnostic";
}

const std::string kTooDeep = "nested more than 32 deep";

TEST(Robustness, NestingIsBounded) {
  const auto nested = [](std::string_view open, std::string_view inner, std::string_view close,
                         int times) {
    return in_thread(repeated(open, times) + std::string(inner) + repeated(close, times));
  };
  for (const int times : {40, 20'000}) {
    EXPECT_EQ(message(nested("if (1) { ", "", "}", times / 2 + 20)), kTooDeep);
    EXPECT_EQ(message(nested("while (1) {", "", "}", times)), kTooDeep);
    EXPECT_EQ(message(in_thread("int r = " + repeated("(", times) + "1")), kTooDeep);
    EXPECT_EQ(message(in_thread("int r = " + repeated("-", times) + "1;")), kTooDeep);
    EXPECT_EQ(message(in_thread("int r = " + repeated("f(", times) + "1;")), kTooDeep);
  }
  EXPECT_EQ(message(in_thread("if (1) { }" + repeated(" else if (1) { }", 9'000))), kTooDeep);
  EXPECT_TRUE(parse(nested("while (1) {", "", "}", kMaxDepth - 2), "x"));
  EXPECT_TRUE(parse(in_thread("int r = " + repeated("-", kMaxDepth - 2) + "1;"), "x"));
}

TEST(Robustness, ExpressionLengthIsBounded) {
  EXPECT_TRUE(parse(in_thread("int r = 1" + repeated(" + 1", kMaxTerms - 1) + ";"), "x"));
  EXPECT_EQ(message(in_thread("int r = 1" + repeated(" + 1", kMaxTerms) + ";")),
            "expression has more than 128 operands");
  EXPECT_TRUE(parse(in_thread("int r = 1" + repeated(" && 1", kMaxTerms - 1) + ";"), "x"));
}

TEST(Robustness, FileSizeIsBounded) {
  std::string text = "thread w { }";
  text.resize(kMaxSourceBytes, ' ');
  EXPECT_TRUE(parse(text, "x"));
  EXPECT_EQ(message(text + " "), "file is larger than 262144 bytes");
  EXPECT_EQ(message(std::string(64 << 20, '(')), "file is larger than 262144 bytes");
}

TEST(Robustness, LongBodiesCompile) {
  const Result result = parse(in_thread(repeated("settle; ", 30'000)), "x");
  ASSERT_TRUE(result);
  EXPECT_EQ(result.scenario->threads[0].code.size(), 60'001u);
}

TEST(Robustness, DiagnosticsAreBounded) {
  EXPECT_EQ(parse(repeated("# ", 1000), "x").diagnostics.size(), Problems::kMaxProblems);
  EXPECT_EQ(parse(repeated("word; ", 1000), "x").diagnostics.size(), Problems::kMaxProblems);
}

/// Whatever the text: a scenario or diagnostics, never both and never neither.
void check_any(const std::string& text) {
  const Result result = parse(text, "x");
  RC_ASSERT(result.scenario.has_value() == result.diagnostics.empty());
  RC_ASSERT(result.diagnostics.size() <= Problems::kMaxProblems);
  for (const Diagnostic& d : result.diagnostics) {
    RC_ASSERT(d.place.line >= 1 && d.place.column >= 1);
    RC_ASSERT(static_cast<std::size_t>(d.place.column) <= d.line.size() + 1);
    const std::string shown = render(d);
    RC_ASSERT(std::ranges::count(shown, '\n') == 3);
  }
}

RC_GTEST_PROP(Robustness, AnyBytes, (const std::string& text)) { check_any(text); }

RC_GTEST_PROP(Robustness, DamagedScenarios, ()) {
  std::string text = print(testing::draw_file());
  for (int n = *rc::gen::inRange(1, 5); n > 0; --n) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    if (*rc::gen::arbitrary<bool>())
      text.erase(at, *rc::gen::inRange<std::size_t>(1, 6));
    else
      text.insert(at, *rc::gen::element<std::string>("{", "}", "(", ")", ";", "-", "thread ", "\0",
                                                     "/*", "\"", "\xc3", "99999999999", "load("));
  }
  RC_LOG() << text;
  check_any(text);
}

}  // namespace
}  // namespace futexmc::scenario
