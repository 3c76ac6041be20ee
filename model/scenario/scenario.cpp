// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/scenario.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/scenario/compile.hpp"
#include "model/scenario/encoding.hpp"
#include "model/scenario/parser.hpp"

namespace futexmc::scenario {
namespace {

constexpr std::size_t kWindow = 100;

std::string base_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  const std::size_t dot = path.rfind('.');
  return std::string(dot == 0 ? path : path.substr(0, dot));
}

std::string source_line(std::string_view text, int line) {
  std::size_t begin = 0;
  while (--line > 0) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return "";
    begin = end + 1;
  }
  std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return printable(found);
}

std::vector<Diagnostic> diagnose(const Problems& problems, std::string_view text,
                                 const std::string& file) {
  std::vector<Diagnostic> list;
  for (const Problem& problem : problems.list())
    list.push_back({file, problem.at, problem.message, source_line(text, problem.at.line)});
  std::ranges::stable_sort(list, {}, [](const Diagnostic& d) {
    return std::tuple(d.place.line, d.place.column);
  });
  return list;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Cuts a long line to a window around `column` (from 0), which moves along.
std::string window(const std::string& line, std::size_t& column) {
  if (line.size() <= kWindow) return line;
  std::size_t begin = column < kWindow / 2 ? 0 : column - kWindow / 2;
  while (begin > 0 && continues_character(line[begin])) --begin;
  std::size_t end = std::min(line.size(), begin + kWindow);
  while (end < line.size() && continues_character(line[end])) ++end;
  column -= begin;
  return line.substr(begin, end - begin);
}

}  // namespace

Result parse(std::string_view text, const std::string& name) {
  Result result;
  Problems problems;
  if (const auto tree = parse_source(text, problems))
    result.scenario = compile(*tree, base_name(name), std::string(text), problems);
  result.diagnostics = diagnose(problems, text, name);
  return result;
}

std::string render(const Diagnostic& d) {
  std::size_t column = static_cast<std::size_t>(std::max(d.place.column, 1)) - 1;
  column = std::min(column, d.line.size());
  const std::string shown = window(d.line, column);
  std::string caret;
  for (const char c : shown.substr(0, column))
    if (!continues_character(c)) caret += c == '\t' ? '\t' : ' ';  // tabs keep the caret in line
  return d.file + ":" + std::to_string(d.place.line) + ":" + std::to_string(d.place.column) +
         ": error: " + d.message + "\n" + shown + "\n" + caret + "^\n";
}

}  // namespace futexmc::scenario
