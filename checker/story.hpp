// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which steps of an execution a reader needs, told by what they do to each other and by nothing
// else. In what follows a step reads a cell if it learns its value (a wait does), and writes it if
// it changes its value. Kept are
//  1. events, steps with a violation, outcomes that the search chose against the usual, and waits;
//  2. a read that sees what another agent wrote, with that write; not if the reader has seen
//     something later of that agent, at first hand or not, so that nothing else was to be expected;
//  3. a read of a value that another agent is the next to change, with that change; not if that
//     agent has seen what the reader did later, so that the order was no accident;
//  4. of a lock, what was taken and never given back if a thread waits for it in the end, and how
//     it was used last if its release is the violation;
//  5. an outermost section if a grace period begins or ends or the violation happens inside, or if
//     the execution breaks off inside, and then the last step of all;
//  6. one step of each turn of a thread that would have none;
//  7. with store buffers, a store whose becoming visible is an event.
// Of reads of one value by one thread the first tells 2 and the last tells 3. Two steps that both
// commute with what others may do (accesses under a lock) do not meet, and what is written by
// giving an object life or taking it concerns only who uses it dead. A thread that is alone has no
// one to meet: all that it writes is kept.
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
  bool broken_off = false;               ///< something was to follow that is impossible here
};

/// For each step, whether it is part of the story.
std::vector<bool> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                               const Ending& ending);

/// The object that `user` uses, if the step takes its life.
std::optional<std::string> life_taken(const RecordedStep& step, const RecordedStep& user);

}  // namespace futexmc::checker
