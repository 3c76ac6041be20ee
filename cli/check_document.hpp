// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc check` as one document, for programs: docs/json.md and docs/ci.md describe them.
#pragma once

#include <string>
#include <vector>

#include "cli/check_run.hpp"
#include "cli/names.hpp"

namespace futexmc::cli {

/// A check that has come to its end, with what the documents say about it.
struct FinishedCheck {
  const std::vector<CheckTask>& tasks;        ///< not empty, all on one variant
  const std::vector<CheckOutcome>& outcomes;  ///< one for each task
  Names paths;                                ///< of the scenarios, likewise
  Names properties;                           ///< that were checked
  Names not_checked;  ///< scenarios that use what the kernel has not
  bool stop_at_first = false;
  Summary summary;
  int exit_code = 0;  ///< the program's
};

Json check_json(const FinishedCheck& check);
std::string check_junit(const FinishedCheck& check);
Json check_sarif(const FinishedCheck& check);

/// Why a property that was not violated may still be: the search was cut short, or is not to be
/// trusted. Empty if it holds.
struct Undecided {
  std::string reason;
  bool internal_error = false;
};
Undecided undecided(const CheckOutcome& outcome, bool stop_at_first);

}  // namespace futexmc::cli
