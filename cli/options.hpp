// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of every command: names, help, defaults.
#pragma once

#include <functional>

#include "cli/streams.hpp"

namespace CLI {
class App;
}

namespace futexmc::cli {

/// Adds the commands to `app`. After parsing, the function returned runs the one that was given.
std::function<int(Streams&)> add_commands(CLI::App& app);

}  // namespace futexmc::cli
