// SPDX-License-Identifier: GPL-2.0-or-later
//
// One execution, operation by operation, with everything kept that a trace, its replay or its
// explanation needs.
//
// Invariants
//  1. Movers are off: one step is one visible operation of a thread, or one event.
//  2. The program's conditions are evaluated as a search does: check_state() in every state,
//     check_final() in every final one, the initial state included.
//  3. Values are named right after the step that they belong to, while the names still apply.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/machine.hpp"
#include "checker/search.hpp"

namespace futexmc::checker {

/// A cell that a step changed.
struct Change {
  std::string cell;
  std::string before;
  std::string after;
};

/// A step with its surroundings.
struct RecordedStep {
  Step step;
  std::size_t agent = 0;
  AgentMask enabled = 0;  ///< before the step
  Hash128 state;          ///< after it
  Mover mover = Mover::none;
  Guard::Kind guard = Guard::Kind::always;
  std::string before;           ///< name of the cell's value before, empty without a cell
  std::string after;            ///< and after
  std::vector<Change> changes;  ///< of all cells, the operation's own included
  bool faulted = false;         ///< the thread was stopped by this step
  /// Of the event that makes a store visible: the thread that stored.
  std::optional<std::size_t> drains;
};

/// A violation, found in the state after `step` steps or on the way there.
struct Violation {
  std::string property;
  std::string message;
  std::size_t step = 0;
  bool at_end = false;  ///< found by check_final()
};

class Recording final : public Monitor {
 public:
  /// Starts the program afresh.
  explicit Recording(Program& program);
  ~Recording() override;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Lets an enabled agent take one step and evaluates the conditions.
  void go(std::size_t agent, unsigned alternative);

  /// The agent of that name.
  std::optional<std::size_t> find(std::string_view name) const;
  std::vector<std::string> names(AgentMask agents) const;
  /// What a thread that is ready does next, as a step without values.
  Step pending(std::size_t thread) const;
  /// "waiter waits in futex_wait() for spin_lock of hb0.lock, held by waker".
  std::string describe_waiting(std::size_t thread) const;
  /// Of at most `limit` operations that the thread takes alone from here (alternative 0), how many
  /// come before one that looks like the given one. The state is left as it was.
  std::optional<std::size_t> distance(std::size_t thread, std::string_view operation,
                                      std::string_view object, std::string_view function,
                                      std::size_t limit);

  /// If no final state can be reached from here, notes that as a violation. The limit that kept it
  /// from finding out, if any.
  Limit look_for_livelock(const Options& limits);

  void violation(std::string_view property, std::string_view message) override;
  void discipline_broken(std::uint32_t /*cell*/) override {}

  Machine machine;
  std::vector<RecordedStep> steps;
  std::vector<Violation> violations;  ///< one for each property and message, as found

 private:
  void check();
  void name_values(RecordedStep& recorded, std::size_t undo_mark);

  Monitor* previous_monitor_;
  std::vector<Step> recorder_;
  bool at_end_ = false;
  bool muted_ = false;
};

}  // namespace futexmc::checker
