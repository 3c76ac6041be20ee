// SPDX-License-Identifier: GPL-2.0-or-later
//
// Running one execution on purpose: what it costs and whether it shows the violation looked for.
// Internal to the minimiser.
#pragma once

#include <string_view>

#include "checker/livelock.hpp"
#include "checker/machine.hpp"
#include "checker/minimize.hpp"

namespace futexmc::checker {

/// Waits for one signature, and is the monitor while it lives.
class Watch final : public Monitor {
 public:
  /// `livelock`: the states that show the finding, if it is one of kProgress. Both outlive this.
  explicit Watch(const Finding& finding, const Livelock* livelock = nullptr);
  ~Watch() override;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void violation(std::string_view property, std::string_view message) override;
  void discipline_broken(std::uint32_t /*cell*/) override { broken_ = true; }

  /// Looks whether the state at hand is one of the livelock's.
  void look_for_livelock(const Machine& machine);
  /// Forgets what it saw.
  void arm() { seen_ = false; }
  /// Since arm(), the violation happened.
  bool seen() const { return seen_; }
  /// Operations of the transition at hand up to the violation.
  std::uint32_t operations() const { return operations_; }
  /// Ever: a declared lock was not held, so movers cannot be trusted.
  bool broken() const { return broken_; }

 private:
  const Finding& finding_;
  const Livelock* livelock_;
  Monitor* before_;
  bool seen_ = false;
  bool broken_ = false;
  std::uint32_t operations_ = 0;
};

inline constexpr std::uint8_t kNoThread = kMaxThreads;  ///< none has run yet

/// Whether the watched violation shows in the state at hand. `final_only`: set if it took the
/// final conditions.
bool shows_here(Machine& machine, Watch& watch, bool* final_only = nullptr);

/// Threads that are ready whatever others do: no state is final before they have run on.
AgentMask ready_whatever_happens(const Machine& machine);

/// `cost` after a step of `agent`, when `last` ran last; updates `last`. Leaves Cost::threads.
Cost cost_after(const Machine& machine, Cost cost, std::uint8_t& last, std::size_t agent,
                std::uint32_t operations);

struct Execution {
  Path path;  ///< the choices taken, up to the violation
  Cost cost;
  bool shown = false;
  bool in_final_state = false;  ///< the violation is one of final conditions
};

/// How to take a path that does not fit.
enum class Fit : std::uint8_t {
  exact,   ///< a choice that cannot be taken ends the execution
  lenient  ///< it is left out, and at the end threads run on, with as few switches as may be
};
/// Runs `path` from the beginning. The machine is reset with the given granularity.
Execution execute(Machine& machine, Watch& watch, const Path& path, Fit fit, bool movers,
                  bool scoped);

}  // namespace futexmc::checker
