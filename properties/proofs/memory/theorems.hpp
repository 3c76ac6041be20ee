// SPDX-License-Identifier: GPL-2.0-or-later
//
// The theorems under the kernel's memory model.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::memory {

std::vector<Theorem> theorems();

}  // namespace futexmc::properties::proofs::memory
