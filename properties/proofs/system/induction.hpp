// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plain induction over a transition system, with terms: which facts are true initially and kept by
// every rule.
#pragma once

#include <string>
#include <vector>

#include "properties/proofs/system/facts.hpp"

namespace futexmc::properties::proofs {

struct Induction {
  /// For each guarantee: all its parts are among the facts that are inductive together.
  std::vector<bool> proved;
  std::string failed;   ///< "'RULE' does not keep: FACT", the first that failed; empty if none did
  std::string unknown;  ///< why the solver did not answer; nothing is proved then
  std::size_t queries = 0;
  std::size_t facts = 0;  ///< that are inductive together
};

/// The solver's answer; `why` says why it is none. Throws Stopped.
z3::check_result ask(z3::solver& solver, const Limits& limits, std::string& why);

/// Starts from all facts and drops those that are not inductive relative to the rest, until the
/// rest is: the largest inductive subset. Throws z3::exception.
template <class System>
class Prover {
 public:
  Prover(const System& system, const Limits& limits)
      : system_(system), limits_(limits), terms_(context_), before_(symbols()), solver_(context_) {
    solver_.add(system_.assumptions(terms_));
  }

  Induction run() {
    made_.proved.assign(System::kGuarantees, false);
    system_.rules(terms_, before_,
                  [this](const char* name, Kind, const z3::expr& guard, const auto& update) {
                    Symbols next = before_;
                    update(next);
                    rules_.push_back({name, guard, system_.facts(terms_, next)});
                  });
    facts_ = system_.facts(terms_, before_);
    alive_.assign(facts_.size(), true);
    initially();
    while (made_.unknown.empty() && pass()) {
    }
    if (made_.unknown.empty()) conclude();
    return made_;
  }

 private:
  using Symbols = typename System::template State<Terms>;
  using Facts = std::vector<Fact<Terms>>;
  struct Rule {
    const char* name;
    z3::expr guard;
    Facts after;
  };

  Symbols symbols() {
    Symbols made{};
    for (const char* const name : System::field_names()) {
      made.values.push_back(context_.int_const(name));
    }
    return made;
  }

  z3::expr all_of(const Facts& facts) {
    z3::expr all = context_.bool_val(true);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (alive_[i]) all = all && facts[i].term;
    }
    return all;
  }

  /// Drops the facts that are false in some state that the solver allows, until there is none.
  bool drop_false(const Facts& facts, const std::string& why) {
    bool dropped = false;
    while (made_.unknown.empty()) {
      ++made_.queries;
      solver_.push();
      solver_.add(!all_of(facts));
      const z3::check_result result = ask(solver_, limits_, made_.unknown);
      if (result == z3::sat) {
        const z3::model model = solver_.get_model();
        for (std::size_t i = 0; i < facts.size(); ++i) {
          if (alive_[i] && model.eval(facts[i].term, true).is_false()) drop(i, why);
        }
        dropped = true;
      }
      solver_.pop();
      if (result != z3::sat) break;
    }
    return dropped;
  }

  void drop(std::size_t fact, const std::string& why) {
    alive_[fact] = false;
    if (made_.failed.empty()) made_.failed = why + facts_[fact].name;
  }

  void initially() {
    drop_false(system_.facts(terms_, system_.initial(terms_)), "not true initially: ");
  }

  /// One round over all rules, from the facts that are left; true if some were dropped.
  bool pass() {
    bool dropped = false;
    solver_.push();
    solver_.add(all_of(facts_));
    for (const Rule& rule : rules_) {
      solver_.push();
      solver_.add(rule.guard);
      dropped |= drop_false(rule.after, std::string("'") + rule.name + "' does not keep: ");
      solver_.pop();
      if (!made_.unknown.empty()) break;
    }
    solver_.pop();
    return dropped;
  }

  void conclude() {
    made_.proved.assign(System::kGuarantees + 1, true);
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (alive_[i]) ++made_.facts;
      else made_.proved[facts_[i].guarantee] = made_.proved[facts_[i].needed_by] = false;
    }
    made_.proved.pop_back();
  }

  const System& system_;
  const Limits& limits_;
  z3::context context_;
  Terms terms_;
  Symbols before_;
  z3::solver solver_;
  std::vector<Rule> rules_;
  Facts facts_;
  std::vector<bool> alive_;
  Induction made_;
};

}  // namespace futexmc::properties::proofs
