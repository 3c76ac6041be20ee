// SPDX-License-Identifier: GPL-2.0-or-later
//
// Avoid hash-bucket locking for mismatched waits (Usama Arif, 31 July 2026): the word is read once
// before the bucket is looked up. A mismatch refuses the wait; a match proves nothing, and the test
// under the bucket lock decides as before.
#include "model/patches/patches.hpp"

namespace futexmc::model {
namespace {

int wait_precheck_unlocked(UserWord& word, std::int64_t val, unsigned flags) {
  Scope scope("futex_wait_setup");
  bool differs = false;
  if ((flags & FLAGS_SHARED) != 0) {
    // The page was just faulted in by get_futex_key(); if it went, the locked path copes.
    if (!get_user_inatomic(word, val, differs)) return scope.returns(0);
  } else {
    differs = get_user_differs(word, val);
  }
  return scope.returns(differs ? -EWOULDBLOCK : 0);
}

}  // namespace

void apply_mismatch_precheck(Seams& seams) { seams.wait_precheck = &wait_precheck_unlocked; }

}  // namespace futexmc::model
