// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a search is asked and what it answers.
//
// A violation does not end a search: the answer is the set of violated properties, which does not
// depend on the order in which states are visited. A limit that cuts the search is part of the
// answer, so that "nothing found" is never mistaken for "holds".
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checker/program.hpp"

namespace futexmc::checker {

/// Sees each transition of a search, from the state before to the state after. Only looks.
class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  virtual ~Watcher() = default;
  /// The initial state is in the arena.
  virtual void begin() = 0;
  /// Agents are about to go, each by itself, from the state in the arena.
  virtual void before() = 0;
  /// One of them has gone, to the state in the arena.
  virtual void after() = 0;
};

/// One decision of the search: who goes, and with which outcome.
struct Choice {
  std::uint8_t agent = 0;
  std::uint8_t alternative = 0;
  bool operator==(const Choice&) const = default;
};
using Path = std::vector<Choice>;

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t bytes = 0;
  std::size_t depth = 0;
  double seconds = 0;
};

struct Options {
  bool movers = true;      ///< fuse operations that commute into transactions
  bool sleep_sets = true;  ///< prune transitions that commute with ones already explored (DFS)
  bool scoped = true;      ///< forget at scopes; off for the reference identity
  bool stateful = true;    ///< prune visited states; off enumerates every schedule (DFS)
  bool audit = false;      ///< compare each match with the first arrival, one level deep (DFS)
  bool outcomes = false;   ///< collect the outcomes of final states
  bool stop_at_first = false;
  std::uint64_t max_states = ~0ULL;
  std::uint64_t max_bytes = ~0ULL;  ///< of the search's own tables
  double max_seconds = 1e18;
  Watcher* watcher = nullptr;  ///< told of each transition, once (DFS)
  Coverage* coverage = nullptr;  ///< where to note the operations executed, if anywhere
  const std::atomic<bool>* interrupt = nullptr;   ///< set from outside to stop
  std::function<void(const Progress&)> progress;  ///< called about ten times a second
};

/// `model`: the program under test ran into a bound of its own (Result::bound says which).
/// `sampled`: no search, but as many runs as asked for (sample.hpp).
enum class Limit : std::uint8_t { none, states, time, memory, interrupted, model, sampled };

/// A violation, with the decisions that lead to it.
struct Finding {
  std::string property;
  std::string message;
  Path path;
};

/// Where a match of the identity audit went wrong.
struct AuditFailure {
  std::string what;
  Path path;  ///< to the second arrival
};

struct Result {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t matched = 0;      ///< transitions into a state seen before
  std::uint64_t finals = 0;       ///< distinct final states
  std::size_t max_depth = 0;      ///< transitions on the longest path
  std::uint64_t bytes = 0;        ///< peak of the tables, stack and snapshots
  double seconds = 0;
  Limit limit = Limit::none;
  std::string bound;  ///< with Limit::model
  double collision_odds = 0;
  std::vector<Finding> findings;  ///< one for each property and message, in order of discovery
  std::vector<std::string> outcomes;   ///< sorted; only with Options::outcomes
  std::vector<AuditFailure> audit_failures;
  std::string reduction_off;  ///< the cell whose declared lock was not held, if that happened

  bool violated(std::string_view property) const;
  /// Complete within the program's bounds.
  bool complete() const { return limit == Limit::none; }
};

/// Depth-first search: the least memory a state.
Result depth_first(Program& program, const Options& options);
/// Breadth-first search: findings come with a path of the fewest transitions.
Result breadth_first(Program& program, const Options& options);

}  // namespace futexmc::checker
