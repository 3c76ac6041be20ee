// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a step reads: C as a kernel developer would write it, with the values that mattered.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "checker/recording.hpp"

namespace futexmc::checker {

/// Words for the steps of the execution that ran last: names come from the arena's layout too.
class Wording {
 public:
  explicit Wording(const std::vector<RecordedStep>& steps);

  /// "atomic_inc(&hb0.waiters)  0 -> 1", "READ_ONCE(q.lock_ptr) = hb0.lock", "f = 1".
  std::string of(const RecordedStep& recorded) const;
  /// An operation that has not happened: "schedule()".
  std::string of(const Step& pending) const;
  /// "gp_end", with what it changed if that is one thing: "gp_end: done 0 -> 1".
  std::string of_event(const RecordedStep& recorded) const;

 private:
  std::string value(const RecordedStep& recorded, std::uint64_t word,
                    const std::string& name) const;

  std::set<std::string> pointers_;  ///< cells that hold them
};

/// Whether the step takes or releases a lock.
bool is_lock(const RecordedStep& recorded);
/// Whether it enters or leaves a section that holds others up without a lock of its own.
bool is_section(const RecordedStep& recorded);
/// Takes the lock or enters the section.
bool opens(const RecordedStep& recorded);
/// Releases the lock or leaves the section.
bool closes(const RecordedStep& recorded);
/// Something other than a lock had to be so for this step to happen.
bool waits(const RecordedStep& recorded);

}  // namespace futexmc::checker
