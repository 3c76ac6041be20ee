// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/diagram.hpp"

#include <algorithm>
#include <limits>

namespace futexmc::checker {
namespace {

constexpr std::size_t kCallIndent = 2;
constexpr std::size_t kHanging = 4;  // the rest of a broken line
constexpr std::size_t kGap = 2;      // between columns

std::string full_text(const DiagramRow& row) {
  return row.mark.empty() ? row.text : row.text + "  " + row.mark;
}

std::size_t indent_of(const DiagramRow& row, std::size_t width) {
  return std::min(row.depth * kCallIndent, width / 3);
}

/// Where a new line is to begin if the text is broken at that space: before an operator, not after.
std::size_t before_operator(std::string_view text, std::size_t space) {
  const std::size_t word = text.substr(0, space).rfind(' ');
  if (word == std::string_view::npos || word == 0) return space;
  const std::string_view last = text.substr(word + 1, space - word - 1);
  return last == "=" || last == "==" || last == "->" ? word : space;
}

/// Where to break text that does not fit: where two spaces are, then at a space, then behind an
/// opening bracket or a comma, then where a member begins; anywhere only if nothing else is left.
std::size_t break_at(std::string_view text, std::size_t width) {
  const std::string_view head = text.substr(0, width + 1);
  const std::size_t wide = head.rfind("  ");
  if (wide != std::string_view::npos && wide > 0) return wide;
  const std::size_t space = head.rfind(' ');
  if (space != std::string_view::npos && space > 0) return before_operator(text, space);
  const std::size_t bracket = head.substr(0, width).find_last_of("(,");
  if (bracket != std::string_view::npos && bracket > 0) return bracket + 1;
  const std::size_t member = head.find_last_of(".[");
  if (member != std::string_view::npos && member > 0) return member;
  return width;
}

/// What it costs to read the column at that width: lines, and a name broken is worse than two more.
std::size_t cost(const std::vector<DiagramRow>& rows, std::size_t column, std::size_t width) {
  std::size_t cost = 0;
  for (const DiagramRow& row : rows) {
    if (row.column != column) continue;
    for (const std::string& line : wrap(full_text(row), width - indent_of(row, width), kHanging)) {
      const std::size_t begin = line.find_first_not_of(' ');
      const bool broken = begin != std::string::npos && (line[begin] == '.' || line[begin] == '[');
      cost += broken ? 4 : 1;
    }
  }
  return cost;
}

/// Widths for columns that share `width`: as wide as their rows, or so that they read best.
std::vector<std::size_t> share(std::vector<std::size_t> wanted, const std::vector<DiagramRow>& rows,
                               std::size_t width) {
  if (wanted.size() == 1) return {std::min(wanted[0], width)};
  const std::size_t available = width - kGap;
  if (wanted[0] + wanted[1] <= available) return wanted;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (std::size_t left = available / 3; left <= available - available / 3; ++left) {
    const std::size_t total = cost(rows, 0, left) + cost(rows, 1, available - left);
    if (total >= least) continue;
    least = total;
    wanted = {left, available - left};
  }
  return wanted;
}

class Canvas {
 public:
  /// Writes `row` at `start`, over as many lines as it takes within `width`; `name` goes before it.
  void put(const DiagramRow& row, std::size_t start, std::size_t width,
           const std::string& name = {}) {
    const std::size_t indent = indent_of(row, width);
    std::string prefix = name;
    for (const std::string& part : wrap(full_text(row), width - indent, kHanging)) {
      prefix.resize(start, ' ');
      prefix.append(indent, ' ');
      line(prefix.append(part));
      prefix.clear();
    }
  }
  void line(const std::string& text) {
    text_ += text;
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string draw_columns(const std::vector<std::string>& columns,
                         const std::vector<DiagramRow>& rows, std::size_t width,
                         const std::vector<std::size_t>& widths) {
  std::vector<std::size_t> starts(1, 0);
  for (const std::size_t w : widths) starts.push_back(starts.back() + w + kGap);
  Canvas canvas;
  std::string header;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    header.resize(starts[i], ' ');
    header += columns[i].substr(0, widths[i]);
  }
  canvas.line(header);
  for (const DiagramRow& row : rows) {
    if (row.column == kAcross) {
      canvas.put(row, 0, width);
    } else {
      canvas.put(row, starts[row.column], widths[row.column]);
    }
  }
  return canvas.text();
}

/// One below the other, each turn of a thread beginning with its name.
std::string draw_sequence(const std::vector<std::string>& columns,
                          const std::vector<DiagramRow>& rows, std::size_t width) {
  std::size_t longest = 0;
  for (const std::string& name : columns) longest = std::max(longest, name.size());
  longest = std::min(longest, width / 4);
  const std::size_t start = longest + 3;
  Canvas canvas;
  std::size_t speaker = kAcross;
  for (const DiagramRow& row : rows) {
    if (row.column == kAcross) {
      canvas.put(row, 0, width);
    } else {
      const std::string name = "[" + columns[row.column].substr(0, longest) + "]";
      canvas.put(row, start, width - start, row.column == speaker ? "" : name);
    }
    speaker = row.column;
  }
  return canvas.text();
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t hanging) {
  std::vector<std::string> lines;
  std::size_t indent = 0;
  while (text.size() > width - indent) {
    const std::size_t at = break_at(text, width - indent);
    lines.push_back(std::string(indent, ' ') + std::string(text.substr(0, at)));
    text.remove_prefix(at);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    indent = std::min(hanging, width / 3);
  }
  if (!text.empty() || lines.empty()) lines.push_back(std::string(indent, ' ') + std::string(text));
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

std::string draw(const std::vector<std::string>& columns, const std::vector<DiagramRow>& rows,
                 std::size_t width) {
  if (columns.empty() || columns.size() > kMaxColumns) return draw_sequence(columns, rows, width);
  std::vector<std::size_t> wanted;
  wanted.reserve(columns.size());
  for (const std::string& name : columns) wanted.push_back(name.size());
  for (const DiagramRow& row : rows) {
    if (row.column == kAcross) continue;
    std::size_t& w = wanted[row.column];
    w = std::max(w, indent_of(row, width) + full_text(row).size());
  }
  const std::vector<std::size_t> widths = share(wanted, rows, width);
  return draw_columns(columns, rows, width, widths);
}

}  // namespace futexmc::checker
