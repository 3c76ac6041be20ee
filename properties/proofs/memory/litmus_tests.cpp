// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/litmus_tests.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "properties/proofs/memory/limits.hpp"
#include "properties/proofs/memory/litmus_code.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

namespace lkmm = futexmc::proofs::lkmm;
namespace litmus = lkmm::litmus;
using lkmm::Verdict;

constexpr std::size_t kMostRuns = 2000;  // of one thread

/// Whether the outcome is that of a combination of runs: it is decided by how they end.
bool is_outcome(const z3::expr& formula) {
  const z3::expr simple = formula.simplify();
  if (simple.is_true()) return true;
  if (simple.is_false()) return false;
  throw std::runtime_error("an outcome that is not about how threads end");
}

class Tests {
 public:
  Tests(const Recording& recording, Ask ask, const Origin& origin, const Limits& limits)
      : recording_(recording), ask_(ask), origin_(origin), limits_(limits) {
    for (const ThreadRecording& thread : recording.threads) {
      runs_.push_back(paths_of(thread, kMostRuns));
    }
  }

  std::vector<LitmusTest> run() {
    each_combination([this](const std::vector<Path>& paths) { bad(paths); });
    return std::move(made_);
  }

 private:
  void each_combination(const std::function<void(const std::vector<Path>&)>& visit) {
    std::vector<std::size_t> at(runs_.size(), 0);
    for (;;) {
      std::vector<Path> paths;
      for (std::size_t i = 0; i < at.size(); ++i) paths.push_back(runs_[i][at[i]]);
      visit(paths);
      std::size_t i = 0;
      while (i < at.size() && ++at[i] == runs_[i].size()) at[i++] = 0;
      if (i == at.size()) return;
    }
  }

  void bad(const std::vector<Path>& paths) {
    z3::context context;
    Events events(recording_, context, paths);
    const Questions questions = ask_(events);
    if (is_outcome(questions.bad.formula)) {
      write(paths, events, questions.bad.what, fmt::format("bad-{}", ++bad_));
    }
    for (std::size_t i = 0; i < questions.possible.size(); ++i) {
      const Outcome& outcome = questions.possible[i];
      if (shown_.contains(i) || !is_outcome(outcome.formula)) continue;
      if (write(paths, events, outcome.what, fmt::format("possible-{}", i + 1))) shown_.insert(i);
    }
  }

  /// Makes the test, unless there is one like it already. Of outcomes that should be possible only
  /// those that are; says whether it is.
  bool write(const std::vector<Path>& paths, Events& events, const std::string& outcome,
             const std::string& suffix) {
    LitmusCode code(recording_, paths, events);
    litmus::Program program = code.program();
    const bool is_bad = suffix.starts_with("bad");
    const std::string code_text = litmus::print(program);
    if (is_bad && !texts_.insert(code_text).second) {
      --bad_;
      return false;
    }
    lkmm::Model model(events.graph(), {}, limits_of(limits_));
    const lkmm::Answer answer = model.ask(events.graph().always());
    if (answer.verdict == Verdict::unknown) throw std::runtime_error(answer.reason);
    const bool possible = answer.verdict == Verdict::possible;
    if (!is_bad && !possible) return false;
    program.name = fmt::format("{}-{}-{}", origin_.theorem, origin_.variant, suffix);
    program.comment = comment(paths, code, outcome, possible);
    const auto legend = code.legend(code_text);
    if (!legend.empty()) program.comment.insert(program.comment.end(), {"", "Numbers:"});
    for (const std::string& line : legend) program.comment.push_back("  " + line);
    made_.push_back({program.name, litmus::print(program), possible});
    return possible;
  }

  std::vector<std::string> comment(const std::vector<Path>& paths, const LitmusCode& code,
                                   const std::string& outcome, bool possible) const {
    std::vector<std::string> lines = {
        fmt::format("Result: {}", possible ? "Sometimes" : "Never"), "",
        fmt::format("Theorem {} on {}: {}.", origin_.theorem, origin_.variant, outcome), ""};
    for (std::size_t thread = 0; thread < paths.size(); ++thread) {
      const ThreadRecording& recorded = recording_.threads[thread];
      lines.push_back(fmt::format("P{} is {}:", thread, recorded.name));
      for (const Step& step : paths[thread].steps) {
        const std::string choice = code.choice(thread, step);
        if (!choice.empty()) lines.push_back("  " + choice);
      }
      lines.push_back(paths[thread].sleeps ? "  it sleeps for ever" : "  it finishes");
    }
    return lines;
  }

  const Recording& recording_;
  Ask ask_;
  const Origin& origin_;
  const Limits& limits_;
  std::vector<std::vector<Path>> runs_;  ///< by thread
  std::vector<LitmusTest> made_;
  std::set<std::string> texts_;
  std::set<std::size_t> shown_;
  std::size_t bad_ = 0;
};

}  // namespace

std::vector<LitmusTest> litmus_tests(const Recording& recording, Ask ask, const Origin& origin,
                                     const Limits& limits) {
  return Tests(recording, ask, origin, limits).run();
}

}  // namespace futexmc::properties::proofs::memory
