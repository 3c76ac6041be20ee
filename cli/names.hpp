// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names that the user writes: whether they exist, and which known one was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace futexmc::cli {

using Names = std::vector<std::string>;

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The known name nearest to `name`: of equally near ones the last, since tables end with the
/// newest. Empty if there is none at all.
std::string nearest(std::string_view name, const Names& known);

/// "unknown kernel 'v7.9'; did you mean 'v7.3'?"
std::string unknown(std::string_view kind, std::string_view name, const Names& known);
/// Throws Failure (usage) with that message unless `name` is one of `known`.
void require(std::string_view kind, std::string_view name, const Names& known);

Names kernel_names();
Names patch_names();
Names knockout_names();
Names property_names();
/// The same, and those that are looked at only if asked for.
Names all_property_names();

}  // namespace futexmc::cli
