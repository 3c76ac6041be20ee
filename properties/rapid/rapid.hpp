// SPDX-License-Identifier: GPL-2.0-or-later
//
// The random suite: every property holds in every random small program, on one variant.
//
// Invariants
//  1. The outcome depends on the variant, the seed and the limits only.
//  2. A sample whose search was cut is counted as inconclusive, never as one that holds.
//  3. Shrinking keeps the property that the first failure violated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "checker/search.hpp"
#include "checker/trace.hpp"
#include "model/variant.hpp"
#include "properties/rapid/small_program.hpp"

namespace futexmc::properties::rapid {

struct RapidOptions {
  std::uint64_t seed = 0;
  int count = 100;                     ///< samples that must hold
  std::uint64_t max_states = 150'000;  ///< of one sample
  double trace_seconds = 10;           ///< for minimising the trace of a failure
};

/// A failure, shrunk.
struct RapidFailure {
  SmallProgram program;
  std::string text;  ///< as a .futex file
  std::string property;
  std::string message;
  checker::Path path;                   ///< decisions of a search with movers, as found
  std::optional<checker::Trace> trace;  ///< minimised
  std::string story;                    ///< the trace as explain() tells it
};

struct RapidOutcome {
  int held = 0;          ///< samples searched to the end in which everything holds
  int inconclusive = 0;  ///< samples cut by the limit, before a failure if there was one
  bool complete = false;  ///< as many held as were asked for
  std::optional<RapidFailure> failure;

  /// All held, and no more than a third of the samples were inconclusive.
  bool passed() const { return complete && !failure && 2 * inconclusive <= held; }
};

RapidOutcome run_rapid(const model::Variant& variant, const RapidOptions& options);

/// Writes NAME.futex and NAME.json, if there is a trace. Throws std::ios_base::failure.
void write_failure(const RapidFailure& failure, const std::filesystem::path& directory,
                   const std::string& name);

/// What happened, for people: counts, and the shrunk program with its story.
std::string describe(const RapidOutcome& outcome);

}  // namespace futexmc::properties::rapid
