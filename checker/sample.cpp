// SPDX-License-Identifier: GPL-2.0-or-later
//
// Invariants
//  1. The program is built once. A run begins by taking back the one before: the cells from the
//     undo log, the threads from their copies of the initial state.
//  2. The invariants are evaluated in states that are new to the table; once it is full, in all.
#include "checker/sample.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <unordered_map>

#include "checker/observer.hpp"
#include "checker/priorities.hpp"
#include "checker/visited.hpp"

namespace futexmc::checker {
namespace {

/// Takes down what check_all() would call a violation of all states together.
class NotSeen final : public Monitor {
 public:
  NotSeen(const Program& program, std::vector<std::string>& messages)
      : program_(program), messages_(messages) {}
  void violation(std::string_view property, std::string_view message) override {
    if (program_.checks(property)) messages_.emplace_back(message);
  }
  void discipline_broken(std::uint32_t /*cell*/) override {}

 private:
  const Program& program_;
  std::vector<std::string>& messages_;
};

class Sampler final : public Observer {
 public:
  Sampler(Machine& machine, const Options& options, const SampleOptions& how)
      : Observer(machine, options), visited_(false) {
    sampled.options = how;
    visited_.set_max_bytes(options.max_bytes / 2);  // the other half is for outcomes
  }

  void run() {
    try {
      sample();
    } catch (const std::bad_alloc&) {
      result.limit = Limit::memory;
    }
    if (!result.reduction_off.empty()) return;
    sampled.found_in.resize(result.findings.size(), number_);
    NotSeen not_seen(machine_.program(), sampled.not_seen);
    if (sampled.runs != 0) machine_.program().check_all(not_seen);
    const bool asked_for_time = sampled.options.runs == 0 && result.limit == Limit::time;
    if (result.limit == Limit::none || asked_for_time) result.limit = Limit::sampled;
    result.bytes = std::max<std::uint64_t>(result.bytes, bytes());
    result.collision_odds = visited_.collision_odds(static_cast<double>(result.states));
    finish();
    report_outcomes();
  }

  Sampled sampled;

 protected:
  Path path() const override { return path_; }

 private:
  struct Outcome {
    std::uint64_t runs = 0;
    std::uint64_t last_run = 0;
  };

  std::uint64_t bytes() const {
    return visited_.bytes() + outcome_bytes_ + arena.undo.capacity() * sizeof(UndoEntry) +
           path_.capacity() * sizeof(Choice);
  }

  void sample() {
    machine_.reset(options_.movers, options_.scoped);
    sampled.agents = machine_.agent_count();
    save_beginning();
    arrive();
    const std::uint64_t runs = sampled.options.runs;
    for (number_ = 1; (runs == 0 || number_ <= runs) && !stopped(); ++number_) {
      one_run();
      sampled.found_in.resize(result.findings.size(), number_);
    }
  }

  void one_run() {
    back_to_beginning();
    Random random(sampled.options.seed, number_);
    std::optional<Priorities> priorities;
    if (by_priorities()) {
      priorities.emplace(sampled.agents, sampled.options.depth,
                         std::max<std::uint64_t>(1, sampled.decisions), random);
    }
    for (;;) {
      const AgentMask enabled = machine_.enabled();
      if (machine_.is_final(enabled)) arrive_final();
      if (!keep_going(bytes(), path_.size())) return;
      if (enabled == 0) return end_run(false);
      if (path_.size() >= sampled.options.max_steps) return end_run(true);
      const std::size_t agent = priorities ? priorities->pick(enabled) : any_of(enabled, random);
      go(agent, random);
      if (stopped()) return;
    }
  }

  bool by_priorities() const {
    return sampled.options.scheduler == Scheduler::pct && number_ > kCalibrationRuns;
  }

  void go(std::size_t agent, Random& random) {
    const unsigned alternatives = machine_.alternatives(agent);
    const auto alternative = alternatives > 1 ? random.below(alternatives) : 0;
    path_.push_back({static_cast<std::uint8_t>(agent), static_cast<std::uint8_t>(alternative)});
    machine_.step(agent, static_cast<unsigned>(alternative));
    ++result.transitions;
    arrive();
  }

