// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/matrix_cells.hpp"
#include "cli/units.hpp"

namespace futexmc::cli {
namespace {

using properties::Verdict;

/// A line of a table; the last two columns, numbers, stand to the right.
using Line = std::vector<std::string>;

std::string word(const Cell& cell) {
  switch (cell.verdict) {
    case Verdict::holds: return cell.vacuous ? "-" : "holds";
    case Verdict::violated:
      if (cell.own) return "VIOLATED+";
      return cell.shared_with_base ? "VIOLATED*" : "VIOLATED";
    case Verdict::inconclusive: return "?";
  }
  return "?";
}

/// "lost-wakeup" takes two lines of the heading, and so does a word longer than all that stand
/// below it: columns must be narrow.
std::array<Line, 2> heading(const std::vector<MatrixRow>& rows) {
  std::array<Line, 2> lines = {Line{""}, Line{"row"}};
  for (std::size_t i = 0; i < rows.front().cells.size(); ++i) {
    const Cell& cell = rows.front().cells[i];
    std::size_t below = 0;
    for (const MatrixRow& row : rows) below = std::max(below, word(row.cells[i]).size());
    const std::size_t dash = cell.property.find('-');
    const std::size_t size = cell.property.size();
    const bool halved = dash == std::string::npos && size > below && size > 5;
    const std::size_t cut = halved ? (size + 1) / 2 : dash + 1;  // npos + 1 is 0
    lines[0].push_back(cell.property.substr(0, cut) + (halved ? "-" : ""));
    lines[1].push_back(cell.property.substr(cut));
  }
  lines[0].insert(lines[0].end(), {"", ""});
  lines[1].insert(lines[1].end(), {"states", "time"});
  return lines;
}

std::string layout(const std::vector<Line>& lines, std::size_t right) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i != 0) row += " ";
      row += i + right >= line.size() ? fmt::format("{:>{}}", line[i], widths[i])
                                      : fmt::format("{:<{}}", line[i], widths[i]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

/// "8 proved, 3 refuted": of the theorems that say something about the row.
std::string proofs_of(const MatrixRow& row) {
  using properties::proofs::Answer;
  std::string text;
  for (const Answer answer : {Answer::proved, Answer::refuted, Answer::unknown}) {
    const auto count = std::count_if(row.claims.begin(), row.claims.end(),
                                     [&](const auto& claim) { return claim.answer == answer; });
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(answer));
  }
  return text;
}

std::string grid(const std::vector<MatrixRow>& rows) {
  std::vector<Line> lines;
  for (Line& line : heading(rows)) lines.push_back(std::move(line));
  const bool proofs = std::any_of(rows.begin(), rows.end(),
                                  [](const MatrixRow& row) { return !row.claims.empty(); });
  if (proofs) {
    lines[0].insert(lines[0].end() - 2, "");
    lines[1].insert(lines[1].end() - 2, "theorems");
  }
  for (const MatrixRow& row : rows) {
    Line line = {row.row.name};
    for (const Cell& cell : row.cells) line.push_back(word(cell));
    if (proofs) line.push_back(proofs_of(row));
    line.push_back(short_count(static_cast<double>(row.states)));
    line.push_back(short_seconds(row.seconds));
    lines.push_back(std::move(line));
  }
  return layout(lines, 2);
}

/// In how many searches of all rows a property was left out.
std::string left_out(const std::vector<MatrixRow>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.front().cells.size(); ++i) {
    std::size_t skipped = 0;
    std::size_t all = 0;
    for (const MatrixRow& row : rows) {
      skipped += row.cells[i].skipped;
      all += row.checked;
    }
    if (skipped == 0) continue;
    text += fmt::format("{}: not looked at in {} of {} searches (see --property in check --help)\n",
                        rows.front().cells[i].property, skipped, all);
  }
  return text;
}

/// ", but not in this scenario" is known of the base kernel only.
std::string shared_text(const MatrixRow& row, const Cell& cell) {
  if (!cell.shared_with_base) return "";
  const bool elsewhere = cell.own && row.base == kBaseKernel;
  return fmt::format("; {} violates it too{}", row.base, elsewhere ? ", but not here" : "");
}

std::string violated_line(const MatrixRow& row, const Cell& cell) {
  return fmt::format("{}: {} in {} ({} states, {}); trace: {}{}\n    {}\n", row.row.name,
                     cell.property, cell.scenario, cell.states, short_seconds(cell.seconds),
                     cell.trace.empty() ? "-" : cell.trace,
                     shared_text(row, cell), cell.message);
}

}  // namespace

std::string matrix_text(const std::vector<MatrixRow>& rows, checker::Memory memory) {
  std::string violated;
  std::string unknown;
  bool shared = false;
  bool own = false;
  for (const MatrixRow& row : rows) {
    std::string why;  // the same for each property of a row
    for (const Cell& cell : row.cells) {
      shared |= cell.shared_with_base && !cell.own;
      own |= cell.own;
      if (cell.verdict == Verdict::violated) violated += violated_line(row, cell);
      if (cell.verdict == Verdict::inconclusive) {
        why = fmt::format("{}: inconclusive in {}: {}\n", row.row.name,
                          cell.scenario.empty() ? "a scenario" : cell.scenario, cell.message);
      }
    }
    unknown += why;
  }
  std::string text = memory == checker::Memory::tso ? "with store buffers (--memory tso)\n" : "";
  text += grid(rows);
  if (shared) text += "* so does the base: the kernel that a patch is on, v7.3 for a kernel\n";
  if (own) text += "+ so does the base, and the patch on v7.3 does where v7.3 does not\n";
  for (const MatrixRow& row : rows) {
    if (row.skipped == 0) continue;
    text += fmt::format("{}: {} scenarios not checked, because they use what it has not\n",
                        row.row.name, row.skipped);
  }
  text += left_out(rows);
  if (!violated.empty()) text += "\n" + violated;
  if (!unknown.empty()) text += "\n" + unknown;
  return text;
}

}  // namespace futexmc::cli
