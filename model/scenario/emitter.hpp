// SPDX-License-Identifier: GPL-2.0-or-later
//
// The code of one thread while it grows: registers, labels, and invariant 3 of program.hpp.
//
// A label bound between statements must meet an Op::statement or Op::end. emit() therefore puts an
// Op::statement in front of any other instruction that would follow such a label, so the code
// generator need not care where the end of an `if` lands.
#pragma once

#include <cstdint>

#include "model/scenario/problems.hpp"
#include "model/scenario/program.hpp"

namespace futexmc::scenario {

class Emitter {
 public:
  Emitter(Thread& out, Problems& problems)
      : out_(out), problems_(problems), next_temporary_(out.counter_end) {}

  /// Starts a statement at `at`: emits Op::statement and frees every temporary.
  void begin_statement(Place at);
  /// Goes on with the statement at `at` after the block inside it.
  void resume_statement(Place at) { statement_ = at; }
  /// Appends an instruction and gives its index.
  std::size_t emit(const Instruction& instruction);
  std::size_t here() const { return out_.code.size(); }

  /// Makes the jump at index `jump` go to the next instruction, which begins a statement.
  void bind(std::size_t jump);
  /// The same for a short circuit, whose target is inside the current statement.
  void bind_inside(std::size_t jump);
  void emit_jump(std::size_t target);

  /// A register for an intermediate result. Reports, once, when the thread has no more.
  std::uint8_t temporary();
  /// Temporaries are a stack: release(mark()) frees those taken in between.
  int mark() const { return next_temporary_; }
  void release(int mark) { next_temporary_ = mark; }
  bool is_temporary(std::uint8_t reg) const { return reg >= out_.counter_end; }

 private:
  Thread& out_;
  Problems& problems_;
  Place statement_;
  int next_temporary_;
  bool label_pending_ = false;
  bool reported_ = false;
};

}  // namespace futexmc::scenario
