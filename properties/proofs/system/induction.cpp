// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/system/induction.hpp"

namespace futexmc::properties::proofs {

z3::check_result ask(z3::solver& solver, const Limits& limits, std::string& why) {
  futexmc::proofs::check(limits.watch);
  const futexmc::proofs::Watch::Over over(limits.watch, solver.ctx());
  z3::params params(solver.ctx());
  params.set("ctrl_c", false);  // it would keep the signal from who waits for it
  solver.set(params);
  const z3::check_result result = solver.check();
  if (result == z3::unknown) {
    futexmc::proofs::check(limits.watch);
    why = "the solver: " + solver.reason_unknown();
  }
  return result;
}

}  // namespace futexmc::properties::proofs
