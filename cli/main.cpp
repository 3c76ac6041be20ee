// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include <iostream>

#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/run.hpp"

int main(int argc, char** argv) {
  futexmc::cli::install_interrupt_handlers();
  const int code = futexmc::cli::run(argc, argv, std::cout, std::cerr, isatty(STDERR_FILENO) == 1);
  if (!std::cout.flush()) {
    std::cerr << "futexmc: cannot write to standard output\n";
    return futexmc::cli::exit_code::kUsage;
  }
  return code;
}
