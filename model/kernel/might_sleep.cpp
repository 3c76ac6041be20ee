// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/kernel/might_sleep.hpp"

#include "model/futex/futex.hpp"

namespace futexmc::model {
namespace {

void report(const char* what, const char* where) {
  checker::report("atomic-sleep",
                  {what, " in ", checker::function_of(*checker::rt.current), "() ", where});
}

}  // namespace

// The depth is the task's own. Its state can be made TASK_RUNNING by others, but by nobody anything
// else: whatever order the search leaves out would report no more than the one that it keeps.
void must_not_be_atomic(const char* what) {
  machine.mm->phash.looked.poke(machine.mm->phash.looked.peek() | kLookedAtSleep);
  const ReadSide side = current().read_side.peek();
  if (side.preempt != 0) {
    report(what, "with preemption off or a spinlock held");
  } else if (side.depth != 0) {
    report(what, "inside an RCU read-side section");
  } else if (current_id() == machine.user_tasks) {
    report(what, "in an RCU callback");
  }
}

void might_sleep(const char* what) {
  must_not_be_atomic(what);
  if (current().state.seen() != TASK_RUNNING) report(what, "after the task state was set");
}

}  // namespace futexmc::model
