// SPDX-License-Identifier: GPL-2.0-or-later
//
// The theorem on a lost wakeup with two of each kind.
#pragma once

#include "properties/proofs/memory/questions.hpp"

namespace futexmc::properties::proofs::memory {

/// Threads 0 and 1 wait for the word to change, 2 and 3 each store to it and wake one waiter.
Subject two_waiters_two_wakers(const model::Variant& variant);
Questions ask_lost_wakeup_of_two(Events& events);

}  // namespace futexmc::properties::proofs::memory
