// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which steps of an execution a reader needs. Dropped, in this order:
//  1. stores that change nothing;
//  2. plain accesses to what no other agent touches, if several threads take part;
//  3. more than two plain accesses in a row under a lock in one function: they become "...";
//  4. a lock taken and released, or a section entered and left, around nothing that is shown.
// A step with the violation always stays.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "checker/recording.hpp"

namespace futexmc::checker {

enum class Shown : std::uint8_t { no, yes, condensed };

/// One verdict for each step; of a condensed run the first step says so, the others say `no`.
/// `violating`: index of the step with the violation.
std::vector<Shown> select_steps(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                                std::optional<std::size_t> violating);

}  // namespace futexmc::checker
