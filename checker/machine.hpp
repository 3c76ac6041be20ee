// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program made to run: its agents, which of them can go, and one step of one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "checker/program.hpp"
#include "checker/races.hpp"

namespace futexmc::checker {

using AgentMask = std::uint32_t;
static_assert(kMaxAgents <= 32);

class Machine {
 public:
  explicit Machine(Program& program) : program_(program) {}

  /// Builds the program afresh and runs every thread to its first visible operation.
  void reset(bool movers, bool scoped);

  std::size_t thread_count() const { return thread_count_; }
  std::size_t agent_count() const { return thread_count_ + events_.size(); }
  bool is_thread(std::size_t agent) const { return agent < thread_count_; }
  const std::vector<ThreadInfo>& threads() const { return threads_; }
  const std::vector<Event>& events() const { return events_; }
  Program& program() const { return program_; }
  /// "waiter", "gp_end".
  const std::string& agent_name(std::size_t agent) const;

  /// Agents that can take a step now.
  AgentMask enabled() const;
  /// Whether a state with these agents enabled is final: only optional events remain.
  bool is_final(AgentMask enabled_agents) const { return (enabled_agents & must_run_) == 0; }
  FinalState final_state() const;
  unsigned alternatives(std::size_t agent) const {
    return is_thread(agent) ? thread_record(agent).pending.alternatives : 1;
  }

  /// Runs one transition. The footprint is in rt.reads and rt.writes afterwards.
  void step(std::size_t agent, unsigned alternative);

  Hash128 fingerprint() const {
    Hash128 hash = arena.shared_hash;
    hash ^= threads_hash_;
    return hash;
  }
  Hash128 threads_hash() const { return threads_hash_; }
  /// Identity of one thread: equal hashes mean interchangeable records and stacks.
  static Hash128 thread_hash(std::size_t id) {
    const Thread& thread = thread_record(id);
    return append(thread.history, id * 8 + static_cast<std::uint64_t>(thread.status) * 2 +
                                      static_cast<std::uint64_t>(thread.post_phase));
  }

  /// Bytes that save_thread() would write now.
  static std::size_t saved_size(std::size_t id) {
    return sizeof(char*) + live_size(id, static_cast<char*>(thread_record(id).context));
  }
  /// Copies the thread's record and live stack to `out`, after the stack pointer, which says how
  /// much that is. Gives the number of bytes written.
  static std::size_t save_thread(std::size_t id, char* out) {
    char* const context = static_cast<char*>(thread_record(id).context);
    const std::size_t size = live_size(id, context);
    std::memcpy(out, &context, sizeof context);
    std::memcpy(out + sizeof context, context, size);
    return sizeof context + size;
  }
  /// Puts back what save_thread() wrote.
  static void load_thread(std::size_t id, const char* in) {
    char* context = nullptr;
    std::memcpy(&context, in, sizeof context);
    std::memcpy(context, in + sizeof context, live_size(id, context));
  }
  void set_threads_hash(Hash128 hash) { threads_hash_ = hash; }

 private:
  void start_thread(std::size_t id);
  /// From the stack pointer to the end of the record.
  static std::size_t live_size(std::size_t id, const char* context) {
    const char* const record = reinterpret_cast<const char*>(&thread_record(id));
    return static_cast<std::size_t>(record - context) + sizeof(Thread);
  }
  void resume(std::size_t id) {
    Thread& thread = thread_record(id);
    rt.current = &thread;
    rt.current_id = id;
    rt.operations = 0;
    thread.context = boost::context::detail::jump_fcontext(thread.context, nullptr).fctx;
  }
  void step_thread(std::size_t id, unsigned alternative);
  /// The step of an event.
  void fire(std::size_t number);

  Program& program_;
  std::vector<ThreadInfo> threads_;
  std::vector<Event> events_;
  std::size_t thread_count_ = 0;
  AgentMask must_run_ = 0;
  std::uint64_t processors_ = 0;  ///< Program::processor_footprint(); everything if it schedules
  bool schedules_ = false;
  Hash128 threads_hash_;
};

/// Whether a pending operation can take effect; `settled` depends on the others, so not here.
inline bool passes(const Guard& guard) {
  switch (guard.kind) {
    case Guard::Kind::always: return true;
    case Guard::Kind::equal: return cells()[guard.cell] == guard.value;
    case Guard::Kind::not_equal: return cells()[guard.cell] != guard.value;
    case Guard::Kind::call: return guard.function(guard.value);
    case Guard::Kind::settled: return false;
  }
  return false;
}

inline AgentMask Machine::enabled() const {
  AgentMask mask = 0;
  AgentMask settling = 0;
  for (std::size_t id = 0; id < thread_count_; ++id) {
    const Thread& thread = thread_record(id);
    if (thread.status != Status::ready) continue;
    if (processors_ != 0 && !program_.may_run(id)) continue;
    if (thread.pending.guard.kind == Guard::Kind::settled) {
      settling |= 1U << id;
    } else if (passes(thread.pending.guard)) {
      mask |= 1U << id;
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].enabled(events_[i].argument)) mask |= 1U << (thread_count_ + i);
  }
  return settling != 0 && is_final(mask) ? mask | settling : mask;
}

inline void Machine::step(std::size_t agent, unsigned alternative) {
  rt.reads = 0;
  rt.writes = 0;
  if (rt.races != 0) [[unlikely]] begin_race_step();
  if (is_thread(agent)) {
    step_thread(agent, alternative);
  } else {
    fire(agent - thread_count_);
  }
  if (rt.races != 0) [[unlikely]] end_race_step();
  if (schedules_) [[unlikely]] program_.stepped(agent);
}

inline void Machine::step_thread(std::size_t id, unsigned alternative) {
  Thread& thread = thread_record(id);
  const bool settled = thread.pending.guard.kind == Guard::Kind::settled;
  thread.alternative = static_cast<std::uint8_t>(alternative);
  const Hash128 before = thread.hash;
  resume(id);
  const Hash128 after = thread_hash(id);
  thread.hash = after;
  threads_hash_.a ^= before.a ^ after.a;
  threads_hash_.b ^= before.b ^ after.b;
  rt.reads |= processors_;
  // Everybody else's progress decides whether it can go.
  if (settled) rt.reads = rt.writes = kEverything;
}

}  // namespace futexmc::checker
