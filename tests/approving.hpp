// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdlib>

namespace futexmc {

/// Whether a test is to write its approved file anew: FUTEXMC_APPROVE is set, and to something.
inline bool approving() {
  const char* const wish = std::getenv("FUTEXMC_APPROVE");
  return wish != nullptr && *wish != '\0';
}

}  // namespace futexmc
