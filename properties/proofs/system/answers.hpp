// SPDX-License-Identifier: GPL-2.0-or-later
//
// From induction and runs to claims, one for each guarantee of a system.
#pragma once

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

/// Induction first; then runs, for what it did not prove and for rules that nothing applies.
template <class System>
std::vector<Claim> claims_of(const System& system, const Limits& limits) {
  const Induction induction = Prover<System>(system, limits).run();
  SearchFor wanted;
  wanted.rules = rule_names(system);
  for (std::size_t i = 0; i < System::kGuarantees; ++i) {
    if (!induction.proved[i]) wanted.guarantees.insert(i);
  }
  const Found found = Search<System>(system, wanted, limits).run();
  std::vector<Claim> claims(System::kGuarantees);
  for (std::size_t i = 0; i < System::kGuarantees; ++i) {
    claims[i].bound = kAnyNumber;
    settle(claims[i], i, induction, found, wanted.rules);
  }
  return claims;
}

}  // namespace futexmc::properties::proofs
