// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/exit_codes.hpp"

#include <array>

#include <fmt/format.h>

namespace futexmc::cli {

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 15> table = {{
      {0, "holds, completely within the stated bounds; --expect met; replay: reproduces; matrix: "
          "every cell decided; diff: compared completely; prove: all proved"},
      {1, "replay, explain, minimize: the violation no longer shows"},
      {2, "replay, explain, minimize: the program does not do what the trace says"},
      {13, "violated, or a theorem refuted: lifetime or reference count (of several the first in "
           "this list)"},
      {11, "violated: deadlock or lost wakeup"},
      {10, "violated: an invariant or a condition of the scenario"},
      {12, "violated: progress"},
      {14, "violated: conformance"},
      {15, "--expect not met"},
      {20, "inconclusive: --max-states reached, or sampled only (of several limits the first in "
           "this list); prove: unknown"},
      {21, "inconclusive: --max-time reached, or interrupted"},
      {22, "inconclusive: --max-memory reached"},
      {64, "usage: an unknown name or option, a bad value, a file that cannot be read"},
      {65, "a scenario or trace that is malformed"},
      {70, "internal error: a bug of futexmc; its verdicts do not count"},
  }};
  return table;
}

std::string exit_code_table() {
  std::string text = "Exit codes:\n";
  for (const ExitCode& entry : exit_codes()) {
    text += fmt::format("  {:>2}  {}\n", entry.code, entry.meaning);
  }
  return text;
}

}  // namespace futexmc::cli
