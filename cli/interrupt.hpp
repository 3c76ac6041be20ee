// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ctrl-C: searches look at a flag, stop, and report what they have.
#pragma once

#include <atomic>

namespace futexmc::cli {

/// Set when the user has asked to stop. Commands only read it.
std::atomic<bool>& interrupted();
/// Makes SIGINT and SIGTERM set the flag; a second one ends the program at once.
void install_interrupt_handlers();

}  // namespace futexmc::cli
