// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>

#include "properties/proofs/lkmm/model.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::memory {

/// A proof's limits as those of questions to the memory model.
inline futexmc::proofs::lkmm::Limits limits_of(const Limits& limits) {
  futexmc::proofs::lkmm::Limits out;
  // Zero would be no limit.
  out.milliseconds = std::max(1U, static_cast<unsigned>(limits.query_seconds * 1000));
  out.interrupt = limits.interrupt;
  return out;
}

}  // namespace futexmc::properties::proofs::memory
