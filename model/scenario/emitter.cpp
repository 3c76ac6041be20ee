// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/emitter.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace futexmc::scenario {

void Emitter::begin_statement(Place at) {
  statement_ = at;
  next_temporary_ = out_.counter_end;
  emit({.op = Op::statement, .value = at.line});
}

std::size_t Emitter::emit(const Instruction& instruction) {
  const bool marks = instruction.op == Op::statement || instruction.op == Op::end;
  if (std::exchange(label_pending_, false) && !marks)
    out_.code.push_back({.op = Op::statement, .value = statement_.line});
  out_.code.push_back(instruction);
  return out_.code.size() - 1;
}

void Emitter::bind(std::size_t jump) {
  bind_inside(jump);
  label_pending_ = true;
}

void Emitter::bind_inside(std::size_t jump) {
  out_.code[jump].value = static_cast<std::int64_t>(here());
}

void Emitter::emit_jump(std::size_t target) {
  emit({.op = Op::jump, .value = static_cast<std::int64_t>(target)});
}

std::uint8_t Emitter::temporary() {
  if (next_temporary_ >= kMaxRegisters) {
    if (!std::exchange(reported_, true))
      problems_.add(statement_, "statement needs too many registers: a thread has " +
                                    std::to_string(kMaxRegisters) + ", declared ones, repeat "
                                    "counters and intermediate results together");
    return kMaxRegisters - 1;
  }
  const int taken = next_temporary_++;
  out_.register_count = std::max(out_.register_count, next_temporary_);
  return static_cast<std::uint8_t>(taken);
}

}  // namespace futexmc::scenario
