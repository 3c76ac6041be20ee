// SPDX-License-Identifier: GPL-2.0-or-later
//
// Texts that are no traces: each gets its place and its complaint.
#include "checker/trace.hpp"

#include <functional>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/traces/programs.hpp"

namespace futexmc::checker {
namespace {

using Json = nlohmann::ordered_json;
using traces::schedule;

Trace example() {
  traces::OneBucket late(1, 1, traces::OneBucket::Count::late);
  return make_trace(late, schedule({{0, 2}, {1, 2}, {0, 6}}), "deadlock", "waiter0 sleeps");
}

TraceError error_of(const std::string& text) {
  const auto read = read_trace(text);
  const auto* const error = std::get_if<TraceError>(&read);
  if (error == nullptr) return {"no error", 0, 0, "nowhere"};
  return *error;
}

/// A text that is not JSON, or not ours at all.
struct Text {
  const char* name;
  std::string text;
  std::string place;
  std::string message;
};
void PrintTo(const Text& text, std::ostream* out) { *out << text.name; }

class BrokenText : public testing::TestWithParam<Text> {};
TEST_P(BrokenText, IsAnErrorWithAPlace) {
  const TraceError error = error_of(GetParam().text);
  EXPECT_EQ(error.place(), GetParam().place);
  EXPECT_EQ(error.message, GetParam().message);
}

std::string nested(std::size_t depth) {
  return "{\"subject\":\n" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BrokenText,
    testing::Values(
        Text{"empty", "", "line 1, column 1",
             "syntax error while parsing value - unexpected end of input; expected '[', '{', or a "
             "literal"},
        Text{"not_json", "deadlock: waiter sleeps", "line 1, column 1",
             "syntax error while parsing value - invalid literal"},
        Text{"truncated_in_a_key", "{\n  \"form", "line 2, column 8",
             "syntax error while parsing object key - invalid string: missing closing quote; "
             "expected string literal"},
        Text{"truncated_after_a_member", "{\n  \"format\": \"futexmc-trace\",\n",
             "line 3, column 1",
             "syntax error while parsing object key - unexpected end of input; expected string "
             "literal"},
        Text{"truncated_in_the_steps", "{\"steps\": [\n{\"agent\":\"a\"}", "line 2, column 14",
             "syntax error while parsing array - unexpected end of input; expected ']'"},
        Text{"two_documents", "{}\n{}", "line 2, column 1",
             "syntax error while parsing value - unexpected '{'; expected end of input"},
        Text{"not_utf8", "{\"\xff\": 1}", "line 1, column 3",
             "syntax error while parsing object key - invalid string: ill-formed UTF-8 byte; "
             "expected string literal"},
        Text{"huge_number", "{\"version\": 1e999}", "$",
             "[json.exception.out_of_range.406] number overflow parsing '1e999'"},
        Text{"deep", nested(40), "line 2, column 32", "nested too deeply"},
        Text{"null", "null", "$", "must be an object, is null"},
        Text{"an_array", "[1, 2]", "$", "must be an object, is an array"},
        Text{"foreign", "{\"name\": \"futexmc\", \"version\": \"1.0\"}", "$",
             "\"format\" is missing"},
        Text{"foreign_format", "{\"format\": \"spin-trail\", \"version\": 1}", "$.format",
             "is not a futexmc trace"},
        Text{"later_version", "{\"format\": \"futexmc-trace\", \"version\": 2, \"new\": 0}",
             "$.version", "version 2 is not supported, only 1"},
        Text{"version_as_text", "{\"format\": \"futexmc-trace\", \"version\": \"1\"}",
             "$.version", "must be a whole number, is a string"},
        Text{"twice", "{\"format\": \"futexmc-trace\", \"format\": \"futexmc-trace\"}", "$",
             "\"format\" occurs twice in one object"},
        Text{"control", "{\"format\": \"futexmc-trace\", \"message\": \"\\u001b[2J\"}", "$",
             "a string has a control character"},
        Text{"control_c1", "{\"\\u009b\": \"futexmc-trace\"}", "$",
             "a string has a control character"}),
    [](const auto& test) { return std::string(test.param.name); });

// No parameters: each test of the program would make them again.
TEST(BigText, IsAnErrorWithAPlace) {
  const TraceError endless = error_of(std::string(1 << 20, '['));
  EXPECT_EQ(endless.place(), "line 1, column 33");
  EXPECT_EQ(endless.message, "nested too deeply");
  const TraceError large = error_of(std::string(kMaxTraceBytes + 1, ' '));
  EXPECT_EQ(large.place(), "$");
  EXPECT_EQ(large.message, "the file is too large");
}

/// A trace in which one thing was changed; `sealed`, its digest was adapted.
struct Edit {
  const char* name;
  bool sealed;
  std::function<void(Json&)> change;
  std::string place;
  std::string message;
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

class EditedTrace : public testing::TestWithParam<Edit> {};
TEST_P(EditedTrace, IsAnErrorWithAPlace) {
  Json json = Json::parse(write_trace(example()));
  GetParam().change(json);
  if (GetParam().sealed) json["digest"] = trace_digest(json);
  const TraceError error = error_of(json.dump());
  EXPECT_EQ(error.place(), GetParam().place);
  EXPECT_EQ(error.message, GetParam().message);
}

const std::string kEdited = "does not match the content: the file was edited or damaged";

INSTANTIATE_TEST_SUITE_P(
    Edits, EditedTrace,
    testing::Values(
        Edit{"step", false, [](Json& j) { j["steps"][3]["operation"] = "spin_unlock"; },
             "$.digest", kEdited},
        Edit{"steps_swapped", false, [](Json& j) { std::swap(j["steps"][1], j["steps"][2]); },
             "$.digest", kEdited},
        Edit{"subject", false, [](Json& j) { j["subject"]["kernel"] = "v6.12"; }, "$.digest",
             kEdited},
        Edit{"digest", false, [](Json& j) { j["digest"] = std::string(32, '0'); }, "$.digest",
             kEdited},
        Edit{"digest_missing", false, [](Json& j) { j.erase("digest"); }, "$",
             "\"digest\" is missing"},
        Edit{"digest_of_another_kind", false, [](Json& j) { j["digest"] = "md5"; }, "$.digest",
             "must be 32 hexadecimal digits in lower case"},
        Edit{"steps_missing", true, [](Json& j) { j.erase("steps"); }, "$",
             "\"steps\" is missing"},
        Edit{"steps_no_array", true, [](Json& j) { j["steps"] = 12; }, "$.steps",
             "must be an array, is a number"},
        Edit{"step_no_object", true, [](Json& j) { j["steps"][2] = "spin_lock"; }, "$.steps[2]",
             "must be an object, is a string"},
        Edit{"agent_missing", true, [](Json& j) { j["steps"][2].erase("agent"); }, "$.steps[2]",
             "\"agent\" is missing"},
        Edit{"agent_a_number", true, [](Json& j) { j["steps"][0]["agent"] = 0; },
             "$.steps[0].agent", "must be a string, is a number"},
        Edit{"agent_empty", true, [](Json& j) { j["steps"][0]["agent"] = ""; },
             "$.steps[0].agent", "must not be empty"},
        Edit{"agent_not_enabled", true, [](Json& j) { j["steps"][1]["agent"] = "waiter7"; },
             "$.steps[1].enabled", "does not name the agent of the step"},
        Edit{"object_too_long", true,
             [](Json& j) { j["steps"][1]["object"] = std::string(kMaxTraceText + 1, 'x'); },
             "$.steps[1].object", "is too long"},
        Edit{"alternative_huge", true,
             [](Json& j) { j["steps"][1]["alternative"] = 18'446'744'073'709'551'615U; },
             "$.steps[1].alternative", "18446744073709551615 is more than 255"},
        Edit{"alternative_negative", true, [](Json& j) { j["steps"][1]["alternative"] = -1; },
             "$.steps[1].alternative", "must be a whole number, is a negative number"},
        Edit{"enabled_of_numbers", true, [](Json& j) { j["steps"][0]["enabled"] = {"waiter0", 1}; },
             "$.steps[0].enabled[1]", "must be a string, is a number"},
        Edit{"enabled_too_many", true,
             [](Json& j) { j["steps"][0]["enabled"] = std::vector<std::string>(33, "waiter0"); },
             "$.steps[0].enabled", "has too many agents"},
        Edit{"state_in_capitals", true,
             [](Json& j) { j["steps"][9]["state"] = std::string(32, 'A'); }, "$.steps[9].state",
             "must be 32 hexadecimal digits in lower case"},
        Edit{"unknown_field", true, [](Json& j) { j["comment"] = "mine"; }, "$",
             "unknown field \"comment\""},
        Edit{"unknown_field_of_a_step", true, [](Json& j) { j["steps"][4]["note"] = ""; },
             "$.steps[4]", "unknown field \"note\""},
        Edit{"subject_a_list", true, [](Json& j) { j["subject"] = Json::array(); }, "$.subject",
             "must be an object, is an array"},
        Edit{"minimal_a_bool", true, [](Json& j) { j["minimal"] = true; }, "$.minimal",
             "must be a string, is a boolean"},
        Edit{"minimal_else", true, [](Json& j) { j["minimal"] = "perhaps"; }, "$.minimal",
             "must be \"proved\", \"reduced\" or \"no\""},
        Edit{"cost_of_fractions", true, [](Json& j) { j["cost"]["switches"] = 1.5; },
             "$.cost.switches", "must be a whole number, is a number"},
        Edit{"cost_of_many_threads", true, [](Json& j) { j["cost"]["threads"] = 13; },
             "$.cost.threads", "13 is more than 12"},
        Edit{"cost_does_not_add_up", true, [](Json& j) { j["steps"].erase(9); }, "$.cost",
             "events and operations do not add up to the number of steps"}),
    [](const auto& test) { return std::string(test.param.name); });

/// Whatever is cut off at the end, there is an error and it has a place.
TEST(TruncatedTrace, IsAnErrorAtEveryLength) {
  const std::string text = write_trace(example());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const TraceError error = error_of(text.substr(0, length));
    EXPECT_GT(error.line, 0U) << length;
    EXPECT_GT(error.column, 0U) << length;
  }
}

/// Whatever byte is changed, the text is refused, or reads the same (white space).
TEST(DamagedTrace, IsNeverReadAsAnotherTrace) {
  const Trace trace = example();
  const std::string text = write_trace(trace);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = damaged[at] == ' ' ? '\t' : ' ';
    const auto read = read_trace(damaged);
    if (std::holds_alternative<TraceError>(read)) continue;
    EXPECT_EQ(std::get<Trace>(read), trace) << at;
  }
}

}  // namespace
}  // namespace futexmc::checker
