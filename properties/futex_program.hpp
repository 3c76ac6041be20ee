// SPDX-License-Identifier: GPL-2.0-or-later
//
// A scenario on a variant of the kernel, with the properties that must hold: what the checker runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "checker/program.hpp"
#include "model/variant.hpp"

namespace futexmc::properties {

/// The arguments are referred to and must outlive the program.
class FutexProgram final : public checker::Program {
 public:
  FutexProgram(const scenario::Scenario& scenario, const model::Variant& variant)
      : scenario_(scenario), variant_(variant) {}

  /// Only these properties count; all of them by default.
  void select(std::set<std::string, std::less<>> properties) { selected_ = std::move(properties); }

  /// The properties that had something to look at since the program was made; the others were
  /// vacuous.
  const std::set<std::string, std::less<>>& meaningful() const { return meaningful_; }

  void build(checker::Builder& builder) override;
  void check_state(checker::Monitor& monitor) override;
  void check_final(const checker::FinalState& state, checker::Monitor& monitor) override;
  void check_all(checker::Monitor& monitor) override;
  bool checks(std::string_view property) const override;
  std::uint64_t processor_footprint() const override;
  bool may_run(std::size_t thread) const override;
  std::string outcome(const checker::FinalState& state) override;
  std::string value_name(std::uint32_t cell, std::uint64_t value) override;

 private:
  const scenario::Scenario& scenario_;
  const model::Variant& variant_;
  std::set<std::string, std::less<>> selected_;
  void note(bool meaningful, const char* property);

  std::set<std::string, std::less<>> meaningful_;
  std::vector<bool> happened_;  ///< for each condition: some final state satisfied it
};

}  // namespace futexmc::properties
