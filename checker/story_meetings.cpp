// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/story_meetings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "checker/wording.hpp"

namespace futexmc::checker {
namespace {

constexpr std::string_view kLiveness = " liveness";  // Layout::reserve()

/// What one step does to one cell.
struct Use {
  std::string cell;
  bool reads = false;
  bool writes = false;
};

/// Of each agent, the number of steps that have been taken into account.
using Clock = std::array<std::size_t, kMaxAgents>;

/// A cell at some moment.
struct Value {
  std::optional<std::size_t> writer;           ///< step; none for the initial value
  Clock known{};                               ///< what its agent knew
  std::map<std::size_t, std::size_t> readers;  ///< by agent, the step that read it last
  std::set<std::size_t> told;                  ///< of these, agents of which a read is kept
};

class Meetings {
 public:
  Meetings(const std::vector<RecordedStep>& steps, std::size_t thread_count,
           std::optional<std::size_t> violating, std::vector<bool>& kept)
      : steps_(steps), thread_count_(thread_count), violating_(violating), kept_(kept) {}

  /// The next step in the order of time.
  void add(std::size_t i) {
    const std::size_t agent = steps_[i].agent;
    const std::vector<Use> uses = uses_of(i);
    Clock known = known_[agent];
    known[agent] = i + 1;
    for (const Use& use : uses) {
      if (!use.reads) continue;
      Value& value = values_[use.cell];
      if (value.writer && meet(*value.writer, i)) {
        if (known_[agent][steps_[*value.writer].agent] <= *value.writer) keep_news(i, value);
        for (std::size_t k = 0; k < known.size(); ++k) {
          known[k] = std::max(known[k], value.known[k]);
        }
      }
      value.readers[agent] = i;
    }
    known_[agent] = known;
    for (const Use& use : uses) {
      if (!use.writes) continue;
      keep_stale(i, values_[use.cell]);
      values_[use.cell] = {i, known, {}, {}};
    }
  }

 private:
  /// What the step does to cells. A thread that has one for its operation may set others on the
  /// side, which a reader would look for in vain.
  std::vector<Use> uses_of(std::size_t i) const {
    const RecordedStep& step = steps_[i];
    const bool is_thread = step.agent < thread_count_;
    if (step.faulted || (is_thread && (is_lock(step) || is_section(step)))) return {};
    const std::string& own = step.step.object;
    std::vector<Use> uses;
    if (!own.empty()) {
      uses.push_back({own, step.step.has_result || waits(step) || i == violating_, false});
    }
    for (const Change& change : step.changes) {
      if (change.cell == own) uses.front().writes = true;
      if (!own.empty() || object_reborn(change)) continue;
      if (life_of(step, change.cell) != nullptr) continue;
      uses.push_back({change.cell, !is_thread, true});
    }
    return uses;
  }

  /// Whether the two steps are of different agents and their order matters.
  bool meet(std::size_t i, std::size_t j) const {
    if (steps_[i].agent == steps_[j].agent) return false;
    return steps_[i].mover != Mover::both || steps_[j].mover != Mover::both;
  }

  /// Step `i` learns what `value.writer` did.
  void keep_news(std::size_t i, Value& value) {
    kept_[*value.writer] = true;
    if (value.told.insert(steps_[i].agent).second) kept_[i] = true;
  }

  /// Step `i` replaces a value that others have read, unbeknown to its agent.
  void keep_stale(std::size_t i, const Value& value) {
    for (const auto& [agent, read] : value.readers) {
      if (!meet(read, i) || known_[steps_[i].agent][agent] > read) continue;
      kept_[i] = kept_[read] = true;
    }
  }

  const std::vector<RecordedStep>& steps_;
  const std::size_t thread_count_;
  const std::optional<std::size_t> violating_;
  std::vector<bool>& kept_;
  std::map<std::string, Value> values_;    ///< by cell
  std::array<Clock, kMaxAgents> known_{};  ///< by agent, what it has read from the others
};

}  // namespace

/// The object to which the change gives or takes life.
std::optional<std::string_view> object_reborn(const Change& change) {
  const std::string_view cell = change.cell;
  if (!cell.ends_with(kLiveness)) return std::nullopt;
  return cell.substr(0, cell.size() - kLiveness.size());
}

/// The change that gives or takes the life of the object that the cell belongs to.
const Change* life_of(const RecordedStep& step, std::string_view cell) {
  for (const Change& change : step.changes) {
    const auto object = object_reborn(change);
    if (!object || !cell.starts_with(*object)) continue;
    const std::string_view member = cell.substr(object->size());
    if (member.starts_with('.') || member.starts_with('[')) return &change;
  }
  return nullptr;
}

void keep_meetings(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                   std::optional<std::size_t> violating, std::vector<bool>& kept) {
  Meetings meetings(steps, thread_count, violating, kept);
  for (std::size_t i = 0; i < steps.size(); ++i) meetings.add(i);
}

}  // namespace futexmc::checker
