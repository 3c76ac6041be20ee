// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc matrix`: every row on every scenario, in a pool of processes; one table.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/limits.hpp"
#include "cli/matrix_cells.hpp"
#include "cli/pool.hpp"
#include "cli/proofs.hpp"
#include "cli/scenarios.hpp"
#include "model/world.hpp"

namespace futexmc::cli {
namespace {

constexpr const char* kDefaultSeconds = "60";

std::vector<Row> selected_rows(const Names& names) {
  for (const std::string& name : names) require("row", name, row_names());
  std::vector<Row> selected;
  for (const Row& row : rows()) {
    if (names.empty() || std::find(names.begin(), names.end(), row.name) != names.end()) {
      selected.push_back(row);
    }
  }
  return selected;
}

class Matrix {
 public:
  Matrix(const MatrixOptions& options, Streams& streams)
      : options_(options), streams_(streams),
        scenarios_(load_scenarios(each_once(options.scenarios, streams))),
        rows_(selected_rows(options.rows)), memory_(named_memory(options.memory)) {
    if (scenarios_.empty()) throw Failure(exit_code::kUsage, "there are no scenarios");
    require_room(scenarios_, memory_);
    LimitOptions limits = options.limits;
    if (limits.max_time.empty()) limits.max_time = kDefaultSeconds;
    run_.jobs = job_count(options.jobs, rows_.size() * scenarios_.size());
    run_.options.search = limited(limits, run_.jobs);
    run_.options.minimize = false;
    run_.stories = false;
  }

  int run() {
    outcomes_ = run_rows(rows_, all_scenarios());
    std::vector<MatrixRow> made;
    for (std::size_t i = 0; i < rows_.size(); ++i) made.push_back(make_row(rows_[i], outcomes_[i]));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& base = base_of(rows_[i]);
      if (base.name == rows_[i].name) continue;
      mark_shared(made[i], outcomes_[i], base.name, outcomes_of(base));
      if (rows_[i].patches.empty()) continue;
      mark_own(made[i], outcomes_[i], outcomes_of(row_on_base(rows_[i])),
               outcomes_of(base_kernel_row()));
    }
    if (options_.proofs) prove_rows(made);
    streams_.out << document(made);
    return code_of(made);
  }

 private:
  using Scenarios = std::vector<const scenario::Scenario*>;

  Scenarios all_scenarios() const {
    Scenarios all;
    for (const scenario::Scenario& scenario : scenarios_) all.push_back(&scenario);
    return all;
  }

  static void prove_rows(std::vector<MatrixRow>& made) {
    properties::proofs::Limits limits;
    limits.interrupt = &interrupted();
    for (MatrixRow& row : made) {
      const model::Variant variant = named_variant(row.row.kernel, row.row.patches, {});
      for (const auto* const theorem : default_theorems(variant, false)) {
        if (!theorem->in_matrix) continue;
        row.claims.push_back(properties::proofs::decide(*theorem, variant, limits));
      }
    }
  }

  std::string document(const std::vector<MatrixRow>& made) const {
    switch (options_.format) {
      case Format::json: return dump(matrix_json(made, memory_)) + "\n";
      case Format::junit: return matrix_junit(made, memory_);
      case Format::text:
      case Format::sarif: break;  // not among the matrix's formats
    }
    return matrix_text(made, memory_);
  }

  /// For each row the outcomes on the scenarios.
  std::vector<std::vector<CheckOutcome>> run_rows(const std::vector<Row>& rows,
                                                  const Scenarios& scenarios) {
    std::vector<model::Variant> variants;
    for (const Row& row : rows) {
      variants.push_back(named_variant(row.kernel, row.patches, {}));
      variants.back().memory = memory_;
    }
    std::vector<CheckTask> tasks;
    for (const model::Variant& variant : variants) {
      const std::size_t before = tasks.size();
      for (const scenario::Scenario* const one : scenarios) {
        if (model::applies(*one, variant)) tasks.push_back({one, &variant});
      }
      if (tasks.size() == before && !scenarios.empty()) {
        throw Failure(exit_code::kUsage,
                      fmt::format("row '{}': none of the scenarios can run on it",
                                  variant_name(variant)));
      }
    }
    ProgressDisplay progress(streams_, options_.quiet, tasks.size());
    const auto finished = [&](std::size_t task, const CheckOutcome& outcome) {
      if (outcome.report) return;
      crashed_ = true;
      streams_.err << fmt::format("futexmc: internal error: {} on {}: the worker {}\n",
                                  tasks[task].scenario->name, variant_name(*tasks[task].variant),
                                  outcome.crash);
    };
    const auto outcomes = run_checks(tasks, run_, progress, finished);
    std::vector<std::vector<CheckOutcome>> by_row(rows.size());
    auto it = outcomes.begin();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const scenario::Scenario* const one : scenarios) {
        by_row[i].push_back(model::applies(*one, variants[i]) ? *it++
                                                              : CheckOutcome{{}, "", true});
      }
    }
    return by_row;
  }

  /// The row of the same patches on the base kernel; the base itself for a kernel.
  static const Row& row_on_base(const Row& row) {
    return *std::find_if(rows().begin(), rows().end(), [&](const Row& other) {
      return other.kernel == kBaseKernel && other.patches == row.patches;
    });
  }
  static const Row& base_kernel_row() { return row_on_base({}); }

  /// What another row does, at least where another row has a violation.
  const std::vector<CheckOutcome>& outcomes_of(const Row& base) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].name == base.name) return outcomes_[i];
    }
    const auto known = bases_.find(base.name);
    if (known != bases_.end()) return known->second;
    Scenarios needed;
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      const bool violated = std::any_of(outcomes_.begin(), outcomes_.end(), [s](const auto& row) {
        return row[s].report && !row[s].report->scenario.violations.empty();
      });
      if (violated) needed.push_back(&scenarios_[s]);
    }
    auto& made = bases_[base.name];
    if (!needed.empty()) made = run_rows({base}, needed).front();
    return made;
  }

  int code_of(const std::vector<MatrixRow>& made) const {
    if (crashed_) return exit_code::kInternal;
    const auto undecided = [](const MatrixRow& row) {
      return std::any_of(row.cells.begin(), row.cells.end(), [](const Cell& cell) {
        return cell.verdict == properties::Verdict::inconclusive;
      });
    };
    const auto unknown = [](const MatrixRow& row) {
      return std::any_of(row.claims.begin(), row.claims.end(), [](const auto& claim) {
        return claim.answer == properties::proofs::Answer::unknown;
      });
    };
    if (std::none_of(made.begin(), made.end(), undecided)) {
      return std::any_of(made.begin(), made.end(), unknown) ? exit_code::kBound : 0;
    }
    int code = exit_code::kMemory;
    for (const auto& row : outcomes_) {
      for (const CheckOutcome& outcome : row) {
        if (outcome.skipped) continue;
        const int limit = limit_exit_code(outcome.report->scenario.result.limit);
        if (limit != 0) code = std::min(code, limit);
      }
    }
    return code;
  }

  const MatrixOptions& options_;
  Streams& streams_;
  std::vector<scenario::Scenario> scenarios_;
  std::vector<Row> rows_;
  checker::Memory memory_;
  CheckRun run_;
  std::vector<std::vector<CheckOutcome>> outcomes_;
  std::map<std::string, std::vector<CheckOutcome>> bases_;  ///< of rows that were not asked for
  bool crashed_ = false;
};

}  // namespace

int matrix(const MatrixOptions& options, Streams& streams) {
  return Matrix(options, streams).run();
}

}  // namespace futexmc::cli
