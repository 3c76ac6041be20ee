// SPDX-License-Identifier: GPL-2.0-or-later
//
// Theorems: what is proved rather than explored, and the one list of them.
//
// Rules
//  1. `proved` and `refuted` are certain within the claim's bound and assumptions. Whatever else
//     happens (a time limit, an exception of the solver, an induction that does not go through) is
//     `unknown`, with the reason.
//  2. `refuted` comes with an execution.
//  3. `proved` comes with checks that the proof is not about nothing.
//  4. No term of the solver outlives the context it was made in: a claim is made of plain text.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/variant.hpp"
#include "properties/proofs/watch.hpp"

namespace futexmc::properties::proofs {

enum class Answer : std::uint8_t { proved, refuted, unknown };
/// "proved", "refuted", "unknown".
const char* to_string(Answer answer);

/// Bounds of claims for which there is none.
inline constexpr const char* kAnyNumber = "any number";

/// What came of one theorem on one variant.
struct Claim {
  std::string theorem = {};  ///< its id
  std::string variant = {};  ///< as describe() names it
  std::string bound = {};    ///< kAnyNumber, or the bound in words
  Answer answer = Answer::unknown;
  std::string reason = {};   ///< of `unknown`; else empty
  std::vector<std::string> assumptions = {};
  std::vector<std::string> execution = {};  ///< of `refuted`: a line for each step
  std::vector<std::string> checks = {};     ///< of `proved`: what was found possible or satisfiable
  double seconds = 0;
};

struct Limits {
  double seconds = 0;  ///< of one theorem; 0: kSeconds, or kDeepSeconds for a deep one
  const std::atomic<bool>* interrupt = nullptr;  ///< set from outside to stop
  /// Made by decide() of the two; null: no limit.
  const futexmc::proofs::Watch* watch = nullptr;
};
inline constexpr double kSeconds = 300;
inline constexpr double kDeepSeconds = 1800;

/// A C litmus test, as the kernel's memory model and herd7 take it.
struct LitmusTest {
  std::string name;
  std::string text;
  bool possible = false;  ///< the answer to its question
};

struct Theorem {
  std::string id;         ///< "count-get": good as an option's value
  std::string title;      ///< one line
  std::string statement;  ///< in words
  int exit_code;          ///< of the program when it is refuted: that of the property it is about
  bool deep;              ///< too long for the default set
  /// Whether it says anything about the variant: v6.12 has no reference count.
  bool (*applies)(const model::Variant& variant);
  /// May throw; see decide().
  Claim (*prove)(const model::Variant& variant, const Limits& limits);
  /// Its events as litmus tests; null if it has none. May throw.
  std::vector<LitmusTest> (*litmus)(const std::string& id, const model::Variant& variant,
                                    const Limits& limits) = nullptr;
  bool in_matrix = true;  ///< quick enough to be proved for each row of the matrix
};

/// All of them, in the order in which they are shown. To add some: a function that returns them,
/// called in theorem.cpp.
const std::vector<Theorem>& theorems();
/// Null if there is none of that name.
const Theorem* find_theorem(std::string_view id);

/// Proves the theorem, which applies; whatever is thrown becomes `unknown`. Sets the theorem's and
/// the variant's name and the time.
Claim decide(const Theorem& theorem, const model::Variant& variant, const Limits& limits);

/// "v7.3", "v7.2+mismatch-precheck", "v7.3+no-bias".
std::string describe(const model::Variant& variant);

}  // namespace futexmc::properties::proofs
