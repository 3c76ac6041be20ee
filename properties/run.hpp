// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checking one scenario on one variant: the search, the verdict, and for each violated property the
// best story of it. What the program, the tests and the random suites all do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/sample.hpp"
#include "checker/search.hpp"
#include "checker/trace.hpp"
#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"

namespace futexmc::properties {

/// By default a scenario with more states than this is searched for races only on request: the
/// clocks multiply them.
inline constexpr std::uint64_t kMaxStatesForRaces = 10'000;

/// Of the model's behaviour: another one means that the state hashes in a trace say nothing.
inline constexpr const char* kModelVersion = "1";

struct RunOptions {
  checker::Options search;
  bool breadth_first = false;
  std::optional<checker::SampleOptions> sample;  ///< instead of a search
  std::set<std::string, std::less<>> properties;  ///< that count; all if empty
  /// A scenario with more states is searched for races only if `properties` names `race`.
  std::uint64_t max_states_for_races = kMaxStatesForRaces;
  bool minimize = true;          ///< make a trace for each violated property
  double minimize_seconds = 10;  ///< for the traces of one property together
};

enum class Verdict : std::uint8_t { holds, violated, inconclusive };

struct Violation {
  std::string property;
  std::string message;
  std::size_t steps = 0;     ///< transitions of the shortest path that the search found
  std::size_t messages = 1;  ///< different ones that the search found for the property
  /// Minimised. None if none was asked for, or if no single execution shows the violation.
  std::optional<checker::Trace> trace;
  std::uint64_t run = 0;  ///< of a sample: the first one that shows the property violated
};

struct ScenarioReport {
  std::string scenario;
  std::string kernel;
  std::vector<std::string> patches;
  std::vector<std::string> knockouts;
  Verdict verdict = Verdict::inconclusive;
  checker::Result result;
  std::optional<checker::Sampled> sampled;  ///< with RunOptions::sample
  std::vector<Violation> violations;  ///< one for each violated property, in the order of all()
  /// Properties that found nothing in any state that could have been wrong: their "holds" says
  /// nothing.
  std::vector<std::string> vacuous;
  /// Properties that need a search of their own, which was not made: `race` in a scenario that is
  /// too big for it by default, has store buffers or CPUs that threads share. If it was asked for
  /// by name, the verdict is not `holds` then: the limit is `model`.
  std::vector<std::string> skipped;
  std::optional<std::uint64_t> race_states;  ///< of the search for races, if it was a second one
  double race_seconds = 0;                   ///< likewise; not part of `result.seconds`
  /// Properties that this variant violates and its kernel alone does too, if somebody has looked.
  /// They are not among the violations.
  std::vector<std::string> shared_with_base;

  const Violation* find(std::string_view property) const;
};

/// Both `scenario` and `variant` are only read. Throws nothing of its own: a limit, the system's
/// memory included, is part of the report.
ScenarioReport run_scenario(const scenario::Scenario& scenario, const model::Variant& variant,
                            const RunOptions& options);

/// What a trace says about where it comes from; enough to replay it without other files.
nlohmann::ordered_json trace_subject(const scenario::Scenario& scenario,
                                     const model::Variant& variant);

/// The trace of the cheapest execution that shows the finding, whose path has the granularity of
/// `options.movers`. Nothing if no execution shows it.
std::optional<checker::Trace> minimized_trace(const scenario::Scenario& scenario,
                                              const model::Variant& variant,
                                              const checker::Finding& finding,
                                              const checker::Options& options);

/// "sc", "tso".
const char* to_string(checker::Memory memory);
/// "holds", "violated", "inconclusive".
const char* to_string(Verdict verdict);
/// "none", "states", "time", "memory", "interrupted", "model", "sampled".
const char* to_string(checker::Limit limit);

}  // namespace futexmc::properties
