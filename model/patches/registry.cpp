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
  return {.has_private_hash = true,
          .hash_set_slots = [](unsigned slots) { return futex_hash_allocate(slots, FH_CUSTOM); },
          .hash_get_slots = &futex_hash_get_slots,
          .hash_allocate_default = &futex_hash_allocate_default,
          .wait_entry = [] {},
          .wake_gate = [] {},
          .futex_hash = &futex_hash_base,
          .hbr_put = &hbr_put_base,
          .pivot_publish = &pivot_publish_base,
          .wait_precheck = &wait_precheck_base,
          .wait_check = &wait_check_base,
          .private_hash_put = &futex_private_hash_put_base};
}

const std::vector<Change>& kernels() {
  static const std::vector<Change> table = {
      {"v6.12", "Linux 6.12: the global hash only", &apply_v6_12},
      {"v6.18", "Linux 6.18: private hash, back pointer in every bucket", &apply_v7_1},
      {"v7.1", "Linux 7.1: as v6.18 for threads", &apply_v7_1},
      {"v7.2", "Linux 7.2.6: the grace-period cookie is sampled before the new table is published",
       &apply_v7_2},
      {"v7.2.13", "Linux 7.2.13: the cookie after the publish; as v7.3 for threads",
       &apply_nothing},
      {"v7.3", "Linux 7.3.4: the base of the model", &apply_nothing},
  };
  return table;
}

const std::vector<Change>& patches() {
  static const std::vector<Change> table = {
      {"split-cacheline", "the bucket's chain on a cache line of its own: layout only",
       &apply_nothing, "v7.1"},
      {"bucket-ref-draft-1", "bucket and table returned together; the pointer survives a retry",
       &apply_bucket_ref_draft_1, "v7.1"},
      {"bucket-ref-tglx", "table pointer passed in and out; the put reads the back pointer",
       &apply_bucket_ref_tglx, "v7.1"},
      {"bucket-ref-draft-2", "draft 1 with the pointer reset in the loop", &apply_bucket_ref,
       "v7.1"},
      {"bucket-ref", "the bucket reference as merged, which the base has", &apply_bucket_ref,
       "v7.1"},
      {"mismatch-precheck", "a wait whose value differs is refused before the bucket is found",
       &apply_mismatch_precheck},
      {"hash-wait-new", "waits and wakes sleep while a new table waits to be installed",
       &apply_hash_wait_new},
      {"rwsem-gate-entry", "percpu-rwsem gate where an operation enters the kernel",
       &apply_rwsem_gate_entry},
      {"rwsem-gate-get", "percpu-rwsem gate at every lookup that takes a reference",
       &apply_rwsem_gate_get},
  };
  return table;
}

namespace {

/// Calls `visit(name, in a, in b)` for each seam.
template <class Visit>
void each_seam(const Seams& a, const Seams& b, Visit visit) {
  visit("PR_FUTEX_HASH_SET_SLOTS", a.hash_set_slots == b.hash_set_slots);
  visit("PR_FUTEX_HASH_GET_SLOTS", a.hash_get_slots == b.hash_get_slots);
  visit("futex_hash_allocate_default()", a.hash_allocate_default == b.hash_allocate_default);
  visit("the entry of futex_wait()", a.wait_entry == b.wait_entry);
  visit("the gate of futex_wake()", a.wake_gate == b.wake_gate);
  visit("futex_hash()", a.futex_hash == b.futex_hash);
  visit("the put of a bucket reference", a.hbr_put == b.hbr_put);
  visit("the publish in __futex_pivot_hash()", a.pivot_publish == b.pivot_publish);
  visit("the precheck in futex_wait_setup()", a.wait_precheck == b.wait_precheck);
  visit("the check in futex_wait_setup()", a.wait_check == b.wait_check);
  visit("futex_private_hash_put()", a.private_hash_put == b.private_hash_put);
}

}  // namespace

std::string conflict(const std::vector<std::string>& patch_names) {
  const Seams base = base_seams();
  for (std::size_t i = 0; i < patch_names.size(); ++i) {
    Seams later = base;
    find(patches(), patch_names[i]).apply(later);
    for (std::size_t j = 0; j < i; ++j) {
      if (patch_names[j] == patch_names[i]) return "patch '" + patch_names[i] + "' is given twice";
      Seams earlier = base;
      find(patches(), patch_names[j]).apply(earlier);
      std::vector<bool> replaced;
      each_seam(base, earlier, [&](const char*, bool same) { replaced.push_back(!same); });
      std::size_t at = 0;
      std::string both;
      each_seam(base, later, [&](const char* name, bool same) {
        if (replaced[at++] && !same && both.empty()) both = name;
      });
      if (!both.empty()) {
        return "patches '" + patch_names[j] + "' and '" + patch_names[i] + "' both replace " + both;
      }
    }
  }
  return {};
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
