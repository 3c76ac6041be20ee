// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a cell is in the kernel's terms: which member of which structure, and on which cache line of
// that structure the member lies. docs/compare.md has the layouts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/variant.hpp"

namespace futexmc::properties {

struct Place {
  std::string structure;  ///< "futex_hash_bucket"
  std::string instance;   ///< "fph0.queues[1]"
  std::string member;     ///< "chain"; "next" and "prev" of a list are one
};
/// Of a cell of the layout at hand; for one without a name the member is empty.
Place place_of(std::uint32_t cell);

/// What accounts and sentences call a member.
struct Role {
  std::string name;    ///< "bucket priv"
  std::string phrase;  ///< "the bucket's back pointer"
  std::string group;   ///< "the bucket": what one no longer touches
};
Role role_of(const Place& place);

/// Whether the cell stands for something that the kernel has, rather than for the model's books or
/// the thread's own nesting counts.
bool counts(const Place& place);

/// The cache line of the member within its structure, "bucket" or "bucket (2)": members of one
/// instance with equal lines share a line.
std::string line_of(const Place& place, const model::Variant& variant);

/// "lookup", "put", "lock": the part of the operation that a function, the innermost of `calls`
/// that has a name for it, belongs to.
std::string phase_of(const std::vector<std::string>& calls);

}  // namespace futexmc::properties
