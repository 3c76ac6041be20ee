// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program's exit codes: the one table, which `futexmc --help` prints. The codes of violated
// properties are in properties/property.cpp, with the properties.
#pragma once

#include <span>
#include <string>

namespace futexmc::cli {

namespace exit_code {
inline constexpr int kHolds = 0;
inline constexpr int kExpectationMissed = 15;
inline constexpr int kBound = 20;
inline constexpr int kTime = 21;
inline constexpr int kMemory = 22;
inline constexpr int kUsage = 64;
inline constexpr int kBadInput = 65;
inline constexpr int kInternal = 70;
inline constexpr int kReproduces = 0;
inline constexpr int kNowPasses = 1;
inline constexpr int kDiverges = 2;
}  // namespace exit_code

struct ExitCode {
  int code;
  const char* meaning;
};
std::span<const ExitCode> exit_codes();
/// The table as text, a line each.
std::string exit_code_table();

}  // namespace futexmc::cli
