// SPDX-License-Identifier: GPL-2.0-or-later
//
// Variants by name: what --kernel, --patch and --knockout say, and the rows of the matrix.
#pragma once

#include <string>
#include <vector>

#include "cli/names.hpp"
#include "model/variant.hpp"

namespace futexmc::cli {

inline constexpr const char* kBaseKernel = "v7.3";

/// Throws Failure (usage) for an unknown name.
model::Variant named_variant(const std::string& kernel, const Names& patches,
                             const Names& knockouts);
/// "sc" or "tso", what --memory says. Throws Failure (usage).
checker::Memory named_memory(const std::string& name);
/// The variant of a name such as variant_name() makes: parts joined by "+", of which the kernel is
/// `kernel` if none is named. Empty text: that kernel alone. Throws Failure (usage).
model::Variant parse_variant(const std::string& text, const std::string& kernel);
/// "v7.3", "bucket-ref-tglx", "v7.2+mismatch-precheck", "no-unqueue-rcu": good as a file name.
std::string variant_name(const model::Variant& variant);
/// The options that choose the variant, "--patch bucket-ref-tglx"; empty for the base.
std::string variant_options(const model::Variant& variant);

/// A row of the matrix: a kernel alone, a patch on the base kernel, or (NAME@posted) a patch on the
/// kernel that it was posted against.
struct Row {
  std::string name;
  std::string title;
  std::string kernel;
  Names patches;
};
const std::vector<Row>& rows();
/// What a row's violations are measured against: a patch's own kernel, for a kernel the base.
const Row& base_of(const Row& row);
Names row_names();

}  // namespace futexmc::cli
