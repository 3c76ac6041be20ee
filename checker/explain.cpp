// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explain.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/diagram.hpp"
#include "checker/story.hpp"
#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

std::string counted(std::uint64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string cost_sentence(const Trace& trace) {
  const TraceCost& cost = trace.cost;
  std::string text = counted(cost.threads, "thread");
  text += cost.switches == 1 ? ", 1 switch" : fmt::format(", {} switches", cost.switches);
  if (cost.events != 0) text += ", " + counted(cost.events, "event");
  text += ", " + counted(cost.operations, "operation");
  switch (trace.minimal) {
    case Minimal::no: return text + ".";
    case Minimal::reduced: return text + ", reduced.";
    case Minimal::proved: return text + "; none is cheaper.";
  }
  return text;
}

class Explanation {
 public:
  Explanation(const Trace& trace, const Replay& replay) : trace_(trace), replay_(replay) {
    for (const Violation& violation : replay.violations) {
      if (violation.property != trace.property || violation.message != trace.message) continue;
      violation_ = &violation;
    }
    if (violation_ != nullptr && !violation_->at_end && violation_->step > 0) {
      violating_ = violation_->step - 1;
    }
  }

  std::string text() {
    const std::string head = headline();
    add_rows();
    const std::string foot = footer();
    return head + "\n" + draw(columns(), rows_) + (foot.empty() ? "" : "\n" + foot);
  }

 private:
  bool at_end() const { return violation_ != nullptr && violation_->at_end; }

  static std::string paragraph(const std::string& text) {
    std::string lines;
    for (const std::string& line : wrap(text, kDiagramWidth, 0)) lines += line + "\n";
    return lines;
  }

  std::string headline() const {
    std::string text = fmt::format("{}: {}", trace_.property, trace_.message);
    for (const Blocked& blocked : replay_.blocked) {
      if (!at_end() || trace_.message.find(blocked.description) != std::string::npos) continue;
      text += "; " + blocked.description;
    }
    std::string head = paragraph(text + ". " + cost_sentence(trace_));
    if (replay_.outcome == Outcome::diverges) {
      head += "\n" + paragraph(fmt::format("Not in this program: it diverges at step {}: {}.",
                                           replay_.at, replay_.because));
    } else if (replay_.outcome == Outcome::now_passes) {
      head += "\n" + paragraph("Not in this program: the trace now passes." +
                               (replay_.because.empty() ? "" : " But " + replay_.because + "."));
    }
    return head;
  }

  std::string footer() const {
    if (!at_end() && replay_.outcome == Outcome::reproduces) return {};
    std::string foot;
    for (const Blocked& blocked : replay_.blocked) foot += paragraph(blocked.description + ".");
    return foot;
  }

  void add_rows() {
    const std::vector<Shown> shown = select_steps(replay_.steps, replay_.threads, violating_);
    if (violation_ != nullptr && violation_->step == 0 && !at_end()) {
      rows_.push_back({kAcross, 0, "--- initial state ---", mark()});
    }
    for (std::size_t i = 0; i < shown.size(); ++i) add_step(i, shown[i]);
    if (violation_ == nullptr || at_end()) add_blocked();
  }

  void add_step(std::size_t i, Shown shown) {
    const RecordedStep& step = replay_.steps[i];
    const std::string end = i == violating_ ? mark() : "";
    if (step.agent >= replay_.threads) {
      rows_.push_back({kAcross, 0, event_wording(step), end});
      return;
    }
    enter(step.agent, step.step.calls, shown != Shown::no);
    if (shown == Shown::no) return;
    const std::string text = shown == Shown::condensed ? "..." : wording(step);
    rows_.push_back({step.agent, step.step.calls.size(), text, end});
  }

  /// Leaves the functions that the thread has returned from; `show`s those it is in now.
  void enter(std::size_t thread, const std::vector<std::string>& calls, bool show) {
    std::vector<std::string>& open = open_[thread];
    const auto differs = std::mismatch(open.begin(), open.end(), calls.begin(), calls.end());
    open.erase(differs.first, open.end());
    if (!show) return;
    for (std::size_t depth = open.size(); depth < calls.size(); ++depth) {
      rows_.push_back({thread, depth, calls[depth] + "()", {}});
    }
    open = calls;
  }

  /// Where everybody is stuck. The violation is theirs if it names them.
  void add_blocked() {
    bool marked = false;
    for (const Blocked& blocked : replay_.blocked) {
      const bool named = at_end() && violation_->message.find(replay_.agents[blocked.thread]) !=
                                         std::string::npos;
      marked |= named;
      enter(blocked.thread, blocked.next.calls, true);
      rows_.push_back({blocked.thread, blocked.next.calls.size(), wording(blocked.next),
                       named ? mark() : "/* waits */"});
    }
    if (at_end() && !marked) rows_.push_back({kAcross, 0, "--- end ---", mark()});
  }

  /// Columns for the threads that have rows; renumbers the rows' columns.
  std::vector<std::string> columns() {
    std::map<std::size_t, std::size_t> used;
    for (const DiagramRow& row : rows_) {
      if (row.column != kAcross) used[row.column] = 0;
    }
    std::vector<std::string> names;
    for (auto& [thread, column] : used) {
      column = names.size();
      names.push_back(replay_.agents[thread]);
    }
    for (DiagramRow& row : rows_) {
      if (row.column != kAcross) row.column = used[row.column];
    }
    return names;
  }

  std::string mark() const { return "<<< " + trace_.property; }

  const Trace& trace_;
  const Replay& replay_;
  const Violation* violation_ = nullptr;
  std::optional<std::size_t> violating_;
  std::vector<DiagramRow> rows_;
  std::map<std::size_t, std::vector<std::string>> open_;  ///< functions shown, by thread
};

}  // namespace

std::string explain(const Trace& trace, const Replay& replay) {
  return Explanation(trace, replay).text();
}

std::string explain(Program& program, const Trace& trace) {
  return explain(trace, replay(program, trace));
}

}  // namespace futexmc::checker
