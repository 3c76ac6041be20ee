// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/assert.hpp"
#include "model/futex/requeue_pi.hpp"
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
          .wake_op_entry = [] {},
          .other_entry = [] {},
          .futex_hash = &futex_hash_base,
          .private_hash = &private_hash_base,
          .hbr_put = &hbr_put_base,
          .pivot_publish = &pivot_publish_base,
          .wait_precheck = &wait_precheck_base,
          .wait_check = &wait_check_base,
          .private_hash_put = &futex_private_hash_put_base,
          .lock_pi_put = &lock_pi_put_base,
          .handoff_get = &handoff_get_base,
          .handoff_put = &handoff_put_base,
          .requeue_pi_wakeup_sync = &futex_requeue_pi_wakeup_sync};
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
      {"bucket-ref-draft-2", "draft 1 with the pointer reset in the loop",
       &apply_bucket_ref_draft_2,
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
      {"requeue-pi-acquire", "a requeued waiter acquires what it was given, however it sees it",
       &apply_requeue_pi_acquire},
  };
  return table;
}

namespace {

/// Calls `visit(name, whether it is there)` for each seam.
template <class Visit>
void each_seam(const Seams& set, Visit visit) {
  visit("PR_FUTEX_HASH_SET_SLOTS", set.hash_set_slots != nullptr);
  visit("PR_FUTEX_HASH_GET_SLOTS", set.hash_get_slots != nullptr);
  visit("futex_hash_allocate_default()", set.hash_allocate_default != nullptr);
  visit("the entry of futex_wait()", set.wait_entry != nullptr);
  visit("the gate of futex_wake()", set.wake_gate != nullptr);
  visit("the entry of futex_wake_op()", set.wake_op_entry != nullptr);
  visit("the entry of other operations", set.other_entry != nullptr);
  visit("futex_private_hash()", set.private_hash != nullptr);
  visit("futex_hash()", set.futex_hash != nullptr);
  visit("the put of a bucket reference", set.hbr_put != nullptr);
  visit("the publish in __futex_pivot_hash()", set.pivot_publish != nullptr);
  visit("the precheck in futex_wait_setup()", set.wait_precheck != nullptr);
  visit("the check in futex_wait_setup()", set.wait_check != nullptr);
  visit("futex_private_hash_put()", set.private_hash_put != nullptr);
  visit("the early put in futex_lock_pi()", set.lock_pi_put != nullptr);
  visit("the reference for a waiter that is taken off", set.handoff_get != nullptr);
  visit("the put of that reference", set.handoff_put != nullptr);
  visit("futex_requeue_pi_wakeup_sync()", set.requeue_pi_wakeup_sync != nullptr);
}

/// The seams that the patch replaces; the others are null.
Seams replaced_by(const std::string& patch) {
  Seams set{};
  find(patches(), patch).apply(set);
  return set;
}

/// The first seam that both replace; empty if there is none.
std::string common_seam(const Seams& a, const Seams& b) {
  std::vector<bool> in_a;
  each_seam(a, [&](const char*, bool set) { in_a.push_back(set); });
  std::string common;
  std::size_t at = 0;
  each_seam(b, [&](const char* name, bool set) {
    if (in_a[at++] && set && common.empty()) common = name;
  });
  return common;
}

}  // namespace

std::string conflict(const std::string& kernel, const std::vector<std::string>& patch_names) {
  Seams of_kernel = base_seams();
  find(kernels(), kernel).apply(of_kernel);
  for (std::size_t i = 0; i < patch_names.size(); ++i) {
    const std::string& later = patch_names[i];
    const Seams set = replaced_by(later);
    const bool on_private_hash = set.futex_hash != nullptr || set.wait_entry != nullptr;
    if (on_private_hash && !of_kernel.has_private_hash) {
      return "patch '" + later + "' changes the private hash, which kernel '" + kernel +
             "' has not";
    }
    for (std::size_t j = 0; j < i; ++j) {
      const std::string& earlier = patch_names[j];
      if (earlier == later) return "patch '" + later + "' is given twice";
      const std::string both = common_seam(replaced_by(earlier), set);
      if (both.empty()) continue;
      return "patches '" + earlier + "' and '" + later + "' both replace " + both;
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
