// SPDX-License-Identifier: GPL-2.0-or-later
//
// The theorems on the reference count, the pivot and the count of waiters.
#pragma once

#include <vector>

#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::count {

std::vector<Theorem> theorems();

}  // namespace futexmc::properties::proofs::count
