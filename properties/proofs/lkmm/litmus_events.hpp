// SPDX-License-Identifier: GPL-2.0-or-later
//
// A litmus test as events, and the test's question answered.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "properties/proofs/lkmm/litmus.hpp"
#include "properties/proofs/lkmm/model.hpp"

namespace futexmc::proofs::lkmm::litmus {

/// herd7's words for how often the condition (of `~exists` the one negated) holds.
enum class Observation : std::uint8_t { never, sometimes, always, unknown };
std::string_view spell(Observation observation);

struct Outcome {
  Observation observation = Observation::unknown;
  bool race = false;         ///< some execution has a data race, if `race_known`
  bool race_known = false;
  std::string reason;        ///< why something is not known
  Execution witness;         ///< of the condition, if it can hold
  std::size_t events = 0;
  double seconds = 0;        ///< in the solver
};

/// Adds the test's events to `graph` and returns its condition. Throws std::invalid_argument for a
/// test that parse() would not give.
z3::expr add_events(const Program& test, Graph& graph);

/// Asks the memory model the test's question, and whether there is a race.
Outcome run(const Program& test, const Omitted& omitted = {}, Limits limits = {});

}  // namespace futexmc::proofs::lkmm::litmus
