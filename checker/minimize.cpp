// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sets of threads are tried by increasing size, since the number of threads weighs most: threads
// outside a set never run, which makes small sets cheap to search to the end.
#include "checker/minimize.hpp"

#include <bit>
#include <chrono>
#include <optional>
#include <vector>

#include "checker/assert.hpp"
#include "checker/minimize_greedy.hpp"
#include "checker/minimize_search.hpp"

namespace futexmc::checker {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  if (seconds > 1e9) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

class Minimizer {
 public:
  Minimizer(Program& program, const Finding& finding, const Livelock* livelock,
            const Options& options, bool movers)
      : machine_(program), watch_(finding, livelock), options_(options), movers_(movers),
        allowance_{options, after(options.max_seconds * 0.75)},
        end_(after(options.max_seconds)) {}

  Minimized run(const Path& path) {
    consider(path);
    consider({});
    proved_ = search();
    if (!proved_ && best_.shown) {
      best_ = improve(machine_, watch_, std::move(best_), movers_, options_, end_);
    }
    return {best_.path,  movers_,          best_.shown,       proved_ && best_.shown,
            best_.cost,  allowance_.limit, allowance_.states};
  }

  bool discipline_broken() const { return watch_.broken(); }

 private:
  /// Runs a path and keeps it if it is the best so far; false if it does not show the violation.
  bool consider(const Path& path) {
    Execution run = execute(machine_, watch_, path, Fit::exact, movers_, options_.scoped);
    const bool shown = run.shown;
    if (shown && (!best_.shown || run.cost < best_.cost)) best_ = std::move(run);
    return shown;
  }

  /// True if `best_` is proved to be the best (or, not shown, that nothing shows the violation).
  bool search() {
    machine_.reset(movers_, options_.scoped);
    const AgentMask needed = best_.in_final_state ? ready_whatever_happens(machine_) : 0;
    const AgentMask end = 1U << machine_.thread_count();
    for (std::uint32_t size = 0; size <= machine_.thread_count(); ++size) {
      if (best_.shown && best_.cost.threads < size) return true;
      for (AgentMask set = 0; set < end; ++set) {
        if (static_cast<std::uint32_t>(std::popcount(set)) != size) continue;
        if ((set & needed) == needed && !search_set(set, size)) return false;
      }
    }
    return true;
  }

  /// False if a limit cut the search.
  bool search_set(AgentMask set, std::uint32_t size) {
    constexpr Cost kUnbounded{~0U, ~0U, ~0U, ~0U, ~0U};
    const bool bounded = best_.shown && best_.cost.threads == size;
    const std::optional<Execution> found =
        cheapest(machine_, watch_, set,
                 {bounded ? best_.cost : kUnbounded, best_.shown && best_.in_final_state}, movers_,
                 allowance_);
    // States are merged by identity. A wrong scope makes an execution that cannot be run: then
    // nothing is proved.
    if (found && !consider(found->path)) return false;
    return allowance_.limit == Limit::none && !watch_.broken();
  }

  Machine machine_;
  Watch watch_;
  const Options& options_;
  const bool movers_;
  Allowance allowance_;
  const Clock::time_point end_;
  Execution best_;
  bool proved_ = false;
};

class Deaf final : public Monitor {
 public:
  Deaf() : before_(rt.monitor) { rt.monitor = this; }
  ~Deaf() override { rt.monitor = before_; }
  Deaf(const Deaf&) = delete;
  Deaf& operator=(const Deaf&) = delete;
  void violation(std::string_view /*property*/, std::string_view /*message*/) override {}
  void discipline_broken(std::uint32_t /*cell*/) override {}

 private:
  Monitor* before_;
};

/// The operations executed along a path; none if the path cannot be taken.
std::optional<std::vector<Step>> record(Machine& machine, const Path& path, bool movers) {
  const Deaf deaf;
  std::vector<Step> steps;
  std::vector<Step>* const before = rt.recorder;
  rt.recorder = &steps;  // reset() included: a both-mover that comes first runs there
  machine.reset(movers, true);
  bool possible = true;
  for (const Choice choice : path) {
    possible = choice.agent < machine.agent_count() &&
               ((machine.enabled() >> choice.agent) & 1) != 0 &&
               choice.alternative < machine.alternatives(choice.agent);
    if (!possible) break;
    machine.step(choice.agent, choice.alternative);
  }
  rt.recorder = before;
  if (!possible) return std::nullopt;
  return steps;
}

std::optional<Path> operations_of(Program& program, const Path& path) {
  Machine machine(program);
  const auto steps = record(machine, path, true);
  if (!steps) return std::nullopt;
  const Hash128 shared = arena.shared_hash;
  Path operations;
  for (const Step& step : *steps) {
    // An operation without alternatives shows those of the transaction's first.
    const std::uint8_t alternative = step.alternatives > 1 ? step.alternative : std::uint8_t{0};
    operations.push_back({static_cast<std::uint8_t>(step.agent), alternative});
  }
  const auto again = record(machine, operations, false);
  FUTEXMC_ASSERT(again && again->size() == steps->size() && arena.shared_hash == shared,
                 "a path of transactions differs from the same path of operations");
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const Step& one = (*steps)[i];
    const Step& other = (*again)[i];
    FUTEXMC_ASSERT(one.agent == other.agent && one.operation == other.operation &&
                       one.object == other.object && one.result == other.result,
                   "an operation within a transaction differs from the same one alone");
  }
  return operations;
}

/// The path is one of operations.
Minimized minimize_livelock(Program& program, const Finding& finding, const Options& options) {
  const Livelocks livelocks = find_livelocks(program, options);
  for (const Livelock& livelock : livelocks.found) {
    if (livelock.message != finding.message) continue;
    return Minimizer(program, finding, &livelock, options, false).run(livelock.path);
  }
  Minimized none;
  none.limit = livelocks.limit;
  return none;
}

}  // namespace

Minimized minimize(Program& program, const Finding& finding, const Options& options) {
  if (finding.property == kProgress) return minimize_livelock(program, finding, options);
  if (options.movers) {
    Minimizer minimizer(program, finding, nullptr, options, true);
    Minimized minimized = minimizer.run(finding.path);
    if (!minimizer.discipline_broken()) return minimized;
  }
  const auto converted = options.movers ? operations_of(program, finding.path)
                                        : std::optional<Path>(finding.path);
  return Minimizer(program, finding, nullptr, options, false).run(converted.value_or(Path{}));
}

Path to_operations(Program& program, const Path& path) {
  const std::optional<Path> operations = operations_of(program, path);
  FUTEXMC_ASSERT(operations, "a path that the program cannot take");
  return *operations;
}

}  // namespace futexmc::checker
