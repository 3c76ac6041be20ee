// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/kernel/rcu.hpp"

#include "checker/races.hpp"
#include "model/futex/futex.hpp"

namespace futexmc::model {

namespace order = checker::order;

namespace {

// The orderings that races go by, as channels. A section's end comes before the end of every later
// grace period; what asked for a grace period, before each section that is open at its end or
// begins later.
std::uint32_t sections_ended() { return machine.rcu->in_progress.index(); }
std::uint32_t asked_for() { return machine.rcu->next.index(); }
std::uint32_t begun() { return machine.rcu->waiting.index(); }
std::uint32_t before_sections() { return machine.mm->phash.batches.index(); }

bool callback_is_ready(std::uint64_t bit) { return (machine.rcu->done.peek() & bit) != 0; }

// What ends while the worker of callbacks is idle comes before all that it does next.
bool worker_is_idle() {
  const checker::Guard& guard =
      checker::thread_record(static_cast<std::size_t>(machine.user_tasks)).pending.guard;
  return guard.kind == checker::Guard::Kind::call && guard.function == &callback_is_ready &&
         !callback_is_ready(kRefCallback);
}

void tell_idle_worker(std::uint32_t channel) {
  if (checker::rt.races == 0 || !worker_is_idle()) return;
  order::acquire_for(static_cast<std::size_t>(machine.user_tasks), channel);
}

}  // namespace

std::uint32_t grace_periods_ended() { return machine.rcu->done.index(); }

void section_begins() { order::acquire(before_sections()); }

void section_ends() {
  order::release(sections_ended());
  tell_idle_worker(sections_ended());
}

namespace {

checker::Operation read_side_operation(const char* name, bool outermost, checker::Mover mover,
                                       Loc loc) {
  checker::Operation op = checker::operation(name, current().read_side, checker::Access::write,
                                             Order::relaxed, loc);
  op.access |= mover == checker::Mover::right ? checker::kSectionBegin : checker::kSectionEnd;
  op.mover = outermost ? mover : checker::Mover::both;
  return op;
}

void enter(const char* name, bool preempt, Loc loc) {
  const bool outermost = current().read_side.peek().depth == 0;
  checker::announce(read_side_operation(name, outermost, checker::Mover::right, loc));
  enter_read_side(preempt);
  checker::remember_done();
}

void leave(const char* name, bool preempt, Loc loc) {
  const bool outermost = current().read_side.peek().depth == 1;
  checker::announce(read_side_operation(name, outermost, checker::Mover::left, loc));
  leave_read_side(preempt);
  checker::remember_done();
}

int task_count() { return machine.user_tasks + 1; }

bool can_begin() { return !machine.rcu->in_progress.peek(); }

bool callbacks_can_begin(std::uint64_t /*unused*/) {
  if (!can_begin() || machine.rcu->next.peek() == 0) return false;
  for (int i = 0; i < task_count(); ++i) {
    if (checker::marked_stores(static_cast<std::size_t>(i), kBeforeGpStart) != 0) return false;
  }
  return true;
}

void gp_start(std::uint64_t /*unused*/) {
  order::clear(begun());
  order::pass(asked_for(), begun());
  order::clear(asked_for());
  machine.rcu->in_progress.poke(true);
  machine.rcu->waiting.poke(machine.rcu->next.peek());
  machine.rcu->next.poke(0);
  for (int i = 0; i < task_count(); ++i) {
    ReadSide side = machine.task[static_cast<std::size_t>(i)]->read_side.peek();
    side.blocks_gp = side.depth != 0;
    checker::mark_buffered_stores(static_cast<std::size_t>(i), kBeforeGpEnd);
    machine.task[static_cast<std::size_t>(i)]->read_side.poke(side);
  }
}

bool gp_can_end(std::uint64_t /*unused*/) {
  if (!machine.rcu->in_progress.peek()) return false;
  for (int i = 0; i < task_count(); ++i) {
    if (machine.task[static_cast<std::size_t>(i)]->read_side.peek().blocks_gp) return false;
    if (checker::marked_stores(static_cast<std::size_t>(i), kBeforeGpEnd) != 0) return false;
  }
  return true;
}

void gp_end(std::uint64_t /*unused*/) {
  order::pass(begun(), before_sections());
  order::pass(begun(), grace_periods_ended());
  order::pass(sections_ended(), grace_periods_ended());
  for (int i = 0; i < task_count(); ++i) {
    const auto task = static_cast<std::size_t>(i);
    if (machine.task[task]->read_side.peek().depth != 0) order::acquire_for(task, begun());
  }
  tell_idle_worker(grace_periods_ended());
  machine.rcu->in_progress.poke(false);
  machine.rcu->done.poke(machine.rcu->done.peek() | machine.rcu->waiting.peek());
  machine.rcu->waiting.poke(0);
  const int batches = machine.mm->phash.batches.peek();
  if (batches > 0) machine.mm->phash.batches.poke(batches - 1);
}

void worker(std::uint64_t /*unused*/) {
  Scope scope("rcu_do_batch");
  for (;;) {
    scope.at("idle");
    order::acquire(sections_ended());
    auto op = checker::operation("invoke callback", machine.rcu->done, checker::Access::write,
                                 Order::relaxed, Loc::here());
    op.guard = {.value = kRefCallback,
                .function = &callback_is_ready,
                .cell = checker::kNoCell,
                .kind = checker::Guard::Kind::call};
    checker::announce(op);
    order::acquire(grace_periods_ended());
    machine.rcu->done.poke(machine.rcu->done.peek() & ~kRefCallback);
    checker::remember_done();
    futex_ref_rcu();
  }
}

std::uint64_t grace_period_footprint() {
  std::uint64_t mask = 0;
  for (int i = 0; i < task_count(); ++i) {
    mask |= checker::footprint(machine.task[static_cast<std::size_t>(i)]->read_side.index());
  }
  return mask | checker::footprint(machine.rcu->next.index()) |
         checker::footprint(machine.rcu->waiting.index()) |
         checker::footprint(machine.rcu->done.index()) |
         checker::footprint(machine.rcu->in_progress.index()) |
         checker::footprint(machine.mm->phash.batches.index());
}

}  // namespace

void rcu_read_lock(Loc loc) { enter("rcu_read_lock", false, loc); }
void rcu_read_unlock(Loc loc) { leave("rcu_read_unlock", false, loc); }
void preempt_disable(Loc loc) { enter("preempt_disable", true, loc); }
void preempt_enable(Loc loc) { leave("preempt_enable", true, loc); }

void call_rcu(std::uint64_t bit, const char* name, Loc loc) {
  rcu_state& rcu = *machine.rcu;
  checker::announce(checker::operation(name, rcu.next, checker::Access::write, Order::relaxed,
                                       loc));
  const std::uint64_t busy = rcu.next.peek() | rcu.waiting.peek() | rcu.done.peek();
  if ((busy & bit) != 0) {
    checker::fault("lifetime", {name, " of an rcu_head that is queued already in ",
                                checker::function_of(*checker::rt.current),
                                "()"});
  }
  rcu.next.poke(rcu.next.peek() | bit);
  order::release(asked_for());
  checker::mark_buffered_stores(checker::rt.current_id, kBeforeGpStart);
  checker::remember_done();
}

void get_state_synchronize_rcu(Cell<int>& cookie, Loc loc) {
  checker::Operation op = checker::operation("get_state_synchronize_rcu", cookie,
                                             checker::Access::write, Order::relaxed, loc);
  op.reads |= checker::footprint(machine.rcu->in_progress.index());
  op.access |= checker::kBarrierBefore;
  checker::announce(op);
  checker::drain_stores();
  order::release(asked_for());
  cookie.poke(machine.rcu->in_progress.peek() ? 2 : 1);
  checker::remember_done();
}

bool poll_state_synchronize_rcu(const Cell<int>& cookie, Loc loc) {
  const bool done = checker::load_as(cookie, Order::acquire, [](int left) { return left == 0; },
                                     loc, "poll_state_synchronize_rcu");
  if (done) checker::drain_stores();  // it has a full barrier then
  if (done) order::acquire(grace_periods_ended());
  return done;
}

void add_rcu(checker::Builder& builder) {
  const std::uint64_t mask = grace_period_footprint();
  builder.thread({"rcu", &worker, 0, true});
  builder.event({"gp_start", true, &callbacks_can_begin, &gp_start, 0, mask, mask});
  // Others' callbacks make grace periods too; one that nobody here waits for cannot be noticed.
  builder.event({"gp_start (unasked)", false, [](std::uint64_t) {
                   return can_begin() && machine.rcu->next.peek() == 0 &&
                          machine.mm->phash.batches.peek() != 0;
                 }, &gp_start, 0, mask, mask});
  builder.event({"gp_end", true, &gp_can_end, &gp_end, 0, mask, mask});
}

}  // namespace futexmc::model
