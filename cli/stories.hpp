// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which stories a check tells: for each violated property the one that is easiest to follow, if
// that makes only a few; else how to get them.
#pragma once

#include <string>
#include <vector>

#include "cli/check_run.hpp"
#include "cli/names.hpp"

namespace futexmc::cli {

/// At most so many are told.
inline constexpr std::size_t kMaxStories = 3;

/// `arguments`: the scenarios as named on the command line, empty for all. `command` shows one of
/// them again: "check".
std::string stories(const std::vector<CheckOutcome>& outcomes, const Names& arguments,
                    const model::Variant& variant, const std::string& command);

}  // namespace futexmc::cli
