// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/story.hpp"

#include <array>
#include <map>
#include <set>
#include <string>

#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

constexpr std::size_t kLongRun = 3;

class Selection {
 public:
  Selection(const std::vector<RecordedStep>& steps, std::size_t thread_count,
            std::optional<std::size_t> violating)
      : steps_(steps), thread_count_(thread_count), violating_(violating),
        shown_(steps.size(), Shown::yes) {}

  std::vector<Shown> run() {
    drop_idle_stores();
    drop_private_accesses();
    condense_runs();
    while (drop_empty_sections()) {
    }
    return shown_;
  }

 private:
  bool is_thread(const RecordedStep& step) const { return step.agent < thread_count_; }
  void drop(std::size_t i) {
    if (i != violating_ && !steps_[i].faulted) shown_[i] = Shown::no;
  }

  void drop_idle_stores() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (is_thread(steps_[i]) && is_store(steps_[i].step) && steps_[i].changes.empty()) drop(i);
    }
  }

  void drop_private_accesses() {
    std::map<std::string, std::set<std::size_t>> users;
    std::set<std::size_t> threads;
    for (const RecordedStep& step : steps_) {
      if (is_thread(step)) threads.insert(step.agent);
      users[step.step.object].insert(step.agent);
      for (const Change& change : step.changes) users[change.cell].insert(step.agent);
    }
    if (threads.size() < 2) return;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const RecordedStep& step = steps_[i];
      if (is_plain_access(step.step) && users[step.step.object].size() == 1) drop(i);
    }
  }

  bool can_condense(std::size_t i, std::size_t first, const std::array<int, kMaxThreads>& locks) {
    const RecordedStep& step = steps_[i];
    return is_thread(step) && locks[step.agent] > 0 && is_plain_access(step.step) &&
           i != violating_ && !step.faulted && step.agent == steps_[first].agent &&
           step.step.calls == steps_[first].step.calls;
  }

  void condense_runs() {
    std::array<int, kMaxThreads> locks{};
    std::vector<std::size_t> run;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (shown_[i] == Shown::no) continue;
      const RecordedStep& step = steps_[i];
      if (!can_condense(i, run.empty() ? i : run.front(), locks)) {
        condense(run);
        run.clear();
      }
      if (can_condense(i, run.empty() ? i : run.front(), locks)) run.push_back(i);
      if (is_thread(step) && step.mover == Mover::right) ++locks[step.agent];
      if (is_thread(step) && step.mover == Mover::left) --locks[step.agent];
    }
    condense(run);
  }
  void condense(const std::vector<std::size_t>& run) {
    if (run.size() < kLongRun) return;
    for (const std::size_t i : run) shown_[i] = Shown::no;
    shown_[run.front()] = Shown::condensed;
  }

  /// Whether anything was dropped: an enclosing section may be empty now.
  bool drop_empty_sections() {
    bool dropped = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (shown_[i] == Shown::no || !is_thread(steps_[i]) || !opens(steps_[i])) continue;
      const std::optional<std::size_t> next = next_shown(i);
      if (!next.has_value() || !closes(steps_[*next])) continue;
      if (steps_[*next].step.object != steps_[i].step.object) continue;
      if (i == violating_ || *next == violating_) continue;
      drop(i);
      drop(*next);
      dropped = true;
    }
    return dropped;
  }
  /// The same thread's next step that is shown.
  std::optional<std::size_t> next_shown(std::size_t i) const {
    for (std::size_t j = i + 1; j < steps_.size(); ++j) {
      if (steps_[j].agent == steps_[i].agent && shown_[j] != Shown::no) return j;
    }
    return std::nullopt;
  }

  const std::vector<RecordedStep>& steps_;
  const std::size_t thread_count_;
  const std::optional<std::size_t> violating_;
  std::vector<Shown> shown_;
};

}  // namespace

std::vector<Shown> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                                std::optional<std::size_t> violating) {
  return Selection(steps, thread_count, violating).run();
}

}  // namespace futexmc::checker
