// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/diagram.hpp"

#include <algorithm>

namespace futexmc::checker {
namespace {

/// How deep a call, and the rest of a broken line, are indented.
struct Indent {
  std::size_t call;
  std::size_t hanging;
};
constexpr Indent kWide = {2, 4};
constexpr Indent kNarrow = {1, 2};  // three columns or more

std::string full_text(const DiagramRow& row) {
  return row.mark.empty() ? row.text : row.text + "  " + row.mark;
}

std::size_t indent_of(const DiagramRow& row, Indent indent, std::size_t width) {
  return std::min(row.depth * indent.call, width / 3);
}

/// Where to break text that does not fit: where two spaces are, then at a space, then behind an
/// opening bracket or a comma, else anywhere.
std::size_t break_at(std::string_view text, std::size_t width) {
  const std::string_view head = text.substr(0, width + 1);
  const std::size_t wide = head.rfind("  ");
  if (wide != std::string_view::npos && wide > 0) return wide;
  const std::size_t space = head.rfind(' ');
  if (space != std::string_view::npos && space > 0) return space;
  const std::size_t bracket = head.substr(0, width).find_last_of("(,");
  if (bracket != std::string_view::npos && bracket > 0) return bracket + 1;
  return width;
}

/// The widths of columns that share `width` with `gap` between them: as wide as their rows, or
/// the widest cut down to what is left. Empty if that is less than readable.
std::vector<std::size_t> share(std::vector<std::size_t> wanted, std::size_t width,
                               std::size_t gap) {
  const std::size_t available = width - gap * (wanted.size() - 1);
  for (std::size_t cap = available; cap >= kMinColumn; --cap) {
    std::size_t total = 0;
    for (const std::size_t w : wanted) total += std::min(w, cap);
    if (total > available) continue;
    for (std::size_t& w : wanted) w = std::min(w, cap);
    return wanted;
  }
  return {};
}

class Canvas {
 public:
  explicit Canvas(Indent indent) : indent_(indent) {}
  /// Writes `text` at `start`, over as many lines as it takes within `width`.
  void put(const DiagramRow& row, std::size_t start, std::size_t width,
           const std::string& prefix = {}) {
    const std::size_t indent = indent_of(row, indent_, width);
    for (const std::string& line : wrap(full_text(row), width - indent, indent_.hanging)) {
      text_ += std::string(start, ' ').replace(0, std::min(start, prefix.size()), prefix);
      text_ += std::string(indent, ' ') + line;
      end_line();
    }
  }
  void line(const std::string& text) {
    text_ += text;
    end_line();
  }
  const std::string& text() const { return text_; }

 private:
  void end_line() {
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }
  const Indent indent_;
  std::string text_;
};

std::string draw_columns(const std::vector<std::string>& columns,
                         const std::vector<DiagramRow>& rows, std::size_t width,
                         const std::vector<std::size_t>& widths, std::size_t gap, Indent indent) {
  std::vector<std::size_t> starts(1, 0);
  for (const std::size_t w : widths) starts.push_back(starts.back() + w + gap);
  Canvas canvas(indent);
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

std::string draw_sequence(const std::vector<std::string>& columns,
                          const std::vector<DiagramRow>& rows, std::size_t width) {
  std::size_t longest = 0;
  for (const std::string& name : columns) longest = std::max(longest, name.size());
  longest = std::min(longest, width / 4);
  const std::size_t start = longest + 3;
  Canvas canvas(kWide);
  for (const DiagramRow& row : rows) {
    if (row.column == kAcross) {
      canvas.put(row, 0, width);
    } else {
      canvas.put(row, start, width - start, "[" + columns[row.column].substr(0, longest) + "]");
    }
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
  if (columns.empty()) return draw_sequence(columns, rows, width);
  const bool narrow = columns.size() > 2;
  const Indent indent = narrow ? kNarrow : kWide;
  const std::size_t gap = narrow ? 1 : 2;
  std::vector<std::size_t> wanted;
  for (const std::string& name : columns) wanted.push_back(name.size());
  for (const DiagramRow& row : rows) {
    if (row.column == kAcross) continue;
    std::size_t& w = wanted[row.column];
    w = std::max(w, indent_of(row, indent, width) + full_text(row).size());
  }
  const std::vector<std::size_t> widths = share(wanted, width, gap);
  if (widths.empty()) return draw_sequence(columns, rows, width);
  return draw_columns(columns, rows, width, widths, gap, indent);
}

}  // namespace futexmc::checker
