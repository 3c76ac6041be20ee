// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/machine.hpp"

#include <cstring>

#include "checker/assert.hpp"
#include "checker/scope.hpp"
#include "checker/store_buffer.hpp"

namespace futexmc::checker {
namespace {

using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

const ThreadInfo* starting = nullptr;

char* stack_top(std::size_t id) { return reinterpret_cast<char*>(&thread_record(id)); }

void fiber_main(transfer_t transfer) {
  rt.scheduler = transfer.fctx;
  starting->body(starting->argument);
  Thread& thread = *rt.current;
  thread.status = Status::finished;
  thread.history = append({}, 0xF1);
  thread.post_phase = true;
  for (;;) switch_to_scheduler();
}

}  // namespace

void Machine::reset(bool movers, bool scoped) {
  arena.map();
  arena.layout.clear();
  arena.undo.clear();
  arena.shared_hash = {};
  for (std::size_t id = 0; id < kMaxThreads; ++id) thread_record(id) = Thread{};
  const bool buffers = program_.memory() == Memory::tso;
  rt.movers = movers && program_.reduces();
  rt.scoped = scoped;
  rt.buffers = rt.races = 0;
  rt.conflicts = 0;
  rt.program = &program_;
  Builder builder;
  program_.build(builder);
  if (buffers) add_store_buffers(builder, builder.thread_count());
  else if (program_.looks_for_races()) add_race_clocks(builder);
  threads_ = builder.take_threads();
  events_ = builder.take_events();
  thread_count_ = threads_.size();
  FUTEXMC_ASSERT(threads_.size() <= kMaxThreads, "too many threads");
  FUTEXMC_ASSERT(agent_count() <= kMaxAgents, "too many agents");
  schedules_ = program_.schedules();
  processors_ = schedules_ ? kEverything : program_.processor_footprint();
  must_run_ = (1U << threads_.size()) - 1;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].owed) must_run_ |= 1U << (threads_.size() + i);
  }
  threads_hash_ = {};
  for (std::size_t id = 0; id < threads_.size(); ++id) start_thread(id);
  if (rt.races != 0) end_race_step();
  arena.undo.clear();
}

void Machine::start_thread(std::size_t id) {
  Thread& thread = thread_record(id);
  // The lowest page is the guard; what lies above is cleared so that padding is the same each time.
  constexpr std::size_t size =
      kStackSize - 4096 - kThreadRecordSize - kMaxThreads * kStackStagger;
  std::memset(stack_top(id) - size, 0, size);
  thread.context = make_fcontext(stack_top(id), size, fiber_main);
  thread.history = append({}, id + 1);
  thread.post_phase = true;
  starting = &threads_[id];
  resume(id);
  thread.hash = thread_hash(id);
  threads_hash_ ^= thread.hash;
}

const std::string& Machine::agent_name(std::size_t agent) const {
  return is_thread(agent) ? threads_[agent].name : events_[agent - threads_.size()].name;
}

FinalState Machine::final_state() const {
  FinalState state{threads_, {}, false};
  for (std::size_t id = 0; id < threads_.size(); ++id) {
    const Status status = thread_record(id).status;
    if (status == Status::faulted) state.any_faulted = true;
    if (status == Status::ready && !threads_[id].daemon) state.blocked.push_back(id);
  }
  return state;
}

void Machine::fire(std::size_t number) {
  const Event& event = events_[number];
  rt.reads = event.reads;
  rt.writes = event.writes;
  if (rt.recorder != nullptr) {
    Step step;
    step.agent = static_cast<int>(threads_.size() + number);
    step.operation = event.name;
    rt.recorder->push_back(std::move(step));
  }
  event.fire(event.argument);
}

}  // namespace futexmc::checker
