// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a patch adds: violations less those that its kernel has without it.
#pragma once

#include <vector>

#include "cli/check_run.hpp"
#include "cli/names.hpp"

namespace futexmc::cli {

/// Checks the kernel alone where there are violations, and takes from the reports those of
/// properties that it violates in the same scenario. What it does not decide stays. Returns
/// "PROPERTY in SCENARIO" for each taken away.
Names drop_shared(const std::vector<CheckTask>& tasks, CheckRun run, ProgressDisplay& progress,
                  std::vector<CheckOutcome>& outcomes);

}  // namespace futexmc::cli
