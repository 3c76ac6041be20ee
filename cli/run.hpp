// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program as a function, for main() and for tests.
#pragma once

#include <ostream>

namespace futexmc::cli {

/// Parses the options and runs the command. Returns the exit code (cli/exit_codes.hpp). Throws
/// nothing. Writes answers to `out`, diagnostics and progress to `err`; `terminal` says that `err`
/// is one, so that a progress line can be rewritten.
int run(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
        bool terminal = false);

}  // namespace futexmc::cli
