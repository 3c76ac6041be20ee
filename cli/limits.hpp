// SPDX-License-Identifier: GPL-2.0-or-later
//
// From options to the limits of a search, and how many searches run at a time.
#pragma once

#include <string>

#include "checker/search.hpp"
#include "cli/commands.hpp"

namespace futexmc::cli {

/// Of a search that is one of `jobs` at a time. Unset limits: states none, time none, memory three
/// quarters of the machine's divided by `jobs`. Throws Failure (usage).
checker::Options limited(const LimitOptions& limits, std::size_t jobs);
/// --jobs, by default one a processor; at most `tasks`. Throws Failure (usage).
std::size_t job_count(const std::string& jobs, std::size_t tasks);

}  // namespace futexmc::cli
