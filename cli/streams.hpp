// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a command writes, and what it needs to know about it.
#pragma once

#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

namespace futexmc::cli {

using Json = nlohmann::ordered_json;

struct Streams {
  std::ostream& out;  ///< the answer
  std::ostream& err;  ///< diagnostics and progress
  bool terminal = false;  ///< `err` is a terminal
};

enum class Format { text, json, junit, sarif };

/// Text that is not UTF-8 is replaced. `indent` < 0: on one line.
inline std::string dump(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace futexmc::cli
