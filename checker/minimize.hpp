// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best story of one failure: the execution, among all that show exactly this property and
// message, that is easiest to follow.
//
// Two ways. A cheapest-first search over states proves its answer minimal. Where a limit cuts it,
// the best execution known is improved greedily, and every candidate is run to see that it still
// shows the same signature: the minimiser cannot wander to another bug.
//
// With movers on, the search is over transactions. Gathering a transaction's operations around its
// commit never adds a switch of thread or an event, so the first four parts of the cost are those
// of single operations; the last, the number of operations, is the least for whole transactions.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "checker/search.hpp"

namespace futexmc::checker {

/// What a reader pays for an execution, worst first; compared in this order.
struct Cost {
  std::uint32_t threads = 0;          ///< that take a step
  std::uint32_t switches = 0;         ///< changes of the thread that runs; events do not count
  std::uint32_t optional_events = 0;  ///< injected: ones that need never happen
  std::uint32_t events = 0;           ///< all, the owed ones too
  std::uint32_t operations = 0;       ///< of threads, up to the violation
  auto operator<=>(const Cost&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

struct Minimized {
  Path path;             ///< ends with the transition that shows the violation
  bool movers = false;   ///< the path's granularity: transactions, not operations
  bool shown = false;    ///< the path shows the signature; if not, nothing else here counts
  bool minimal = false;  ///< proved: no execution at this granularity costs less
  Cost cost;
  Limit limit = Limit::none;  ///< what cut the search, if anything did
  std::uint64_t states = 0;   ///< that the search settled
};

/// Finds the best execution that violates `finding.property` with `finding.message`. The finding's
/// path is where greedy improvement starts and bounds the search; it may be empty. It has the
/// granularity of `options.movers`, and the search begins with that (if the declared locks are not
/// held it goes on with operations; see Minimized::movers). Of the options the limits, `interrupt`,
/// `movers` and `scoped` count; a quarter of a finite `max_seconds` is kept for greedy improvement.
Minimized minimize(Program& program, const Finding& finding, const Options& options);

/// A path of transactions as the path of single operations (movers off) that it stands for. Runs
/// both and asserts that they do the same; `path` must be one that `program` can take.
Path to_operations(Program& program, const Path& path);

}  // namespace futexmc::checker
