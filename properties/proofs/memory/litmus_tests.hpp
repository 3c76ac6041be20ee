// SPDX-License-Identifier: GPL-2.0-or-later
//
// A theorem's events as C litmus tests, for herd7 and for readers: one for each combination of the
// threads' runs that could have the bad outcome, and one for each outcome that must be possible.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/memory/questions.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::memory {

/// What the tests say of where they come from.
struct Origin {
  std::string theorem;
  std::string variant;
};

/// Each with the answer of lkmm::Model to its question, given in its comment. Combinations whose
/// texts are the same make one test. Throws std::runtime_error where something cannot be written.
std::vector<LitmusTest> litmus_tests(const Recording& recording, Ask ask, const Origin& origin,
                                     const Limits& limits);

}  // namespace futexmc::properties::proofs::memory
