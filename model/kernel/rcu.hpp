// SPDX-License-Identifier: GPL-2.0-or-later
//
// RCU with explicit grace periods, and the disabling of preemption, which is a read-side section
// too (kernel/rcu/tree.c, "consolidated" since 4.20), as is holding a spinlock.
//
// A grace period begins and ends as events of the environment. It can end once every section that
// was open when it began has closed. Entering a section commutes to the right: entering later only
// makes fewer grace periods wait. Leaving commutes to the left.
#pragma once

#include "checker/program.hpp"
#include "checker/store_buffer.hpp"
#include "model/kernel/machine.hpp"

namespace futexmc::model {

inline constexpr std::uint64_t kRefCallback = 1;  ///< mm->futex.phash.rcu
constexpr std::uint64_t free_callback(std::size_t table) { return 2ULL << table; }

/// What grace periods wait for in store buffers: one cannot end before the stores of the sections
/// that it waited for, and those older than its beginning, are visible; and one that a callback
/// waits for cannot begin before what preceded call_rcu() is.
inline constexpr std::size_t kBeforeGpEnd = 0;
inline constexpr std::size_t kBeforeGpStart = 1;

/// The channel that holds what comes before the end of some grace period: see races.hpp.
std::uint32_t grace_periods_ended();
/// What a section's beginning and end order, for races.
void section_begins();
void section_ends();

/// Opens and closes a section as part of the operation at hand.
inline void enter_read_side(bool preempt) {
  ReadSide side = current().read_side.peek();
  if (++side.depth == 1) section_begins();
  if (preempt) ++side.preempt;
  current().read_side.poke(side);
}
inline void leave_read_side(bool preempt) {
  ReadSide side = current().read_side.peek();
  if (--side.depth == 0) {
    // A grace period that waited for the section waits for its stores too.
    if (side.blocks_gp) checker::mark_buffered_stores(checker::rt.current_id, kBeforeGpEnd);
    side.blocks_gp = false;
    section_ends();
  }
  if (preempt) --side.preempt;
  current().read_side.poke(side);
}

void rcu_read_lock(Loc loc = Loc::here());
void rcu_read_unlock(Loc loc = Loc::here());
void preempt_disable(Loc loc = Loc::here());
void preempt_enable(Loc loc = Loc::here());

/// guard(rcu). Not `taken`: knocked out.
class guard_rcu {
 public:
  explicit guard_rcu(bool taken = true, Loc loc = Loc::here()) : taken_(taken), loc_(loc) {
    if (taken_) rcu_read_lock(loc_);
  }
  ~guard_rcu() {
    if (taken_) rcu_read_unlock(loc_);
  }
  guard_rcu(const guard_rcu&) = delete;
  guard_rcu& operator=(const guard_rcu&) = delete;

 private:
  bool taken_;
  Loc loc_;
};

/// guard(preempt)
class guard_preempt {
 public:
  explicit guard_preempt(bool taken = true, Loc loc = Loc::here()) : taken_(taken), loc_(loc) {
    if (taken_) preempt_disable(loc_);
  }
  ~guard_preempt() {
    if (taken_) preempt_enable(loc_);
  }
  guard_preempt(const guard_preempt&) = delete;
  guard_preempt& operator=(const guard_preempt&) = delete;

 private:
  bool taken_;
  Loc loc_;
};

/// Queues the callback of `bit`. Queueing one that is queued already is a use of a busy rcu_head.
void call_rcu(std::uint64_t bit, const char* name, Loc loc = Loc::here());

/// A cookie for a full grace period from now, as the number of grace-period ends still to come:
/// relative, so that equal situations are equal states. Stored where gp_end finds it.
void get_state_synchronize_rcu(Cell<int>& cookie, Loc loc = Loc::here());
bool poll_state_synchronize_rcu(const Cell<int>& cookie, Loc loc = Loc::here());

/// The events that begin and end grace periods and free tables, and the worker for callbacks.
void add_rcu(checker::Builder& builder);

}  // namespace futexmc::model
