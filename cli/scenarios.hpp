// SPDX-License-Identifier: GPL-2.0-or-later
//
// The scenarios that come with the program, and those named on the command line.
#pragma once

#include <string>
#include <vector>

#include "checker/runtime.hpp"
#include "cli/names.hpp"
#include "cli/streams.hpp"
#include "model/scenario/scenario.hpp"

namespace futexmc::cli {

/// Names of the scenarios that come with the program, sorted.
Names scenario_names();
/// The file of the scenario that is meant. Throws Failure (usage) for an unknown name.
std::string scenario_path(const std::string& name_or_path);
/// The scenario of that name or in that file. Throws Failure.
scenario::Scenario load_scenario(const std::string& name_or_path);
/// The names without those that mean a file named before, of which a note is written.
Names each_once(const Names& names, Streams& streams);
/// Several, or all that come with the program if `names` is empty. Throws one Failure that says
/// what is wrong with each of those that are malformed.
std::vector<scenario::Scenario> load_scenarios(const std::vector<std::string>& names);
/// Sees that the checker can take them with that memory, too. Throws Failure (usage).
void require_room(const std::vector<scenario::Scenario>& scenarios, checker::Memory memory);
/// Compiles `text`, and sees that the checker can take it. Throws Failure (bad input) with rendered
/// diagnostics. `place` names the text in messages.
scenario::Scenario parse_scenario(const std::string& text, const std::string& place);

}  // namespace futexmc::cli
