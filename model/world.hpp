// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lays out a machine for one scenario and one variant: the arena's objects, the threads, the
// events.
#pragma once

#include "checker/program.hpp"
#include "model/variant.hpp"

namespace futexmc::model {

/// Both arguments must outlive the search. Fills model::machine.
void build_world(checker::Builder& builder, const scenario::Scenario& scenario,
                 const Variant& variant);

/// Agents that the scenario would have: at most checker::kMaxAgents can be searched.
/// Whether the kernel has what the scenario uses: one without a private hash cannot set its size.
bool applies(const scenario::Scenario& scenario, const Variant& variant);
std::size_t agent_count(const scenario::Scenario& scenario);

/// Runs one thread's user program (user.cpp).
void run_user_program(std::uint64_t thread);

}  // namespace futexmc::model
