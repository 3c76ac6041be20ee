// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is being checked: a kernel version, patches on top, and things knocked out.
//
// The base is v7.3. Functions are cut at seams, named places where versions and patches differ. A
// kernel or a patch replaces seams; what it does not replace is the base's.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "model/futex/futex.hpp"

namespace futexmc::model {

/// The places where kernels and patches differ. Each follows the function it is named after.
struct Seams {
  /// Whether a process can have a hash of its own; if not, the three hash_* below say so to users.
  bool has_private_hash;
  /// prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS).
  int (*hash_set_slots)(unsigned slots);
  /// prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_GET_SLOTS).
  int (*hash_get_slots)();
  /// What clone() asks for before the new thread runs.
  int (*hash_allocate_default)();
  /// futex_wait(), on entry; may sleep.
  void (*wait_entry)();
  /// futex_wake(), after the key and before the bucket; may sleep.
  void (*wake_gate)();
  /// futex_wake_op(), on entry; may sleep.
  void (*wake_op_entry)();
  /// futex_requeue(), futex_waitv() and the operations of pi.c, on entry; may sleep.
  void (*other_entry)();
  /// Finds a key's bucket and takes a reference on its table.
  futex_bucket_ref (*futex_hash)(const futex_key& key);
  /// futex_private_hash(): a reference on the current table, or null.
  futex_private_hash* (*private_hash)(mm_struct& mm);
  /// The end of CLASS(hbr): gives the reference back.
  void (*hbr_put)(const futex_bucket_ref& hbr);
  /// __futex_pivot_hash(): makes `fph` the table that lookups find, and samples the cookie.
  void (*pivot_publish)(mm_struct& mm, futex_private_hash& fph);
  /// futex_wait_setup(), after the key and before the bucket: 0, or the error that refuses.
  int (*wait_precheck)(UserWord& word, std::int64_t val, unsigned flags);
  /// futex_wait_setup(), the authoritative test under the bucket lock: 0, -EFAULT, -EWOULDBLOCK.
  int (*wait_check)(UserWord& word, std::int64_t val);
  /// futex_private_hash_put(): drops the reference and wakes who waits for the last one.
  void (*private_hash_put)(futex_private_hash* fph);
  /// futex_lock_pi(), before it blocks: gives its reference back, in place of the end of scope.
  void (*lock_pi_put)(futex_bucket_ref& hbr);
  /// futex_unlock_pi(), with the bucket locked: a reference for a waiter that it takes off.
  void (*handoff_get)(futex_q& q, futex_hash_bucket& hb, const futex_key& key);
  /// The waiter gives it back, if there is one.
  void (*handoff_put)(futex_q& q);
  /// futex_requeue_pi_wakeup_sync(): what a waiter that has woken finds of its requeue.
  int (*requeue_pi_wakeup_sync)(futex_q& q);
};
Seams base_seams();

/// Things that can be removed, one at a time or together. The table in knockouts/ has a line for
/// each: what it is, which property catches it, in which scenario.
enum class Knockout : std::uint8_t {
#define FUTEXMC_KNOCKOUT(id, name) id,
#include "model/knockouts.def"
#undef FUTEXMC_KNOCKOUT
  count
};

/// What explores: memory that is sequentially consistent, x86's, or the kernel's own model.
enum class Engine : std::uint8_t { sc, tso, lkmm };
std::string name_of(Engine engine);

struct KnockoutInfo {
  Knockout id;
  std::string name;           ///< "unqueue-recheck"
  std::string function;       ///< of the kernel, that has it
  std::string title;          ///< what is removed
  std::string property = {};  ///< that catches it
  std::string scenario = {};  ///< in which it is caught
  Engine engine = Engine::sc;  ///< the weakest that sees it removed
  /// Of what nothing catches: why. Then property and scenario are of it and `together` removed.
  std::string why = {};
  std::string together = {};  ///< the knock-out of what supplies the order instead, if there is one
  /// False if what is found is that something never happens, or that a loop is endless and a final
  /// state is missing: no single execution shows that.
  bool story = true;
};
const std::vector<KnockoutInfo>& knockouts();

/// A kernel version or a patch: a name, a one-line title, and the seams it replaces.
struct Change {
  std::string name;
  std::string title;
  void (*apply)(Seams& seams);
  /// Patches: the kernel that it was posted against, if that is not the base.
  const char* posted = nullptr;
};
const std::vector<Change>& kernels();
const std::vector<Change>& patches();

struct Variant {
  std::string kernel = "v7.3";
  std::vector<std::string> patches;
  std::vector<std::string> knockouts;
  checker::Memory memory = checker::Memory::sc;
  Seams seams;
  std::bitset<static_cast<std::size_t>(Knockout::count)> removed;
};

/// Why these patches cannot be applied to the kernel: two of them replace one seam or one is there
/// twice, in which case the later would silently win, or the kernel has nothing that one changes.
/// Empty if they can.
std::string conflict(const std::string& kernel, const std::vector<std::string>& patch_names);

/// The variant of these names, all of which must exist (see kernels(), patches(), knockouts()).
Variant make_variant(std::string kernel, std::vector<std::string> patch_names,
                     std::vector<std::string> removed);

inline const Seams& seams() { return machine.variant->seams; }
inline bool knocked(Knockout what) {
  return machine.variant->removed.test(static_cast<std::size_t>(what));
}

}  // namespace futexmc::model
