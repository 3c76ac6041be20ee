// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "properties/proofs/lkmm/model.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::memory {

/// A proof's limits as those of questions to the memory model.
inline futexmc::proofs::lkmm::Limits limits_of(const Limits& limits) {
  futexmc::proofs::lkmm::Limits out;
  out.watch = limits.watch;
  return out;
}

}  // namespace futexmc::properties::proofs::memory
