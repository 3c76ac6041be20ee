// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/system/induction.hpp"

#include <algorithm>
#include <cmath>

namespace futexmc::properties::proofs {

void limit(z3::solver& solver, const Limits& limits) {
  constexpr double kMost = 4e9;  // the parameter has 32 bits
  z3::params parameters(solver.ctx());
  const double milliseconds = std::clamp(std::ceil(limits.query_seconds * 1000), 1.0, kMost);
  parameters.set("timeout", static_cast<unsigned>(milliseconds));
  solver.set(parameters);
}

z3::check_result ask(z3::solver& solver, const Limits& limits, std::string& why) {
  if (limits.interrupt != nullptr && limits.interrupt->load()) {
    why = "interrupted";
    return z3::unknown;
  }
  const z3::check_result result = solver.check();
  if (result == z3::unknown) {
    const std::string reason = solver.reason_unknown();
    why = reason == "timeout" || reason == "canceled" ? "--max-time was reached in a query"
                                                      : "the solver: " + reason;
  }
  return result;
}

}  // namespace futexmc::properties::proofs
