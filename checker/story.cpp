// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/story.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

constexpr std::string_view kLiveness = " liveness";  // Layout::reserve()
constexpr std::string_view kGracePeriod = "gp_";

/// What one step does to one cell.
struct Use {
  std::size_t step = 0;
  bool reads = false;
  bool writes = false;
};

/// "fph0" for "fph0.queues[0].lock".
std::string_view object_of(std::string_view cell) { return cell.substr(0, cell.find_first_of(".[ ")); }

/// The object to which the change gives or takes life.
std::optional<std::string_view> reborn(const Change& change) {
  const std::string_view cell = change.cell;
  if (!cell.ends_with(kLiveness)) return std::nullopt;
  return cell.substr(0, cell.size() - kLiveness.size());
}

class Selection {
 public:
  Selection(const std::vector<RecordedStep>& steps, std::size_t thread_count, const Ending& ending)
      : steps_(steps), thread_count_(thread_count), ending_(ending), kept_(steps.size(), false) {}

  std::vector<bool> run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (speaks_for_itself(i)) kept_[i] = true;
      collect_uses(i);
    }
    for (const auto& [cell, uses] : uses_) keep_meetings(uses);
    keep_lives();
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

  void collect_uses(std::size_t i) {
    const RecordedStep& step = steps_[i];
    if (step.faulted || (is_thread(i) && (is_lock(step) || is_section(step)))) return;
    std::map<std::string, Use> here;
    const bool reads = step.step.has_result || waits(step) || i == ending_.violating;
    if (!step.step.object.empty()) here[step.step.object] = {i, reads, false};
    std::set<std::string_view> born;
    for (const Change& change : step.changes) {
      if (const auto object = reborn(change)) born.insert(*object);
    }
    for (const Change& change : step.changes) {
      if (reborn(change) || born.contains(object_of(change.cell))) continue;
      Use& use = here.try_emplace(change.cell, Use{i, !is_thread(i) || is_violating(i)}).first->second;
      use.writes = true;
    }
    for (const auto& [cell, use] : here) uses_[cell].push_back(use);
  }

  /// Whether the two steps are of different agents and their order matters.
  bool meet(std::size_t i, std::size_t j) const {
    if (steps_[i].agent == steps_[j].agent) return false;
    return steps_[i].mover != Mover::both || steps_[j].mover != Mover::both;
  }

  /// One cell's uses in the order of time: what each read saw, and what came of it.
  void keep_meetings(const std::vector<Use>& uses) {
    const Use* last = nullptr;  // write
    std::map<std::size_t, std::size_t> told;  // agent, its read of the present value that is kept
    for (std::size_t k = 0; k < uses.size(); ++k) {
      const Use& use = uses[k];
      if (use.reads) {
        const bool seen = last != nullptr && meet(last->step, use.step);
        const auto next = std::find_if(uses.begin() + static_cast<std::ptrdiff_t>(k), uses.end(),
                                       [](const Use& u) { return u.writes; });
        const bool stale = next != uses.end() && meet(use.step, next->step);
        if (seen) kept_[last->step] = true;
        if (stale) kept_[next->step] = true;
        if (seen || stale) keep_read(use, stale, told);
      }
      if (use.writes) {
        last = &use;
        told.clear();
      }
    }
  }

  void keep_read(const Use& use, bool stale, std::map<std::size_t, std::size_t>& told) {
    const std::size_t agent = steps_[use.step].agent;
    const auto earlier = told.find(agent);
    if (earlier != told.end()) {
      if (!stale && !use.writes) return;
      if (!speaks_for_itself(earlier->second)) kept_[earlier->second] = false;
    }
    kept_[use.step] = true;
    told[agent] = use.step;
  }

  /// Who took the life of what is used dead, or gave it back.
  void keep_lives() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!steps_[i].faulted) continue;
      for (std::size_t j = 0; j < i; ++j) {
        for (const Change& change : steps_[j].changes) {
          if (reborn(change) == object_of(steps_[i].step.object)) kept_[j] = true;
        }
      }
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
      if (!nested.empty() && section_matters(nested.front(), steps_.size())) {
        kept_[nested.front()] = true;
      }
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
      if (!is_lock(steps_[i]) && !is_section(steps_[i]) && !steps_[i].changes.empty()) kept_[i] = true;
    }
  }
  /// The last step of the turn that others might notice, else just the last.
  void keep_one(const std::vector<std::size_t>& turn) {
    if (turn.empty() || std::any_of(turn.begin(), turn.end(), [&](auto i) { return kept_[i]; })) return;
    for (auto i = turn.rbegin(); i != turn.rend(); ++i) {
      if (steps_[*i].mover != Mover::none) continue;
      kept_[*i] = true;
      return;
    }
    kept_[turn.back()] = true;
  }

  const std::vector<RecordedStep>& steps_;
  const std::size_t thread_count_;
  const Ending& ending_;
  std::vector<bool> kept_;
  std::map<std::string, std::vector<Use>> uses_;  ///< by cell, in the order of time
};

}  // namespace

std::vector<bool> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                               const Ending& ending) {
  return Selection(steps, thread_count, ending).run();
}

}  // namespace futexmc::checker
