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
  bool shared_with_base = false;  ///< the base row violates it in a scenario where this one does
  bool vacuous = false;  ///< it holds, but no scenario had anything to look at
};

struct MatrixRow {
  Row row;
  std::vector<Cell> cells;   ///< one for each property, in the table's order
  std::uint64_t states = 0;  ///< of all scenarios
  double seconds = 0;        ///< likewise: the sum over searches, some at the same time
};

MatrixRow make_row(const Row& row, const std::vector<CheckOutcome>& outcomes);
/// Scenarios in which the property is violated.
Names violating_scenarios(const std::vector<CheckOutcome>& outcomes, const std::string& property);
/// Marks the violations that the base shares. Of `base` it is enough to have the scenarios in which
/// this row has violations.
void mark_shared(MatrixRow& row, const std::vector<CheckOutcome>& outcomes,
                 const std::vector<CheckOutcome>& base);

Json matrix_json(const std::vector<MatrixRow>& rows);
std::string matrix_junit(const std::vector<MatrixRow>& rows);
/// The grid of verdicts, then two lines for each violation.
std::string matrix_text(const std::vector<MatrixRow>& rows);

}  // namespace futexmc::cli
