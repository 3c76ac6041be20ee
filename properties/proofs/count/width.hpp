// SPDX-License-Identifier: GPL-2.0-or-later
//
// The widths of the counters: the transition system counts with integers, the kernel sums `unsigned
// int` counters and adds the sum to a `long`.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/theorem.hpp"

namespace futexmc::properties::proofs::count {

/// What __futex_ref_atomic_end() computes with.
struct Widths {
  unsigned counter = 32;  ///< bits of a per-CPU counter and of the sum
  unsigned word = 64;     ///< bits of the atomic
  unsigned threads = 22;  ///< less than two to this many threads (PID_MAX_LIMIT is 4194304)
  bool sums = true;       ///< the fold adds what the CPUs counted
  bool initial = true;    ///< the counters start with a reference of the table's own
  bool extra = false;     ///< the fold does not take that reference off
};

/// Answer, execution, checks and reason are filled in.
Claim fold_is_exact(const Widths& widths, const Limits& limits);

}  // namespace futexmc::properties::proofs::count
