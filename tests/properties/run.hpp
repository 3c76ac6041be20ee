// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tests of properties share: scenarios by name or from text, variants, and a search of both.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "checker/livelock.hpp"
#include "checker/search.hpp"
#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"
#include "properties/futex_program.hpp"

namespace futexmc::testing {

/// Throws what is wrong with the text: a test's own scenario is never malformed on purpose.
inline scenario::Scenario parse(std::string_view text, const std::string& name) {
  scenario::Result result = scenario::parse(text, name);
  if (!result) throw std::runtime_error(scenario::render(result.diagnostics.front()));
  return std::move(*result.scenario);
}

/// The scenario of that name among the project's own.
inline scenario::Scenario load(const std::string& name) {
  const std::string path = std::string(FUTEXMC_SCENARIO_DIR) + "/" + name + ".futex";
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return parse(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

/// Every scenario of the project, sorted.
inline std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FUTEXMC_SCENARIO_DIR)) {
    if (entry.path().extension() == ".futex") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline model::Variant v7_3() { return model::make_variant("v7.3", {}, {}); }
inline model::Variant with_patch(const std::string& patch) {
  return model::make_variant("v7.3", {patch}, {});
}
inline model::Variant with_knockout(const std::string& knockout) {
  return model::make_variant("v7.3", {}, {knockout});
}

/// Not redundant, and seen with memory that is sequentially consistent.
inline bool is_caught(const model::KnockoutInfo& info) {
  return info.why.empty() && info.engine == model::Engine::sc;
}

inline checker::Result search(const scenario::Scenario& scenario, const model::Variant& variant,
                              const checker::Options& options = {}) {
  properties::FutexProgram program(scenario, variant);
  return checker::depth_first(program, options);
}

/// The search that looks for `property`, which takes one of its own for races and for livelocks.
inline checker::Result search_for(const std::string& property, const scenario::Scenario& scenario,
                                  const model::Variant& variant) {
  properties::FutexProgram program(scenario, variant);
  if (property == "race") program.look_for_races();
  checker::Result result = checker::depth_first(program, {});
  if (property == checker::kProgress) {
    for (checker::Livelock& livelock : checker::find_livelocks(program, {}).found) {
      result.findings.push_back({property, std::move(livelock.message), std::move(livelock.path)});
    }
  }
  return result;
}

/// The properties that a search found violated.
inline std::set<std::string> violated(const checker::Result& result) {
  std::set<std::string> all;
  for (const checker::Finding& finding : result.findings) all.insert(finding.property);
  return all;
}

/// "lifetime: use of a freed object", one a line, for messages.
inline std::string describe(const checker::Result& result) {
  std::string text;
  for (const checker::Finding& finding : result.findings) {
    text += finding.property + ": " + finding.message + "\n";
  }
  return text;
}

/// Complete, and nothing found.
inline ::testing::AssertionResult holds(const checker::Result& result) {
  if (result.complete() && result.findings.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << (result.complete() ? "" : "cut by a limit\n") << describe(result);
}

/// A name as a part of a test's name, which may not have dashes.
inline std::string test_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

/// For INSTANTIATE_TEST_SUITE_P over names.
inline std::string named(const ::testing::TestParamInfo<std::string>& info) {
  return test_name(info.param);
}

}  // namespace futexmc::testing
