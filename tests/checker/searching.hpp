// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tests of searches share: options by name, findings as text, and running a path again.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "checker/machine.hpp"
#include "checker/search.hpp"

namespace futexmc::testing {

inline checker::Options with(bool movers, bool sleep_sets) {
  checker::Options options;
  options.movers = movers;
  options.sleep_sets = sleep_sets;
  options.outcomes = true;
  return options;
}
inline checker::Options unreduced() { return with(false, false); }

struct Reduction {
  bool movers;
  bool sleep_sets;
};
inline constexpr std::array<Reduction, 3> kReductions = {{{true, false}, {false, true},
                                                          {true, true}}};

/// "lifetime: use after free of x", sorted.
inline std::vector<std::string> signatures(const checker::Result& result) {
  std::vector<std::string> all;
  for (const checker::Finding& finding : result.findings) {
    all.push_back(finding.property + ": " + finding.message);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Runs `path` from the initial state and gives what is violated on the way and at its end.
inline std::vector<std::string> violations_of(checker::Program& program, const checker::Path& path,
                                              const checker::Options& options) {
  class Collector final : public checker::Monitor {
   public:
    void violation(std::string_view property, std::string_view message) override {
      seen.push_back(std::string(property) + ": " + std::string(message));
    }
    void discipline_broken(std::uint32_t /*cell*/) override {}
    std::vector<std::string> seen;
  };
  Collector collector;
  checker::Machine machine(program);
  checker::rt.monitor = &collector;
  machine.reset(options.movers, options.scoped);
  for (const checker::Choice choice : path) machine.step(choice.agent, choice.alternative);
  program.check_state(collector);
  if (machine.is_final(machine.enabled())) program.check_final(machine.final_state(), collector);
  checker::rt.monitor = nullptr;
  return collector.seen;
}

}  // namespace futexmc::testing
