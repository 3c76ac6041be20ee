// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random litmus tests, the same on every machine: a test is a function of its number.
#pragma once

#include "properties/proofs/lkmm/litmus.hpp"
#include "tests/litmus/random.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {

/// Those with a stored verdict are the numbers below this.
inline constexpr unsigned kGenerated = 700;

/// The name is the number and a fingerprint of the text, so that a verdict stored for a name is
/// never taken for that of another text.
Program generate(unsigned number);

/// Threads in a ring, each ordering two accesses somehow, and each second access communicating
/// with the next thread's first: the condition asks for the cycle.
Program generate_cycle(Random& random);
/// Statements at random over few locations, and a condition at random.
Program generate_mix(Random& random);

}  // namespace futexmc::proofs::lkmm::litmus::testing
