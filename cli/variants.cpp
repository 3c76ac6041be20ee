// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/variants.hpp"

#include <algorithm>

#include "cli/failure.hpp"

namespace futexmc::cli {

model::Variant named_variant(const std::string& kernel, const Names& patches,
                             const Names& knockouts) {
  require("kernel", kernel, kernel_names());
  for (const std::string& patch : patches) require("patch", patch, patch_names());
  for (const std::string& knockout : knockouts) require("knock-out", knockout, knockout_names());
  const std::string conflict = model::conflict(kernel, patches);
  if (!conflict.empty()) throw Failure(exit_code::kUsage, conflict);
  return model::make_variant(kernel, patches, knockouts);
}

checker::Memory named_memory(const std::string& name) {
  require("memory model", name, {"sc", "tso"});
  return name == "tso" ? checker::Memory::tso : checker::Memory::sc;
}

model::Variant parse_variant(const std::string& text, const std::string& kernel) {
  const Names kernels = kernel_names();
  std::string chosen = kernel;
  Names patches;
  Names knockouts;
  bool has_kernel = false;
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t end = std::min(text.find('+', from), text.size());
    const std::string part = text.substr(from, end - from);
    from = end + 1;
    if (std::find(kernels.begin(), kernels.end(), part) != kernels.end()) {
      if (has_kernel) throw Failure(exit_code::kUsage, "variant '" + text + "' has two kernels");
      has_kernel = true;
      chosen = part;
    } else if (part.starts_with("no-")) {
      knockouts.push_back(part.substr(3));
    } else {
      Names known = patch_names();
      known.insert(known.end(), kernels.begin(), kernels.end());
      require("kernel or patch", part, known);
      patches.push_back(part);
    }
  }
  return named_variant(chosen, patches, knockouts);
}

std::string variant_name(const model::Variant& variant) {
  Names parts;
  const bool alone = variant.patches.empty() && variant.knockouts.empty();
  if (variant.kernel != kBaseKernel || alone) parts.push_back(variant.kernel);
  parts.insert(parts.end(), variant.patches.begin(), variant.patches.end());
  for (const std::string& knockout : variant.knockouts) parts.push_back("no-" + knockout);
  if (variant.memory == checker::Memory::tso) parts.push_back("tso");
  std::string name;
  for (const std::string& part : parts) name += (name.empty() ? "" : "+") + part;
  return name;
}

std::string variant_options(const model::Variant& variant) {
  std::string options;
  if (variant.kernel != kBaseKernel) options += " --kernel " + variant.kernel;
  for (const std::string& patch : variant.patches) options += " --patch " + patch;
  for (const std::string& knockout : variant.knockouts) options += " --knockout " + knockout;
  if (variant.memory == checker::Memory::tso) options += " --memory tso";
  return options.empty() ? options : options.substr(1);
}

const std::vector<Row>& rows() {
  static const std::vector<Row> table = [] {
    std::vector<Row> made;
    for (const model::Change& kernel : model::kernels()) {
      made.push_back({kernel.name, kernel.title, kernel.name, {}});
    }
    for (const model::Change& patch : model::patches()) {
      made.push_back({patch.name, patch.title, kBaseKernel, {patch.name}});
    }
    for (const model::Change& patch : model::patches()) {
      if (patch.posted == nullptr) continue;
      made.push_back({patch.name + "@posted", patch.title, patch.posted, {patch.name}});
    }
    return made;
  }();
  return table;
}

const Row& base_of(const Row& row) {
  const std::string kernel = row.patches.empty() ? kBaseKernel : row.kernel;
  return *std::find_if(rows().begin(), rows().end(), [&](const Row& other) {
    return other.patches.empty() && other.kernel == kernel;
  });
}

Names row_names() {
  Names names;
  for (const Row& row : rows()) names.push_back(row.name);
  return names;
}

}  // namespace futexmc::cli
