// SPDX-License-Identifier: GPL-2.0-or-later
//
// The matrix as JUnit: a suite for each row, a case for each property.
#include <fmt/format.h>

#include "cli/junit.hpp"
#include "cli/matrix_cells.hpp"
#include "cli/places.hpp"

namespace futexmc::cli {
namespace {

using Outcome = JunitCase::Outcome;
using properties::Verdict;

void fail(JunitCase& one, const Cell& cell) {
  one.outcome = Outcome::failed;
  one.type = cell.property;
  one.message = fmt::format("{}: {}", cell.scenario, cell.message);
  one.text = one.message + "\n";
  if (cell.shared_with_base) one.text += "The base row violates it too.\n";
  if (!cell.trace.empty()) one.text += fmt::format("futexmc explain {}\n", cell.trace);
}

JunitCase make_case(const MatrixRow& row, const Cell& cell) {
  JunitCase one;
  one.classname = row.row.name + ".matrix";
  one.name = cell.property;
  one.seconds = row.seconds / static_cast<double>(row.cells.size());
  switch (cell.verdict) {
    case Verdict::violated: fail(one, cell); break;
    case Verdict::inconclusive:
      one.outcome = Outcome::error;
      one.type = "inconclusive";
      one.message = cell.scenario.empty() ? cell.message : cell.scenario + ": " + cell.message;
      break;
    case Verdict::holds:
      if (!cell.vacuous) break;
      one.outcome = Outcome::skipped;
      one.message = "nothing to look at in any scenario";
      break;
  }
  return one;
}

}  // namespace

std::string matrix_junit(const std::vector<MatrixRow>& rows, checker::Memory memory) {
  std::vector<JunitSuite> suites;
  for (const MatrixRow& row : rows) {
    JunitSuite suite;
    suite.name = row.row.name;
    suite.properties = {{"futexmc", version()},
                        {"title", row.row.title},
                        {"memory", properties::to_string(memory)}};
    for (const Cell& cell : row.cells) suite.cases.push_back(make_case(row, cell));
    suites.push_back(std::move(suite));
  }
  return to_junit("futexmc matrix", suites);
}

}  // namespace futexmc::cli
