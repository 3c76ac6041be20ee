// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a theorem asks of its events.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/memory/events.hpp"

namespace futexmc::properties::proofs::memory {

/// Something that executions may do, in words.
struct Outcome {
  std::string what;
  z3::expr formula;
};

struct Questions {
  Outcome bad;
  std::vector<Outcome> possible;  ///< so that the proof is not about nothing
};

using Ask = Questions (*)(Events& events);

}  // namespace futexmc::properties::proofs::memory
