// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include <iostream>

#include "cli/interrupt.hpp"
#include "cli/run.hpp"

int main(int argc, char** argv) {
  futexmc::cli::install_interrupt_handlers();
  const int code = futexmc::cli::run(argc, argv, std::cout, std::cerr, isatty(STDERR_FILENO) == 1);
  std::cout.flush();
  return code;
}
