// SPDX-License-Identifier: GPL-2.0-or-later
//
// The reference count and the pivot as a system for the engines (system/facts.hpp).
#pragma once

#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "properties/proofs/count/invariants.hpp"

namespace futexmc::properties::proofs::count {

/// Stands for LONG_MAX in runs of numbers: all that is used of it is that it is more than the
/// threads and two.
inline constexpr long kBias = 1000;

class CountSystem {
 public:
  static constexpr std::size_t kFields = count::kFields;
  static constexpr std::size_t kGuarantees = count::kGuarantees;
  template <class D>
  using State = count::State<D>;

  /// `threads`: of runs of numbers; proofs are for any number.
  explicit CountSystem(const Parameters& parameters, long threads = 1)
      : parameters_(parameters), threads_(threads) {}

  static std::span<const char* const> field_names() { return kFieldNames; }
  static std::span<const std::size_t> shown_fields() {
    static constexpr std::array<std::size_t, 5> shown = {atomic, ahead, held, old_held, folded};
    return shown;
  }
  static std::string show(long value) {
    if (value < kBias / 2) return std::to_string(value);
    const long off = value - kBias;
    return std::string("LONG_MAX") + (off > 0 ? "+" : "") + (off != 0 ? std::to_string(off) : "");
  }

  template <class D>
  State<D> initial(const D& domain) const {
    return initial_state(domain);
  }
  template <class D, class Sink>
  void rules(const D& domain, const State<D>& from, Sink sink) const {
    const Constants<D> made = constants(domain);
    each_rule(domain, parameters_, made, from, sink);
  }
  template <class D>
  std::vector<Fact<D>> facts(const D& domain, const State<D>& of) const {
    const Constants<D> made = constants(domain);
    const Facts<D> all(domain, made, of);
    std::vector<Fact<D>> named;
    for (const auto& [name, term] : all.invariants()) {
      const bool needed = std::string_view(name) == kOneGeneration;
      named.push_back({name, term, kGuarantees,
                       needed ? static_cast<std::size_t>(Guarantee::freed) : kGuarantees});
    }
    for (std::size_t i = 0; i < kGuarantees; ++i) {
      for (const auto& [name, term] : all.guarantee(static_cast<Guarantee>(i))) {
        named.push_back({name, term, i, kGuarantees});
      }
    }
    return named;
  }
  z3::expr assumptions(const Terms& terms) const {
    const Constants<Terms> made = constants(terms);
    return made.threads >= 1 && made.bias > made.threads + 2;
  }

  /// Few of everything that there could be any number of. And a table is not replaced while
  /// somebody knows one replaced before: all replaced tables together are counted as one, so what
  /// follows might be no run.
  bool within_bounds(const State<Numbers>& from, const State<Numbers>& next) const {
    const bool replaced = from[phase] == kDraining && next[phase] == kIdle;
    const long old = from[old_loaded] + from[old_loaded_m] + from[old_inc] + from[old_inc_m] +
                     from[old_percpu] + from[old_held] + from[old_touch] + from[old_stale] +
                     from[old_looking] + from[reuse];
    if (replaced && old != 0) return false;
    return next[stale] + next[touch] + next[old_touch] <= threads_ &&
           next[tests] + next[sleeps] + next[outside] <= 1 && next[wakes] <= 2 &&
           next[tails] <= 1 && next[late] <= 1 && next[leaked] <= 1 && std::abs(next[users]) <= 2 &&
           std::abs(next[ahead]) <= threads_ + 3 && std::abs(next[behind]) <= threads_ + 3;
  }

  const Parameters& parameters() const { return parameters_; }

 private:
  template <class D>
  Constants<D> constants(const D& domain) const {
    if constexpr (std::is_same_v<D, Terms>) {
      return {domain.context->int_const("threads"), domain.context->int_const("LONG_MAX")};
    } else {
      return {domain.number(threads_), domain.number(kBias)};
    }
  }

  Parameters parameters_;
  long threads_;
};

}  // namespace futexmc::properties::proofs::count
