// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/assert.hpp"
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

void apply_nothing(Seams& /*seams*/) {}

const Change& find(const std::vector<Change>& changes, const std::string& name) {
  const auto it = std::find_if(changes.begin(), changes.end(),
                               [&](const Change& change) { return change.name == name; });
  FUTEXMC_ASSERT(it != changes.end(), "a variant names something unknown");
  return *it;
}

}  // namespace

Seams base_seams() {
  return {&futex_hash_base,    &hbr_put_base,    &pivot_publish_base,
          &wait_precheck_base, &wait_check_base, &futex_private_hash_put_base};
}

const std::vector<Change>& kernels() {
  static const std::vector<Change> table = {
      {"v7.2", "Linux 7.2.6: the grace-period cookie is sampled before the new table is published",
       &apply_v7_2},
      {"v7.3", "Linux 7.3.4: the base of the model", &apply_nothing},
  };
  return table;
}

const std::vector<Change>& patches() {
  static const std::vector<Change> table = {
      {"bucket-ref-draft-1", "bucket and table returned together; the pointer survives a retry",
       &apply_bucket_ref_draft_1},
      {"bucket-ref-tglx", "table pointer passed in and out; the put reads the back pointer",
       &apply_bucket_ref_tglx},
      {"mismatch-precheck", "a wait whose value differs is refused before the bucket is found",
       &apply_mismatch_precheck},
  };
  return table;
}

Variant make_variant(std::string kernel, std::vector<std::string> patch_names,
                     std::vector<std::string> removed) {
  Variant variant;
  variant.seams = base_seams();
  find(kernels(), kernel).apply(variant.seams);
  for (const std::string& name : patch_names) find(patches(), name).apply(variant.seams);
  for (const std::string& name : removed) {
    const auto& table = knockouts();
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&](const KnockoutInfo& info) { return info.name == name; });
    FUTEXMC_ASSERT(it != table.end(), "a variant names an unknown knock-out");
    variant.removed.set(static_cast<std::size_t>(it->id));
  }
  variant.kernel = std::move(kernel);
  variant.patches = std::move(patch_names);
  variant.knockouts = std::move(removed);
  return variant;
}

}  // namespace futexmc::model
