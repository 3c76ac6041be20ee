// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/observer.hpp"

#include <algorithm>

namespace futexmc::checker {
namespace {

constexpr std::uint32_t kTicksPerClock = 1024;
constexpr std::size_t kMaxFindings = 256;

}  // namespace

bool Result::violated(std::string_view property) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.property == property; });
}

Observer::Observer(Machine& machine, const Options& options)
    : machine_(machine), options_(options), start_(std::chrono::steady_clock::now()) {
  rt.monitor = this;
  rt.coverage = options_.coverage;
}

Observer::~Observer() {
  rt.monitor = nullptr;
  rt.coverage = nullptr;
}

void Observer::violation(std::string_view property, std::string_view message) {
  if (muted || !machine_.program().checks(property)) return;
  for (const Finding& finding : result.findings) {
    if (finding.property == property && finding.message == message) return;
  }
  if (result.findings.size() >= kMaxFindings) return;
  result.findings.push_back({std::string(property), std::string(message), path()});
  if (options_.stop_at_first) stop_ = true;
}

void Observer::discipline_broken(std::uint32_t cell) {
  if (result.reduction_off.empty()) result.reduction_off = arena.layout.cell_name(cell);
  stop_ = true;
}

void Observer::bound_reached(std::string_view what) {
  result.limit = Limit::model;
  result.bound = what;
}

void Observer::visit_state() { machine_.program().check_state(*this); }

void Observer::visit_final() {
  ++result.finals;
  const FinalState state = machine_.final_state();
  machine_.program().check_final(state, *this);
  if (options_.outcomes) outcomes_.insert(machine_.program().outcome(state));
}

bool Observer::keep_going(std::uint64_t bytes, std::size_t depth) {
  result.max_depth = std::max(result.max_depth, depth);
  if (result.states >= options_.max_states) result.limit = Limit::states;
  if (++ticks_ % kTicksPerClock == 0) check_clock(bytes, depth);
  return !stopped();
}

void Observer::check_clock(std::uint64_t bytes, std::size_t depth) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  result.bytes = std::max(result.bytes, bytes);
  if (bytes > options_.max_bytes) result.limit = Limit::memory;
  if (elapsed.count() > options_.max_seconds) result.limit = Limit::time;
  if (options_.interrupt != nullptr && options_.interrupt->load()) {
    result.limit = Limit::interrupted;
  }
  if (options_.progress && elapsed.count() >= next_progress_) {
    next_progress_ = elapsed.count() + 0.1;
    options_.progress({result.states, result.transitions, bytes, depth, elapsed.count()});
  }
}

void Observer::finish() {
  if (!stopped()) machine_.program().check_all(*this);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  result.seconds = elapsed.count();
  result.outcomes.assign(outcomes_.begin(), outcomes_.end());
}

}  // namespace futexmc::checker
