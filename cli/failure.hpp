// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a command throws when it cannot do what was asked; run() turns it into an exit code.
#pragma once

#include <stdexcept>
#include <string>

#include "cli/exit_codes.hpp"

namespace futexmc::cli {

class Failure : public std::runtime_error {
 public:
  /// `message`: for people, without "futexmc:" and without a final line feed.
  Failure(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace futexmc::cli
