// SPDX-License-Identifier: GPL-2.0-or-later
//
// A scenario on a variant of the kernel, with the properties that must hold: what the checker runs.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "checker/coverage.hpp"
#include "checker/program.hpp"
#include "model/variant.hpp"

namespace futexmc::properties {

/// Not properties but behaviours: a final state as outcome() tells it, an operation by the name
/// that Coverage gives it. A program that looks for one reports it like a violation, so that
/// searches, replays and the minimiser find it.
inline constexpr const char* kOutcome = "outcome";
inline constexpr const char* kOperation = "operation";

/// The arguments are referred to and must outlive the program.
class FutexProgram final : public checker::Program {
 public:
  FutexProgram(const scenario::Scenario& scenario, const model::Variant& variant)
      : scenario_(scenario), variant_(variant) {}
  ~FutexProgram() override;

  /// Only these properties count; all of them by default.
  void select(std::set<std::string, std::less<>> properties) { selected_ = std::move(properties); }

  /// Reports these as well. Only one such program at a time.
  void look_for(std::set<std::string> outcomes, std::set<std::string> operations);
  /// Whether races can be looked for: not where threads share a CPU or migrate, where a context
  /// switch orders what the detector would report, and not with store buffers.
  static bool can_race(const scenario::Scenario& scenario, const model::Variant& variant);
  /// Looks for data races too where it can, which takes a larger search: property `race`.
  void look_for_races() { races_ = can_race(scenario_, variant_); }
  /// The same for what a finding or a trace shows; of other properties nothing need be said.
  void look_for_shown(const std::string& property, const std::string& message);

  /// The properties that had something to look at since the program was made; the others were
  /// vacuous.
  std::set<std::string> meaningful() const;

  void build(checker::Builder& builder) override;
  checker::Memory memory() const override { return variant_.memory; }
  bool looks_for_races() const override { return races_; }
  bool tolerates(const checker::Race& race) const override;
  void check_state(checker::Monitor& monitor) override;
  void check_final(const checker::FinalState& state, checker::Monitor& monitor) override;
  void check_all(checker::Monitor& monitor) override;
  bool checks(std::string_view property) const override;
  bool schedules() const override { return scenario_.strict; }
  void stepped(std::size_t agent) override;
  std::uint64_t processor_footprint() const override;
  bool may_run(std::size_t thread) const override;
  std::string outcome(const checker::FinalState& state) override;
  std::string ending(const checker::FinalState& state) override;
  std::string value_name(std::uint32_t cell, std::uint64_t value) override;

 private:
  const scenario::Scenario& scenario_;
  const model::Variant& variant_;
  std::set<std::string, std::less<>> selected_;
  bool races_ = false;
  std::set<std::string> outcomes_;               ///< looked for
  std::unique_ptr<checker::Coverage> coverage_;  ///< watches the operations looked for
  /// A bit for each property that can be vacuous; set in every new state, so it must be cheap.
  enum Looked : std::uint16_t {
    kWaiterCount = 1,
    kReachability = 2,
    kRefcount = 4,
    kFutexSleeper = 8,
    kOtherSleeper = 16,
    kWarn = 32,
    kLifetime = 64,
    kCondition = 128,
    kSizes = 256,
    kSleep = 512,
    kRace = 1024,
    kPiOwner = 2048,
    kBoost = 4096,
    kRequeueState = 8192,
  };
  void note(bool meaningful, Looked what) {
    if (meaningful) looked_ |= what;
  }
  bool looked(Looked what) const { return (looked_ & what) != 0; }

  unsigned looked_ = 0;
  std::vector<bool> happened_;  ///< for each condition: some final state satisfied it
};

}  // namespace futexmc::properties
