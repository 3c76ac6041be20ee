// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which steps of an execution a reader needs, told by what they do to each other and by nothing
// else. In what follows a step reads a cell if it learns its value (a wait does), and writes it if
// it changes its value. Kept are
//  1. events, steps with a violation, outcomes that the search chose against the usual, and waits;
//  2. a read that sees what another agent wrote, with that write;
//  3. a read whose value another agent is the next to change, with that change;
//  4. of a lock, what was taken and never given back if a thread waits for it in the end, and how
//     it was used last if its release is the violation;
//  5. an outermost section if a grace period begins or ends or the violation happens inside;
//  6. one step of each turn of a thread that would have none.
// Of reads of one value by one thread the last is kept if they are of kind 3, else the first. Two
// steps that both commute with what others may do (accesses under a lock) do not meet, and what is
// written by giving an object life or taking it concerns nobody but who uses it dead. A thread that
// is alone has no one to meet: all that it writes is kept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "checker/recording.hpp"

namespace futexmc::checker {

/// Where an execution ends.
struct Ending {
  std::optional<std::size_t> violating;  ///< index of the step with the violation
  std::vector<std::string> awaited;      ///< cells that blocked threads wait for
};

/// For each step, whether it is part of the story.
std::vector<bool> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                               const Ending& ending);

}  // namespace futexmc::checker
