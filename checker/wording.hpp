// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a step reads: C as a kernel developer would write it, with the values that mattered.
#pragma once

#include <string>

#include "checker/recording.hpp"

namespace futexmc::checker {

/// "atomic_inc(&hb0.waiters)  0 -> 1", "READ_ONCE(q.lock_ptr) = hb0.lock", "f = 1".
std::string wording(const RecordedStep& recorded);
/// An operation that has not happened: "schedule()".
std::string wording(const Step& pending);
/// "--- gp_end ---", with what it changed if that is one thing: "--- gp_end: done 0 -> 1 ---".
std::string event_wording(const RecordedStep& recorded);

/// A plain load or store, which only matters if somebody else looks at the same place.
bool is_plain_access(const Step& step);
/// A store that says nothing if it changes nothing.
bool is_store(const Step& step);
/// Takes a lock or enters a section that holds others up.
bool opens(const RecordedStep& recorded);
/// Releases a lock or leaves such a section.
bool closes(const RecordedStep& recorded);

}  // namespace futexmc::checker
