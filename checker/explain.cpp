// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explain.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "checker/diagram.hpp"
#include "checker/story.hpp"
#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

/// The function that a thread's own code counts as: no call, and nothing to show.
constexpr std::string_view kUserCode = "user";

std::string counted(std::uint64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string cost_sentence(const Trace& trace, const Replay& replay) {
  const TraceCost cost = cost_of(trace, replay);
  std::string text = counted(cost.threads, "thread");
  text += cost.switches == 1 ? ", 1 switch" : fmt::format(", {} switches", cost.switches);
  if (cost.events != 0) text += ", " + counted(cost.events, "event");
  text += ", " + counted(cost.operations, "operation");
  switch (trace.minimal) {
    case Minimal::no:
      return text + ".";
    case Minimal::reduced:
      return text + ", reduced.";
    case Minimal::proved:
      return text + "; none needs fewer threads, switches or events.";
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
    const std::string what = fmt::format("{}: {}. ", trace_.property, trace_.message);
    std::string head = paragraph(what + cost_sentence(trace_, replay_));
    if (replay_.outcome == Outcome::diverges) {
      head += "\n" + paragraph(fmt::format("Not in this program: it diverges at step {}: {}.",
                                           replay_.at, replay_.because));
    } else if (replay_.outcome == Outcome::now_passes) {
      head += "\n" + paragraph("Not in this program: the trace now passes." +
                               (replay_.because.empty() ? "" : " But " + replay_.because + "."));
    }
    return head;
  }

  /// Who is stuck where, unless the headline has said so, and what came out.
  std::string footer() const {
    if (!at_end() && replay_.outcome == Outcome::reproduces) return {};
    std::string foot;
    for (const Blocked& blocked : replay_.blocked) {
      const std::string& said = at_end() ? trace_.message : replay_.because;
      if (said.find(blocked.description) != std::string::npos) continue;
      foot += paragraph(blocked.description + ".");
    }
    if (!replay_.ending.empty()) foot += paragraph("In the end " + replay_.ending + ".");
    return foot;
  }

  void add_rows() {
    Ending ending{violating_, {}, replay_.outcome == Outcome::diverges};
    for (const Blocked& blocked : replay_.blocked) {
      ending.awaited.push_back(blocked.next.object);
      tells_.emplace(blocked.thread, innermost(blocked.next));
    }
    const std::vector<bool> shown = select_steps(replay_.steps, replay_.threads, ending);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const RecordedStep& step = replay_.steps[i];
      if (shown[i]) tells_.emplace(step.agent, innermost(step.step));
    }
    if (violation_ != nullptr && violation_->step == 0 && !at_end())
      add_across("initial state", true);
    for (std::size_t i = 0; i < shown.size(); ++i) add_step(i, shown[i]);
    if (violation_ == nullptr || at_end()) add_blocked();
  }

  void add_step(std::size_t i, bool shown) {
    const RecordedStep& step = replay_.steps[i];
    if (step.agent >= replay_.threads) {
      add_across(wording_.of_event(step), i == violating_);
      return;
    }
    enter(step.agent, step.step.calls, shown);
    if (!shown) return;
    rows_.push_back({step.agent, open_[step.agent].size(), wording_.of(step), mark_of(i)});
  }

  std::string mark_of(std::size_t i) const {
    if (i == violating_) return mark();
    if (!violating_ || !replay_.steps[*violating_].faulted) return {};
    const auto object = life_taken(replay_.steps[i], replay_.steps[*violating_]);
    return object ? fmt::format("/* {} is gone */", *object) : "";
  }

  /// What happens at once or one after the other without a thread in between shares a line.
  void add_across(const std::string& text, bool marked) {
    constexpr std::string_view kRule = "--- ";
    const std::string end = marked ? mark() : "";
    if (!rows_.empty() && rows_.back().column == kAcross && rows_.back().mark.empty()) {
      DiagramRow& last = rows_.back();
      const std::string joined = last.text.substr(0, last.text.size() - kRule.size()) + "; " + text;
      if (joined.size() + kRule.size() + end.size() + 2 <= kDiagramWidth) {
        last = {kAcross, 0, joined + " ---", end};
        return;
      }
    }
    rows_.push_back({kAcross, 0, fmt::format("--- {} ---", text), end});
  }

  static std::string innermost(const Step& step) {
    return step.calls.empty() ? std::string() : step.calls.back();
  }

  /// The calls to show: of the thread's outermost function, and of what does something itself.
  std::vector<std::string> told(std::size_t thread, const std::vector<std::string>& calls) const {
    std::vector<std::string> told;
    for (const std::string& call : calls) {
      if (call == kUserCode) continue;
      if (told.empty() || tells_.contains({thread, call})) told.push_back(call);
    }
    return told;
  }

  /// Leaves the functions that the thread has returned from; `show`s those it is in now.
  void enter(std::size_t thread, const std::vector<std::string>& stack, bool show) {
    const std::vector<std::string> calls = told(thread, stack);
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
      const bool named =
          at_end() && violation_->message.find(replay_.agents[blocked.thread]) != std::string::npos;
      marked |= named;
      enter(blocked.thread, blocked.next.calls, true);
      rows_.push_back({blocked.thread, open_[blocked.thread].size(), wording_.of(blocked.next),
                       named ? mark() : "/* waits */"});
    }
    if (at_end() && !marked) add_across("end", true);
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
  const Wording wording_{replay_.steps};
  const Violation* violation_ = nullptr;
  std::optional<std::size_t> violating_;
  std::vector<DiagramRow> rows_;
  std::set<std::pair<std::size_t, std::string>> tells_;   ///< thread, function with steps to show
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
