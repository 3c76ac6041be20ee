// SPDX-License-Identifier: GPL-2.0-or-later
//
// From the reports on a row's scenarios to its verdicts.
//
// A property is violated in a row if it is in some scenario; it holds if every scenario was
// searched to the end; else nobody knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/check_run.hpp"
#include "cli/variants.hpp"
#include "properties/proofs/theorem.hpp"

namespace futexmc::cli {

struct Cell {
  std::string property;
  properties::Verdict verdict = properties::Verdict::inconclusive;
  /// The one that decided: of those that show the violation the one with the shortest path, of
  /// equal ones the one with the fewest states; the first that is inconclusive. Empty if it holds.
  std::string scenario;
  std::string message;       ///< of the violation, or why it is inconclusive
  std::uint64_t states = 0;  ///< of that scenario if violated, else of all
  double seconds = 0;        ///< likewise
  std::string trace;         ///< the committed file, if there is one
  bool shared_with_base = false;  ///< its base violates it in a scenario where this one does
  bool own = false;  ///< shared, but the patch on v7.3 violates it where v7.3 holds
  bool vacuous = false;  ///< holds, and there was nothing in any scenario that could be wrong
  std::size_t skipped = 0;  ///< scenarios that were not searched for it
  std::uint64_t size = 0;   ///< states of the scenario that decided, whichever search found it
};

struct MatrixRow {
  Row row;
  std::vector<Cell> cells;   ///< one for each property, in the table's order
  std::uint64_t states = 0;  ///< of all scenarios
  double seconds = 0;        ///< likewise: the sum over searches, some at the same time
  std::string base;          ///< the row that violations are measured against
  std::vector<properties::proofs::Claim> claims;  ///< of the default theorems, if asked for
  std::size_t skipped = 0;   ///< scenarios that use what the kernel has not
  std::size_t checked = 0;   ///< the others
};

MatrixRow make_row(const Row& row, const std::vector<CheckOutcome>& outcomes);
/// Scenarios in which the property is violated.
Names violating_scenarios(const std::vector<CheckOutcome>& outcomes, const std::string& property);
/// Marks the shared violations that are the patch's own all the same: those that its row on the
/// base kernel has in scenarios where the base kernel holds; such a scenario decides.
void mark_own(MatrixRow& row, const std::vector<CheckOutcome>& outcomes,
              const std::vector<CheckOutcome>& on_base_kernel,
              const std::vector<CheckOutcome>& base_kernel);
/// Marks the violations that the row `base_name` shares. Of its outcomes it is enough to have the
/// scenarios in which this row has violations.
void mark_shared(MatrixRow& row, const std::vector<CheckOutcome>& outcomes,
                 const std::string& base_name, const std::vector<CheckOutcome>& base);

/// `memory` is that of all rows.
Json matrix_json(const std::vector<MatrixRow>& rows, checker::Memory memory);
std::string matrix_junit(const std::vector<MatrixRow>& rows, checker::Memory memory);
/// The grid of verdicts, then two lines for each violation.
std::string matrix_text(const std::vector<MatrixRow>& rows, checker::Memory memory);

}  // namespace futexmc::cli
