// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "properties/compare/lines.hpp"

namespace futexmc::properties {
namespace {

const LineReport* find(const LinesReport& report, const std::string& line) {
  for (const LineReport& one : report.lines) {
    if (one.line == line) return &one;
  }
  return nullptr;
}

/// What the same access pays in another report, for each operation.
double paid(const LinesReport& report, const std::string& line, const Touch& touch) {
  const LineReport* const found = find(report, line);
  if (found == nullptr) return 0;
  for (const Touch& one : found->touches) {
    if (one.member == touch.member && one.function == touch.function &&
        one.operation == touch.operation) {
      return static_cast<double>(one.transfers()) / static_cast<double>(report.operations);
    }
  }
  return 0;
}

/// The accesses that pay in `report` and not in `other`.
std::vector<std::string> only_in(const LinesReport& report, const LinesReport& other,
                                 const char* how) {
  constexpr double kMuch = 0.25;
  constexpr double kLittle = 0.05;
  std::vector<std::string> texts;
  for (const LineReport& line : report.lines) {
    if (find(other, line.line) == nullptr) {
      texts.push_back(fmt::format("the line \"{}\" {} moves between processors", line.line, how));
      continue;
    }
    for (const Touch& touch : line.touches) {
      if (paid(report, line.line, touch) < kMuch) continue;
      if (paid(other, line.line, touch) > kLittle) continue;
      const char* const verb = touch.write ? "takes" : "fetches";
      texts.push_back(fmt::format("{}() {} {} the line \"{}\" for its {} of {}", touch.function,
                                  how, verb, line.line, touch.operation, touch.member));
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> line_sentences(const LinesReport& before, const LinesReport& after) {
  std::vector<std::string> texts = only_in(before, after, "no longer");
  for (std::string& text : only_in(after, before, "now")) texts.push_back(std::move(text));
  return texts;
}

}  // namespace futexmc::properties
