// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting for a variable: __var_waitqueue(), wake_up_var(), wait_woken().
//
// Follows kernel/sched/wait_bit.c and kernel/sched/wait.c. There is one queue, of the one mm.
#pragma once

#include "model/kernel/lock.hpp"
#include "model/kernel/sched.hpp"

namespace futexmc::model {

/// Puts the current task on the queue, with WQ_FLAG_WOKEN clear (init_wait_var_entry()).
void add_wait_queue(wait_queue_head& head, Loc loc = Loc::here());
void remove_wait_queue(wait_queue_head& head, Loc loc = Loc::here());
/// Sleeps uninterruptibly unless the entry was woken since the last call.
void wait_woken(wait_bit_queue_entry& entry, Loc loc = Loc::here());
/// Wakes whoever is on the queue. The caller has ordered the condition before this.
void wake_up_var(wait_queue_head& head, Loc loc = Loc::here());

}  // namespace futexmc::model
