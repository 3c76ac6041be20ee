// SPDX-License-Identifier: GPL-2.0-or-later
//
// Local search. A stretch is a run of steps of one thread, the events between them included. From
// an execution, others are made: without one thread, with a stretch moved elsewhere, without one
// event or one stretch, cut short and left to run on. A better one starts afresh; one as good
// waits for its turn. When none waits, two changes at once are tried: often two stretches must move
// together.
#include "checker/minimize_greedy.hpp"

#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace futexmc::checker {
namespace {

constexpr std::uint32_t kMaxExecutions = 20'000;

struct Stretch {
  std::uint8_t thread;
  std::size_t begin;
  std::size_t end;
};

class Greedy {
 public:
  Greedy(Machine& machine, Watch& watch, Execution best, bool movers, const Options& options,
         std::chrono::steady_clock::time_point deadline)
      : machine_(machine), watch_(watch), best_(std::move(best)), movers_(movers),
        options_(options), deadline_(deadline) {}

  Execution run() {
    do {
      waiting_.assign(1, best_.path);
      while (!waiting_.empty()) {
        const Path path = std::move(waiting_.front());
        waiting_.pop_front();
        one_change(path);
      }
    } while (two_changes());
    return best_;
  }

 private:
  bool may_try() const {
    if (options_.interrupt != nullptr && options_.interrupt->load()) return false;
    return executions_ < kMaxExecutions && std::chrono::steady_clock::now() < deadline_ &&
           !watch_.broken();
  }

  /// True if a change makes the path better.
  bool one_change(const Path& path) {
    for (const Path& candidate : candidates(path)) {
      if (!may_try()) return false;
      if (better(candidate)) return true;
    }
    return false;
  }

  bool two_changes() {
    for (const Path& candidate : candidates(best_.path)) {
      if (one_change(candidate)) return true;
    }
    return false;
  }

  /// True if the candidate is better; then it is all that waits.
  bool better(const Path& candidate) {
    if (!first_time(candidate)) return false;
    ++executions_;
    Execution run = execute(machine_, watch_, candidate, Fit::lenient, movers_, options_.scoped);
    if (!run.shown || best_.cost < run.cost) return false;
    const bool is_better = run.cost < best_.cost;
    if (is_better) waiting_.clear();
    if (is_better || first_time(run.path)) waiting_.push_back(run.path);
    if (is_better) best_ = std::move(run);
    return is_better;
  }

  bool first_time(const Path& path) {
    std::string key;
    for (const Choice choice : path) {
      key += static_cast<char>(choice.agent);
      key += static_cast<char>(choice.alternative);
    }
    return seen_.insert(std::move(key)).second;
  }

  std::vector<Stretch> stretches(const Path& path) const {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::uint8_t agent = path[i].agent;
      const bool same = !all.empty() && (!machine_.is_thread(agent) || all.back().thread == agent);
      if (!same) all.push_back({agent, i, i});
      all.back().end = i + 1;
    }
    return all;
  }

  std::vector<Path> candidates(const Path& path) const {
    std::vector<Path> all;
    for (std::size_t thread = 0; thread < machine_.thread_count(); ++thread) {
      Path rest = path;
      std::erase_if(rest, [thread](Choice choice) { return choice.agent == thread; });
      if (rest.size() < path.size()) all.push_back(std::move(rest));
    }
    const std::vector<Stretch> parts = stretches(path);
    for (const Stretch& part : parts) {
      for (const Stretch& before : parts) all.push_back(moved(path, part, before.begin));
      all.push_back(moved(path, part, path.size()));
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (!machine_.is_thread(path[i].agent)) all.push_back(without(path, i, i + 1));
    }
    for (const Stretch& part : parts) {
      all.push_back(without(path, part.begin, part.end));
      all.push_back(without(path, part.end, path.size()));
    }
    return all;
  }

  /// The path with a stretch moved to before position `to`.
  static Path moved(const Path& path, const Stretch& stretch, std::size_t to) {
    const auto at = [&path](std::size_t i) { return path.begin() + static_cast<long>(i); };
    Path result;
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (i == to) result.insert(result.end(), at(stretch.begin), at(stretch.end));
      const bool inside = i >= stretch.begin && i < stretch.end;
      if (i < path.size() && !inside) result.push_back(path[i]);
    }
    return result;
  }

  static Path without(Path path, std::size_t begin, std::size_t end) {
    path.erase(path.begin() + static_cast<long>(begin), path.begin() + static_cast<long>(end));
    return path;
  }

  Machine& machine_;
  Watch& watch_;
  Execution best_;
  const bool movers_;
  const Options& options_;
  const std::chrono::steady_clock::time_point deadline_;
  std::uint32_t executions_ = 0;
  std::deque<Path> waiting_;    ///< executions as good as the best, whose candidates are untried
  std::set<std::string> seen_;  ///< paths tried
};

}  // namespace

Execution improve(Machine& machine, Watch& watch, Execution best, bool movers,
                  const Options& options, std::chrono::steady_clock::time_point deadline) {
  return Greedy(machine, watch, std::move(best), movers, options, deadline).run();
}

}  // namespace futexmc::checker
