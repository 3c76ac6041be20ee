// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/theorem.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>

#include <z3++.h>

#include "properties/proofs/count/theorems.hpp"
#include "properties/proofs/memory/theorems.hpp"

namespace futexmc::properties::proofs {

const char* to_string(Answer answer) {
  switch (answer) {
    case Answer::proved: return "proved";
    case Answer::refuted: return "refuted";
    case Answer::unknown: break;
  }
  return "unknown";
}

const std::vector<Theorem>& theorems() {
  static const std::vector<Theorem> table = [] {
    std::vector<Theorem> all;
    for (const auto& part : {count::theorems(), memory::theorems()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return table;
}

const Theorem* find_theorem(std::string_view id) {
  const auto it = std::find_if(theorems().begin(), theorems().end(),
                               [&](const Theorem& theorem) { return theorem.id == id; });
  return it == theorems().end() ? nullptr : &*it;
}

std::string describe(const model::Variant& variant) {
  std::string name = variant.kernel;
  for (const std::string& patch : variant.patches) name += "+" + patch;
  for (const std::string& knockout : variant.knockouts) name += "+no-" + knockout;
  return name;
}

Claim decide(const Theorem& theorem, const model::Variant& variant, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  Claim claim;
  const auto give_up = [&claim](const std::string& reason) {
    claim.answer = Answer::unknown;
    claim.reason = reason;
  };
  const double usual = theorem.deep ? kDeepSeconds : kSeconds;
  const futexmc::proofs::Watch watch(limits.seconds == 0 ? usual : limits.seconds,
                                     limits.interrupt);
  Limits watched = limits;
  watched.watch = &watch;
  try {
    check(&watch);
    claim = theorem.prove(variant, watched);
  } catch (const z3::exception& error) {
    // It may have been interrupted.
    const char* const why = watch.reason();
    give_up(why != nullptr ? why : std::string("the solver: ") + error.msg());
  } catch (const futexmc::proofs::Stopped& stopped) {
    give_up(stopped.what());
  } catch (const std::bad_alloc&) {
    give_up("out of memory");
  } catch (const std::exception& error) {
    give_up(std::string("internal: ") + error.what());
  }
  // An answer that lacks what it must come with is none.
  if (claim.answer == Answer::refuted && claim.execution.empty()) give_up("no execution was given");
  const bool proved = claim.answer == Answer::proved;
  if (proved && claim.checks.empty()) give_up("nothing shows it meaningful");
  if (claim.answer == Answer::unknown && claim.reason.empty()) give_up("no reason was given");
  claim.theorem = theorem.id;
  claim.variant = describe(variant);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  claim.seconds = elapsed.count();
  return claim;
}

}  // namespace futexmc::properties::proofs
