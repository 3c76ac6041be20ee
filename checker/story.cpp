// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/story.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "checker/story_meetings.hpp"
#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

constexpr std::string_view kLive = "0";  // as Program::value_name() has it
constexpr std::string_view kGracePeriod = "gp_";

class Selection {
 public:
  Selection(const std::vector<RecordedStep>& steps, std::size_t thread_count, const Ending& ending)
      : steps_(steps), thread_count_(thread_count), ending_(ending), kept_(steps.size(), false) {}

  std::vector<bool> run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (speaks_for_itself(i)) kept_[i] = true;
    }
    keep_meetings(steps_, thread_count_, ending_.violating, kept_);
    if (ending_.broken_off && !kept_.empty()) kept_.back() = true;
    keep_stores();
    keep_death();
    keep_locks();
    keep_sections();
    keep_turns();
    return kept_;
  }

 private:
  bool is_thread(std::size_t i) const { return steps_[i].agent < thread_count_; }
  bool is_violating(std::size_t i) const { return i == ending_.violating || steps_[i].faulted; }

  bool speaks_for_itself(std::size_t i) const {
    const RecordedStep& step = steps_[i];
    return !is_thread(i) || is_violating(i) || step.step.alternative != 0 || waits(step);
  }

  /// A store that becomes visible late was made before.
  void keep_stores() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!steps_[i].drains || steps_[i].changes.size() != 1) continue;
      if (const auto store = store_of(i)) kept_[*store] = true;
    }
  }
  /// The last of the thread's stores to the cell that was not visible at once. An unlock goes
  /// without saying.
  std::optional<std::size_t> store_of(std::size_t drain) const {
    const std::string& cell = steps_[drain].changes.front().cell;
    for (std::size_t i = drain; i-- > 0;) {
      const RecordedStep& step = steps_[i];
      const bool stored = step.agent == *steps_[drain].drains && step.step.object == cell &&
                          step.step.wrote && step.changes.empty();
      if (stored) return is_lock(step) ? std::nullopt : std::optional(i);
    }
    return std::nullopt;
  }

  /// Who took the life of what is used dead.
  void keep_death() {
    if (!ending_.violating || !steps_[*ending_.violating].faulted) return;
    for (std::size_t i = *ending_.violating; i-- > 0;) {
      if (!life_taken(steps_[i], steps_[*ending_.violating])) continue;
      kept_[i] = true;
      return;
    }
  }

  void keep_locks() {
    for (const std::string& lock : ending_.awaited) {
      const auto taken = last_use(lock, steps_.size());
      if (taken && !closes(steps_[*taken])) kept_[*taken] = true;
    }
    if (!ending_.violating || !is_lock(steps_[*ending_.violating])) return;
    if (closes(steps_[*ending_.violating])) {
      if (const auto use = last_use(steps_[*ending_.violating].step.object, *ending_.violating)) {
        kept_[*use] = true;
      }
    }
  }
  std::optional<std::size_t> last_use(const std::string& lock, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;) {
      if (is_thread(i) && is_lock(steps_[i]) && steps_[i].step.object == lock) return i;
    }
    return std::nullopt;
  }

  void keep_sections() {
    std::map<std::size_t, std::vector<std::size_t>> open;  // by agent
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!is_thread(i) || !is_section(steps_[i])) continue;
      std::vector<std::size_t>& nested = open[steps_[i].agent];
      if (opens(steps_[i])) {
        nested.push_back(i);
      } else if (!nested.empty()) {
        const std::size_t begin = nested.back();
        nested.pop_back();
        if (nested.empty() && section_matters(begin, i)) kept_[begin] = kept_[i] = true;
      }
    }
    for (const auto& [agent, nested] : open) {
      if (nested.empty()) continue;
      const bool matters = ending_.broken_off || section_matters(nested.front(), steps_.size());
      if (matters) kept_[nested.front()] = true;
    }
  }
  bool section_matters(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_thread(i) && steps_[i].step.operation.starts_with(kGracePeriod)) return true;
      if (steps_[i].agent == steps_[begin].agent && is_violating(i)) return true;
    }
    return false;
  }

  void keep_turns() {
    std::vector<std::size_t> turn;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!is_thread(i)) continue;
      if (!turn.empty() && steps_[turn.back()].agent != steps_[i].agent) {
        keep_one(turn);
        turn.clear();
      }
      turn.push_back(i);
    }
    keep_one(turn);
    const bool alone = std::all_of(steps_.begin(), steps_.end(), [&](const RecordedStep& step) {
      return step.agent >= thread_count_ || step.agent == steps_[turn.front()].agent;
    });
    if (!alone) return;
    for (const std::size_t i : turn) {
      const RecordedStep& step = steps_[i];
      if (!is_lock(step) && !is_section(step) && !step.changes.empty()) kept_[i] = true;
    }
  }
  /// The last step of the turn that others might notice, else just the last.
  void keep_one(const std::vector<std::size_t>& turn) {
    if (std::any_of(turn.begin(), turn.end(), [this](std::size_t i) { return kept_[i]; })) return;
    for (auto i = turn.rbegin(); i != turn.rend(); ++i) {
      if (steps_[*i].mover != Mover::none) continue;
      kept_[*i] = true;
      return;
    }
    if (!turn.empty()) kept_[turn.back()] = true;
  }

  const std::vector<RecordedStep>& steps_;
  const std::size_t thread_count_;
  const Ending& ending_;
  std::vector<bool> kept_;
};

}  // namespace

std::optional<std::string> life_taken(const RecordedStep& step, const RecordedStep& user) {
  const Change* const change = life_of(step, user.step.object);
  if (change == nullptr || change->after == kLive) return std::nullopt;
  return std::string(*object_reborn(*change));
}

std::vector<bool> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                               const Ending& ending) {
  return Selection(steps, thread_count, ending).run();
}

}  // namespace futexmc::checker
