// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reader's form of a trace: what goes wrong in a paragraph, then a race diagram as kernel
// changelogs have it, ready to paste: 75 columns, spaces only.
#pragma once

#include <string>

#include "checker/replay.hpp"

namespace futexmc::checker {

/// Replays the trace and tells the story. If the program does not show the violation (any more),
/// the text says so and shows how far the replay came.
std::string explain(Program& program, const Trace& trace);
/// The same for a replay at hand.
std::string explain(const Trace& trace, const Replay& replay);

}  // namespace futexmc::checker
