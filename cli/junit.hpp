// SPDX-License-Identifier: GPL-2.0-or-later
//
// JUnit's XML, which CI systems show as a table of tests: what Jenkins, GitLab and the like agree
// on, and nothing beyond.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace futexmc::cli {

struct JunitCase {
  enum class Outcome { passed, failed, error, skipped };
  std::string classname;  ///< dashboards make a tree of it, cut at the dots
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::passed;
  std::string type;     ///< of the failure or error, one word
  std::string message;  ///< what a table shows: one line
  std::string text;     ///< what is shown on a click
};

struct JunitSuite {
  std::string name;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
};

/// The document. `name`: of all suites together.
std::string to_junit(const std::string& name, const std::vector<JunitSuite>& suites);

/// Text as XML may have it: markup escaped; control characters other than line feed and tab, and
/// bytes that are not UTF-8, replaced by U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace futexmc::cli
