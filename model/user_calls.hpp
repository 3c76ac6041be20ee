// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a call in a scenario to the model's function: user_calls.cpp, and user_calls_pi.cpp for the
// operations of kernel/futex/pi.c.
#pragma once

#include <array>
#include <cstdint>

#include "model/scenario/program.hpp"

namespace futexmc::model {

/// The values of a call's operands; those past Instruction::operands are 0.
using Operands = std::array<std::int64_t, scenario::kMaxOperands>;

/// Runs the call (is_call() is true of `in`) for the current thread and gives its result.
std::int64_t system_call(const scenario::Instruction& in, const Operands& operands);
/// The same where is_pi() is true.
std::int64_t pi_system_call(const scenario::Instruction& in, const Operands& operands);

}  // namespace futexmc::model
