// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `prove` and `matrix` share.
#pragma once

#include <vector>

#include "cli/names.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::cli {

Names theorem_names();

/// Those that apply to the variant; deep ones only if asked for.
std::vector<const properties::proofs::Theorem*> default_theorems(const model::Variant& variant,
                                                                 bool deep);

/// Of several refuted theorems the first code in the order of exit_codes(); kBound if one is
/// unknown and none refuted; 0 if all are proved.
int proof_exit_code(const std::vector<properties::proofs::Claim>& claims);

}  // namespace futexmc::cli
