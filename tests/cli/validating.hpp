// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the program for its documents for CI systems, and sees that they are what they claim to be,
// by their schemas.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/cli.hpp"

#ifndef FUTEXMC_TEST_DIR
#define FUTEXMC_TEST_DIR "tests/cli"
#endif

namespace futexmc::cli {

using Arguments = std::vector<std::string>;

/// One thread sleeps for ever.
inline constexpr const char* kSleeps =
    "word f = 0;\nhash global;\nthread t { futex_wait(f, 0); }\n";
/// Fails with characters that mean something to XML.
inline constexpr const char* kMarkup =
    "var x = 0;\nthread t { store(x, 1); }\nfinally x < 1 && x > 2;\n";
inline const Arguments kViolated = {"check", "wake-global", "--patch", "bucket-ref-draft-1"};
inline const Arguments kInconclusive = {"check", "wait-wake", "wake-resize-twice", "--max-states",
                                        "100"};
inline const Arguments kHolds = {"check", "wait-wake"};

/// Validates with tools of the distribution, which cmake/setup.sh installs; without them its tests
/// fail.
class Validating : public InDirectory {
 protected:
  /// Runs a shell command: its exit code, and all that it printed.
  std::pair<int, std::string> command(const std::string& line) const {
    const int status = std::system((line + " >" + path("output") + " 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("output")};
  }
  void expect_valid(const std::string& validate, const std::string& document) const {
    const auto [code, text] = command(validate);
    EXPECT_EQ(code, 0) << validate << "\n" << text << "\n" << document;
  }
  static std::string schema(const char* name) {
    return std::string(FUTEXMC_TEST_DIR) + "/" + name;
  }
};

}  // namespace futexmc::cli
