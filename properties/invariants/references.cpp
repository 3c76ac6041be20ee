// SPDX-License-Identifier: GPL-2.0-or-later
//
// refcount: what the per-CPU counters and the atomic together say is what is really held.
//
// While the count is per CPU its sum is 1 + held, the 1 being the initial reference. From the bias
// on, per-CPU sum plus atomic minus bias is that. Once folded the atomic is what is held, and the
// per-CPU sum is the next table's initial reference.
#include <climits>

#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {

using namespace model;  // NOLINT(google-build-using-namespace): reads like the kernel's

bool refcount(checker::Monitor& monitor) {
  const futex_mm_phash& phash = machine.mm->phash;
  const futex_private_hash* const current_table = phash.hash.peek();
  for (const futex_private_hash* fph : machine.table) {
    if (fph != current_table && is_live(fph) && fph->holders.peek() != 0) {
      monitor.violation("refcount", "a reference is held on a table that is not the current one");
    }
  }
  if (current_table == nullptr || !is_live(current_table)) return false;
  if (phash.folding.peek() != 0) return false;
  const int held = current_table->holders.peek();
  const long atomic = phash.atomic.peek();
  const int per_cpu = phash.ref.ahead.peek() + phash.ref.behind.peek();
  // A get may carry the biased value past LONG_MAX: atomics wrap, and so does the difference.
  const auto above_bias = static_cast<long>(static_cast<unsigned long>(atomic) - LONG_MAX);
  const bool biased = static_cast<unsigned long>(atomic) > LONG_MAX / 2;
  if (current_table->state.peek() == FR_PERCPU) {
    if (per_cpu != 1 + held) {
      monitor.violation("refcount", "the per-CPU count is not the references held and one");
    }
    if (atomic != 0 && atomic != LONG_MAX) {
      monitor.violation("refcount", "the atomic changes while the count is per CPU");
    }
  } else if (biased ? wrapping_add(per_cpu, above_bias) != 1 + held : atomic != held) {
    monitor.violation("refcount", biased ? "the biased count is not the references held and one"
                                         : "the folded count is not the references held");
  }
  return held != 0;
}

bool no_leak(const checker::FinalState& state, checker::Monitor& monitor) {
  if (!state.blocked.empty() || state.any_faulted) return false;
  const futex_mm_phash& phash = machine.mm->phash;
  for (const futex_private_hash* fph : machine.table) {
    if (is_live(fph) && fph != phash.hash.peek() && fph != phash.hash_new.peek()) {
      monitor.violation("lifetime", "a futex_private_hash is leaked");
    }
  }
  for (const futex_pi_state* pi_state : machine.pi_state) {
    if (pi_state != nullptr && is_leaked(*pi_state)) {
      monitor.violation("lifetime", "a futex_pi_state is leaked");
    }
  }
  if (machine.mm->users.peek() != 0) {
    monitor.violation("lifetime", "a reference on the mm is leaked");
  }
  return true;
}

}  // namespace futexmc::properties
