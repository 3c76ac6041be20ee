// SPDX-License-Identifier: GPL-2.0-or-later
//
// Part of story.hpp, its rules 2 and 3: where agents meet, that is, where one reads what another
// has written or is about to replace. What an agent has learnt, at first hand or not, is a vector
// clock that it takes along with each value that it reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "checker/recording.hpp"

namespace futexmc::checker {

/// Sets `kept` for the steps that meet.
void keep_meetings(const std::vector<RecordedStep>& steps, std::size_t thread_count,
                   std::optional<std::size_t> violating, std::vector<bool>& kept);

/// The object to which the change gives or takes life.
std::optional<std::string_view> object_reborn(const Change& change);
/// The step's change that gives or takes the life of the object that the cell belongs to.
const Change* life_of(const RecordedStep& step, std::string_view cell);

}  // namespace futexmc::checker
