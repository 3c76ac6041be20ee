// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/junit.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "cli/streams.hpp"

namespace futexmc::cli {
namespace {

using Outcome = JunitCase::Outcome;

constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// "" for a character that stands for itself.
std::string_view escaped(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";  // for "]]>", which may not stand in text
    case '"': return "&quot;";
    case '\n':
    case '\t': return "";
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F ? kReplacement : "";
}

/// Bytes of a character at the start of UTF-8 that is a control character (U+0080 to U+009F) or
/// none at all (U+FFFE, U+FFFF); 0 for any other.
std::size_t unprintable(std::string_view rest) {
  if (rest.size() >= 2 && rest[0] == '\xC2' && static_cast<unsigned char>(rest[1]) < 0xA0) return 2;
  return rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF") ? 3 : 0;
}

/// In an attribute a line feed as it is would be read as a blank.
std::string attribute(const char* name, std::string_view value) {
  std::string text;
  for (const char c : xml_text(value)) {
    if (c == '\n' || c == '\t') {
      text += fmt::format("&#{};", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return fmt::format(" {}=\"{}\"", name, text);
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

/// The element inside a test case that says how it ended; nothing for one that passed.
std::string verdict_element(const JunitCase& one) {
  const char* tag = "";
  switch (one.outcome) {
    case Outcome::passed: return "";
    case Outcome::failed: tag = "failure"; break;
    case Outcome::error: tag = "error"; break;
    case Outcome::skipped: tag = "skipped"; break;
  }
  std::string text = fmt::format("      <{}{}", tag, attribute("message", one.message));
  if (!one.type.empty()) text += attribute("type", one.type);
  if (one.text.empty()) return text + "/>\n";
  return text + fmt::format(">{}</{}>\n", xml_text(one.text), tag);
}

std::string case_element(const JunitCase& one) {
  const std::string head =
      "    <testcase" + attribute("classname", one.classname) + attribute("name", one.name) +
      attribute("time", seconds_text(one.seconds));
  const std::string verdict = verdict_element(one);
  return verdict.empty() ? head + "/>\n" : head + ">\n" + verdict + "    </testcase>\n";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;

  void add(const JunitSuite& suite) {
    const auto count = [&suite](Outcome outcome) {
      return static_cast<std::size_t>(
          std::count_if(suite.cases.begin(), suite.cases.end(),
                        [outcome](const JunitCase& one) { return one.outcome == outcome; }));
    };
    tests += suite.cases.size();
    failures += count(Outcome::failed);
    errors += count(Outcome::error);
    skipped += count(Outcome::skipped);
    for (const JunitCase& one : suite.cases) seconds += one.seconds;
  }
  std::string attributes() const {
    return fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\"", tests, failures,
                       errors, seconds_text(seconds));
  }
};

std::string suite_element(const JunitSuite& suite) {
  Counts counts;
  counts.add(suite);
  std::string text = "  <testsuite" + attribute("name", suite.name) + counts.attributes() +
                     fmt::format(" skipped=\"{}\">\n    <properties>\n", counts.skipped);
  for (const auto& [name, value] : suite.properties) {
    text += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
  }
  text += "    </properties>\n";
  for (const JunitCase& one : suite.cases) text += case_element(one);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  // The JSON library repairs UTF-8 as it writes.
  const std::string valid = Json::parse(dump(Json(text), -1)).get<std::string>();
  std::string xml;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (const std::size_t bytes = unprintable(std::string_view(valid).substr(i)); bytes > 0) {
      xml += kReplacement;
      i += bytes - 1;
    } else if (const std::string_view instead = escaped(valid[i]); !instead.empty()) {
      xml += instead;
    } else {
      xml += valid[i];
    }
  }
  return xml;
}

std::string to_junit(const std::string& name, const std::vector<JunitSuite>& suites) {
  Counts counts;
  for (const JunitSuite& suite : suites) counts.add(suite);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                     attribute("name", name) + counts.attributes() + ">\n";
  for (const JunitSuite& suite : suites) text += suite_element(suite);
  return text + "</testsuites>\n";
}

}  // namespace futexmc::cli
