// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compiled code as text, for tests and for whoever wonders what a statement became.
#pragma once

#include <string>

#include "model/scenario/program.hpp"

namespace futexmc::scenario {

/// One line for each instruction: its index, and what it does with names in place of numbers.
/// Repeat counters are c0, c1, ..., temporaries t0, t1, ...
std::string listing(const Scenario& scenario, const Thread& thread);

/// A condition in postfix order on one line.
std::string listing(const Scenario& scenario, const Condition& condition);

}  // namespace futexmc::scenario
