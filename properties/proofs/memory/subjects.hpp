// SPDX-License-Identifier: GPL-2.0-or-later
//
// The programs that the theorems are about: the model's own functions, called by two threads in a
// world prepared for them.
#pragma once

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// A wait for the word to change, and a store to it with a wake. Thread 0 waits.
Subject wait_and_wake(const model::Variant& variant);
/// SET_SLOTS sleeps until the current table is unused; thread 1 gives the last reference back...
Subject prctl_and_put(const model::Variant& variant);
/// ... or the count is folded, and turns out to be zero.
Subject prctl_and_fold(const model::Variant& variant);
/// Thread 0 asks whether the table is unused; thread 1 begins to make its count exact.
Subject dead_and_begin(const model::Variant& variant);

}  // namespace futexmc::properties::proofs::memory
