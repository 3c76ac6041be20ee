// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/program.hpp"

#include <fmt/format.h>

namespace futexmc::checker {

std::string describe_blocked(const ThreadInfo& info, std::size_t thread) {
  const Operation& op = thread_record(thread).pending;
  const char* const function = function_of(thread_record(thread));
  if (op.cell == kNoCell) return fmt::format("{} waits in {}", info.name, op.name);
  return fmt::format("{} waits in {}() for {} of {}", info.name, function, op.name,
                     arena.layout.cell_name(op.cell));
}

void Program::check_final(const FinalState& state, Monitor& monitor) {
  if (state.blocked.empty() || state.any_faulted) return;
  std::string message;
  for (const std::size_t thread : state.blocked) {
    if (!message.empty()) message += "; ";
    message += describe_blocked(state.threads[thread], thread);
  }
  monitor.violation("deadlock", message);
}

std::string Program::outcome(const FinalState& state) {
  std::string text;
  for (std::size_t id = 0; id < state.threads.size(); ++id) {
    const Thread& thread = thread_record(id);
    text += fmt::format("{}{:x}.{:x} ", static_cast<int>(thread.status), thread.history.a,
                        thread.history.b);
  }
  return text + fmt::format("{:x}.{:x}", arena.shared_hash.a, arena.shared_hash.b);
}

std::string Program::value_name(std::uint32_t /*cell*/, std::uint64_t value) {
  if (value >= kArenaBase && value < kArenaBase + kMaxCells * 8) {
    return arena.layout.pointer_name(value);
  }
  return fmt::format("{}", static_cast<std::int64_t>(value));
}

}  // namespace futexmc::checker
