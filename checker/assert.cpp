// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/assert.hpp"

#include <unistd.h>

#include <cstdio>

namespace futexmc::checker {

void internal_error(const char* file, int line, const char* condition, const char* why) {
  std::fprintf(stderr, "futexmc: internal error: %s (%s) at %s:%d\n", why, condition, file, line);
  std::fflush(stderr);
  _exit(70);
}

}  // namespace futexmc::checker
