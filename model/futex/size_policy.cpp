// SPDX-License-Identifier: GPL-2.0-or-later
//
// The property `size-policy`, checked wherever one table is given up for another: when one takes
// the place of the installed one, and when two requests meet. Follows the comments in kernel/futex/
// core.c, futex_hash_allocate() and futex_hash_less(), and PR_FUTEX_HASH(2const).
//
// Invariants
//  1. A table has no slots, which stands for the global hash, or a power of two of them above one.
//  2. The global hash is never given up.
//  3. What the user chose is never given up for a default.
//  4. A default is never given up for a smaller one.
#include <bit>

#include "model/futex/futex.hpp"

namespace futexmc::model {
namespace {

unsigned slots_of(const futex_private_hash& fph) {
  const unsigned mask = fph.hash_mask.peek();
  return mask != 0 ? mask + 1 : 0;
}

}  // namespace

// Looks at the cells of the operation at hand: they are constant while the mutex is held.
void note_size_choice(const futex_private_hash& kept, const futex_private_hash* given_up,
                      const char* which) {
  machine.mm->phash.looked.poke(machine.mm->phash.looked.peek() | kLookedAtSizes);
  const unsigned slots = slots_of(kept);
  if (slots != 0 && !std::has_single_bit(slots)) {
    checker::report("size-policy", {"the number of slots is not a power of two"});
  }
  if (given_up == nullptr) return;
  if (slots_of(*given_up) == 0 && slots != 0) {
    checker::report("size-policy", {"the global hash is given up, ", which});
  } else if (given_up->custom.peek() && !kept.custom.peek()) {
    checker::report("size-policy", {"the user's choice is given up for a default, ", which});
  } else if (!given_up->custom.peek() && !kept.custom.peek() && slots < slots_of(*given_up)) {
    checker::report("size-policy", {"a default is given up for a smaller one, ", which});
  }
}

}  // namespace futexmc::model
