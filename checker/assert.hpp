// SPDX-License-Identifier: GPL-2.0-or-later
//
// Broken internals stop the program in every build type: a checker that goes on after a mistake
// of its own gives verdicts that nobody should trust.
#pragma once

namespace futexmc::checker {

/// Prints where and why on standard error and exits with code 70 (internal error).
[[noreturn]] void internal_error(const char* file, int line, const char* condition,
                                 const char* why);

}  // namespace futexmc::checker

/// Checks an internal invariant in every build type.
#define FUTEXMC_ASSERT(condition, why)                                                     \
  (__builtin_expect(!!(condition), 1)                                                      \
       ? static_cast<void>(0)                                                              \
       : ::futexmc::checker::internal_error(__FILE__, __LINE__, #condition, why))
