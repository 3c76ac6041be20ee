// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tie between the transition system and the model: each state that a search visits is mapped to
// a state of the system, and each operation of the model must be one of the system's rules, or
// change nothing that the system sees.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "checker/search.hpp"
#include "properties/proofs/count/count_system.hpp"

namespace futexmc::properties::proofs::count {

/// The system's state that model::machine is in. Of variants with the base's functions on a memory
/// that is sequentially consistent.
State<Numbers> abstraction();

/// "phase 2, mutex 3, held 1": the fields that are not zero.
std::string describe(const State<Numbers>& of);

/// Watches a search of a FutexProgram without reduction.
class Refinement final : public checker::Watcher {
 public:
  /// `parameters` are the system's: those of the variant, unless a slip is to be noticed.
  explicit Refinement(const Parameters& parameters) : system_(parameters, kThreads) {}

  void begin() override;
  void before() override;
  void after() override;

  std::uint64_t operations = 0;  ///< of the model that were mapped
  std::uint64_t steps = 0;       ///< of these, those that are a rule's; the others change nothing
  std::set<std::string> rules;   ///< that the model's operations are
  // Each once, and only the first few.
  std::vector<std::string> unmapped;  ///< operations that no rule does
  std::vector<std::string> broken;    ///< facts that do not hold in some state
  std::size_t states() const { return ids_.size(); }

 private:
  static constexpr long kThreads = 100;  ///< more than any scenario has
  struct Hash {
    std::size_t operator()(const State<Numbers>& of) const;
  };
  struct Equal {
    bool operator()(const State<Numbers>& a, const State<Numbers>& b) const {
      return a.values == b.values;
    }
  };

  /// The number of the state; a new one is checked.
  std::uint64_t number(const State<Numbers>& of);
  void check_step(const State<Numbers>& from, const State<Numbers>& to);

  CountSystem system_;
  Numbers numbers_;
  State<Numbers> from_{};
  std::uint64_t from_number_ = 0;
  std::unordered_map<State<Numbers>, std::uint64_t, Hash, Equal> ids_;
  std::unordered_set<std::uint64_t> checked_;  ///< pairs of numbers
};

}  // namespace futexmc::properties::proofs::count
