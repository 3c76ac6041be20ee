// SPDX-License-Identifier: GPL-2.0-or-later
//
// The minimiser's fallback where the search for a proof is cut. Internal to the minimiser.
#pragma once

#include "checker/minimize_search.hpp"

namespace futexmc::checker {

/// Improves `best`, which shows the watched violation, until nothing tried helps, or the deadline,
/// the interrupt or a bound on executions ends it. Each candidate is run; what comes back was run.
Execution improve(Machine& machine, Watch& watch, Execution best, bool movers,
                  const Options& options, std::chrono::steady_clock::time_point deadline);

}  // namespace futexmc::checker
