// SPDX-License-Identifier: GPL-2.0-or-later
//
// From induction and runs to claims, one for each guarantee of a system.
#pragma once

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "properties/proofs/system/induction.hpp"
#include "properties/proofs/system/search.hpp"

namespace futexmc::properties::proofs {

/// Fills in the answer, its reason, execution and checks.
inline void settle(Claim& claim, std::size_t guarantee, const Induction& induction,
                   const Found& found, const std::set<std::string>& rules) {
  if (!found.refuted[guarantee].empty()) {
    claim.answer = Answer::refuted;
    claim.execution = found.refuted[guarantee];
    return;
  }
  if (!induction.unknown.empty()) {
    claim.reason = induction.unknown;
    return;
  }
  if (!induction.proved[guarantee]) {
    claim.reason = fmt::format("not inductive ({}), and no violation in {} states of few threads",
                               induction.failed, found.states);
    return;
  }
  for (const std::string& rule : rules) {
    if (found.applied.contains(rule)) continue;
    claim.reason = fmt::format("inductive, but no run applies '{}'{}", rule,
                               found.limit.empty() ? "" : " within " + found.limit);
    return;
  }
  claim.answer = Answer::proved;
  claim.checks = {fmt::format("each of the {} rules is applied in some run", rules.size()),
                  fmt::format("{} facts are inductive together", induction.facts)};
}

/// The claims of one system, each worked out when it is asked for: a short search, which refutes
/// most of what is false and applies every rule; then induction; then a long search.
template <class System>
class Answers {
 public:
  /// May throw Stopped, as claim() may; what was worked out before is kept.
  Answers(System system, const Limits& limits) : system_(std::move(system)) {
    wanted_.rules = rule_names(system_);
    for (std::size_t i = 0; i < System::kGuarantees; ++i) wanted_.guarantees.insert(i);
    wanted_.max_states = kShort;
    found_ = Search<System>(system_, wanted_, limits).run();
  }

  Claim claim(std::size_t guarantee, const Limits& limits) {
    if (found_.refuted[guarantee].empty()) prepare(guarantee, limits);
    Claim made;
    made.bound = kAnyNumber;
    settle(made, guarantee, induction_, found_, wanted_.rules);
    return made;
  }

 private:
  static constexpr std::uint64_t kShort = 50'000;
  static constexpr std::uint64_t kLong = 200'000;

  void prepare(std::size_t guarantee, const Limits& limits) {
    if (!inducted_) induction_ = Prover<System>(system_, limits).run();
    inducted_ = true;
    const bool all_applied = std::all_of(
        wanted_.rules.begin(), wanted_.rules.end(),
        [this](const std::string& rule) { return found_.applied.contains(rule); });
    if ((induction_.proved[guarantee] && all_applied) || found_.exhausted || searched_) return;
    wanted_.max_states = kLong;
    found_ = Search<System>(system_, wanted_, limits).run();
    searched_ = true;
  }

  System system_;
  SearchFor wanted_;
  Found found_;
  Induction induction_;
  bool inducted_ = false;
  bool searched_ = false;
};

}  // namespace futexmc::properties::proofs
