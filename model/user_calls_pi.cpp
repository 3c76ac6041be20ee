// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/assert.hpp"
#include "model/user_calls.hpp"

namespace futexmc::model {

std::int64_t pi_system_call(const scenario::Instruction& /*in*/, const Operands& /*operands*/) {
  FUTEXMC_ASSERT(false, "a call that the compiler refuses");
}

}  // namespace futexmc::model
