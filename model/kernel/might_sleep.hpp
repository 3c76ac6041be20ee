// SPDX-License-Identifier: GPL-2.0-or-later
//
// What CONFIG_DEBUG_ATOMIC_SLEEP and lockdep's rcu_sleep_check() look for: the property
// `atomic-sleep`. Part of the operation at hand, which goes on as if nothing were wrong.
//
// Follows kernel/sched/core.c: __might_sleep, __might_resched, schedule_debug.
#pragma once

#include "model/kernel/machine.hpp"

namespace futexmc::model {

/// `what` may block. Reports where it must not, and where it would overwrite a task state that was
/// set for sleeping later: then that sleep would not be one, or be one too many.
void might_sleep(const char* what);
/// The first half: for schedule(), which the task state is set for.
void must_not_be_atomic(const char* what);

}  // namespace futexmc::model
