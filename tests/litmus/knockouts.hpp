// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everything that can be left out of the memory model, each with a generated test that misses it.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/lkmm/axioms.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {

struct Knockout {
  std::string name;
  Omitted omitted;
  unsigned test;  ///< number of a generated test whose verdict changes
};

inline std::vector<Knockout> knockouts() {
  return {
      {"coherence", {{Axiom::coherence}, {}}, 39},
      {"atomicity", {{Axiom::atomicity}, {}}, 17},
      {"happens-before", {{Axiom::happens_before}, {}}, 45},
      {"propagation", {{Axiom::propagation}, {}}, 54},
      {"rcu", {{Axiom::rcu}, {}}, 12},
      {"plain-coherence", {{Axiom::plain_coherence}, {}}, 10},
      {"mb", {{}, {Part::mb}}, 4},
      {"rmb", {{}, {Part::rmb}}, 141},
      {"wmb", {{}, {Part::wmb}}, 102},
      {"acquire", {{}, {Part::acquire}}, 4},
      {"release", {{}, {Part::release}}, 45},
      {"before-atomic", {{}, {Part::before_atomic}}, 112},
      {"after-atomic", {{}, {Part::after_atomic}}, 118},
      {"after-spinlock", {{}, {Part::after_spinlock}}, 276},
      {"after-unlock-lock", {{}, {Part::after_unlock_lock}}, 269},
      {"unlock-lock", {{}, {Part::unlock_lock}}, 33},
      {"address", {{}, {Part::address}}, 45},
      {"data", {{}, {Part::data}}, 136},
      {"control", {{}, {Part::control}}, 101},
      {"carried", {{}, {Part::carried}}, 680},
      {"cumulativity", {{}, {Part::cumulativity}}, 270},
      {"rmw-sequence", {{}, {Part::rmw_sequence}}, 192},
  };
}

}  // namespace futexmc::proofs::lkmm::litmus::testing
