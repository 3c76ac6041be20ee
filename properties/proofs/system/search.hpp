// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs of a transition system with numbers, breadth first. A guarantee that fails in a state found
// here is refuted, with a shortest run to it; a rule that was applied here can be applied.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "checker/hash.hpp"
#include "properties/proofs/system/facts.hpp"

namespace futexmc::properties::proofs {

struct Found {
  /// For each guarantee: the run to a state where it fails, a line a step, and which part fails.
  /// Empty if none was found.
  std::vector<std::vector<std::string>> refuted;
  std::set<std::string> applied;  ///< rules
  std::uint64_t states = 0;
  bool exhausted = false;  ///< no more states within the system's bounds
  std::string limit;       ///< what else ended it early; empty for none
};

struct SearchFor {
  std::set<std::size_t> guarantees;  ///< it may end when each of these is refuted
  std::set<std::string> rules;       ///< and each of these was applied
  std::uint64_t max_states = 200'000;
};

template <class System>
class Search {
 public:
  Search(const System& system, const SearchFor& wanted, const Limits& limits)
      : system_(system), wanted_(wanted), limits_(limits), guarantees_(wanted.guarantees),
        rules_(wanted.rules) {
    found_.refuted.resize(System::kGuarantees);
  }

  Found run() {
    arrive(system_.initial(numbers_), 0, "");
    while (at_ < states_.size() && !over()) {
      expand(unpack(states_[at_]));
      ++at_;
    }
    found_.states = states_.size();
    found_.exhausted = at_ == states_.size();
    return found_;
  }

 private:
  using Numbered = typename System::template State<Numbers>;
  using Packed = std::array<std::int16_t, System::kFields>;
  struct PackedHash {
    std::size_t operator()(const Packed& packed) const {
      checker::Hash128 hash{};
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < packed.size(); ++i) {
        word = word << 16 | static_cast<std::uint16_t>(packed[i]);
        if (i % 4 == 3) hash = checker::append(hash, word);
      }
      return checker::append(hash, word).a;
    }
  };
  struct Came {
    std::size_t from;
    std::string rule;
  };

  static Packed pack(const Numbered& numbered) {
    Packed packed{};
    std::transform(numbered.values.begin(), numbered.values.end(), packed.begin(),
                   [](long value) { return static_cast<std::int16_t>(value); });
    return packed;
  }
  static Numbered unpack(const Packed& packed) {
    Numbered made{};
    std::copy(packed.begin(), packed.end(), made.values.begin());
    return made;
  }

  bool over() {
    if (guarantees_.empty() && rules_.empty()) return true;
    if (states_.size() >= wanted_.max_states) {
      found_.limit = std::to_string(wanted_.max_states) + " states";
    } else if (at_ % 1024 == 0) {
      futexmc::proofs::check(limits_.watch);
    }
    return !found_.limit.empty();
  }

  void expand(const Numbered& from) {
    system_.rules(numbers_, from, [&](const char* name, Kind, bool guard, const auto& update) {
      if (!guard) return;
      Numbered next = from;
      update(next);
      if (!system_.within_bounds(from, next)) return;
      if (found_.applied.insert(name).second) rules_.erase(name);
      arrive(next, at_, name);
    });
  }

  void arrive(const Numbered& reached, std::size_t from, const char* rule) {
    if (!index_.emplace(pack(reached), states_.size()).second) return;
    states_.push_back(pack(reached));
    came_.push_back({from, rule});
    for (const auto& fact : system_.facts(numbers_, reached)) {
      if (fact.term || !wanted_.guarantees.contains(fact.guarantee)) continue;
      if (!found_.refuted[fact.guarantee].empty()) continue;
      found_.refuted[fact.guarantee] = execution(fact.name);
      guarantees_.erase(fact.guarantee);
    }
  }

  /// "  [atomic 1 -> 0]": what a step changed of what is worth showing.
  std::string changes(const Packed& before, const Packed& after) const {
    std::string text;
    for (const std::size_t field : System::shown_fields()) {
      if (before[field] == after[field]) continue;
      text += (text.empty() ? "  [" : ", ") + std::string(System::field_names()[field]) + " " +
              System::show(before[field]) + " -> " + System::show(after[field]);
    }
    return text.empty() ? text : text + "]";
  }

  /// The run to the state that was reached last.
  std::vector<std::string> execution(const char* part) const {
    std::vector<std::string> lines = {std::string("violated: ") + part};
    for (std::size_t at = states_.size() - 1; at != 0; at = came_[at].from) {
      lines.push_back(came_[at].rule + changes(states_[came_[at].from], states_[at]));
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

  const System& system_;
  const SearchFor& wanted_;
  const Limits& limits_;
  Numbers numbers_;
  std::set<std::size_t> guarantees_;
  std::set<std::string> rules_;
  Found found_;
  std::unordered_map<Packed, std::size_t, PackedHash> index_;
  std::vector<Packed> states_;
  std::vector<Came> came_;
  std::size_t at_ = 0;
};

/// Names of the rules that must be applied somewhere.
template <class System>
std::set<std::string> rule_names(const System& system) {
  std::set<std::string> names;
  const Numbers numbers;
  system.rules(numbers, system.initial(numbers),
               [&](const char* name, Kind kind, bool, const auto&) {
                 if (kind == Kind::normal) names.insert(name);
               });
  return names;
}

}  // namespace futexmc::properties::proofs