  void end_run(bool cut) {
    ++sampled.runs;
    if (cut) ++sampled.cut;
    if (sampled.options.scheduler != Scheduler::pct) return;
    const std::uint64_t decisions = path_.size() + sampled.options.depth - 1;
    if (by_priorities() && decisions > sampled.decisions) ++sampled.longer;
    // A run that was cut would have gone on for ever, as like as not: it measures nothing.
    if (!cut) sampled.decisions = std::max(sampled.decisions, decisions);
  }

  void arrive() {
    const Visited::Insert inserted = visited_.insert(machine_.fingerprint()).result;
    fresh_ = inserted == Visited::Insert::fresh;
    if (inserted == Visited::Insert::full) sampled.table_full = true;
    if (inserted == Visited::Insert::seen) {
      ++result.matched;
      return;
    }
    if (fresh_) ++result.states;
    visit_state();
  }

  void arrive_final() {
    // The initial state is new before the first run.
    if (fresh_) ++result.finals;
    fresh_ = false;
    const FinalState state = machine_.final_state();
    machine_.program().check_final(state, *this);
    const auto [at, added] = outcomes_.try_emplace(machine_.program().outcome(state));
    if (added) outcome_bytes_ += sizeof *at + at->first.capacity() + 2 * sizeof(void*);
    if (at->second.last_run == number_) return;
    at->second.last_run = number_;
    ++at->second.runs;
  }

  void report_outcomes() {
    sampled.outcomes = outcomes_.size();
    for (const auto& [text, seen] : outcomes_) {
      if (seen.runs == 1) ++sampled.outcomes_once;
      if (options_.outcomes) result.outcomes.push_back(text);
    }
    std::sort(result.outcomes.begin(), result.outcomes.end());
  }

  void save_beginning() {
    shared_hash_ = arena.shared_hash;
    threads_hash_ = machine_.threads_hash();
    for (std::size_t id = 0; id < machine_.thread_count(); ++id) {
      threads_[id].resize(Machine::saved_size(id));
      Machine::save_thread(id, threads_[id].data());
    }
  }

  void back_to_beginning() {
    if (number_ > 1) fresh_ = false;
    path_.clear();
    arena.undo_to(0);
    arena.shared_hash = shared_hash_;
    for (std::size_t id = 0; id < machine_.thread_count(); ++id) {
      Machine::load_thread(id, threads_[id].data());
    }
    machine_.set_threads_hash(threads_hash_);
  }

  Visited visited_;
  std::unordered_map<std::string, Outcome> outcomes_;
  std::uint64_t outcome_bytes_ = 0;
  Path path_;
  std::uint64_t number_ = 0;  ///< of the run at hand, from 1
  bool fresh_ = false;        ///< the state at hand is new and not yet counted as final
  std::array<std::vector<char>, kMaxThreads> threads_;  ///< as they begin
  Hash128 shared_hash_;
  Hash128 threads_hash_;
};

}  // namespace

double Sampled::promise() const {
  if (options.scheduler != Scheduler::pct || decisions == 0) return 0;
  return pct_bound(agents, options.depth, decisions);
}

double Sampled::new_outcome() const {
  if (runs == 0) return 1;
  return std::min(1.0, static_cast<double>(outcomes_once) / static_cast<double>(runs));
}

SampleResult sample(Program& program, const Options& options, const SampleOptions& how) {
  Machine machine(program);
  Options used = options;
  std::string reduction_off;
  {
    Sampler sampler(machine, used, how);
    sampler.run();
    reduction_off = sampler.result.reduction_off;
    if (reduction_off.empty()) return {sampler.result, sampler.sampled};
  }
  used.movers = false;
  Sampler sampler(machine, used, how);
  sampler.run();
  sampler.result.reduction_off = reduction_off;
  return {sampler.result, sampler.sampled};
}

const char* to_string(Scheduler scheduler) {
  return scheduler == Scheduler::pct ? "pct" : "random";
}

}  // namespace futexmc::checker
