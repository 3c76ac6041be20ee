// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/litmus_tests.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
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

/// Whether how a combination of runs ends leaves the outcome possible.
bool may_be(const z3::expr& formula) { return !formula.simplify().is_false(); }

class Tests {
 public:
  Tests(const Recording& recording, Ask ask, const Origin& origin, const Limits& limits)
      : recording_(recording), ask_(ask), origin_(origin), limits_(limits) {
    for (const ThreadRecording& thread : recording.threads) {
      runs_.push_back(paths_of(thread, kMostRuns));
    }
  }

  std::vector<LitmusTest> run() {
    each_combination([this](const std::vector<Path>& paths) { ask_of(paths); });
    for (auto& [text, bad] : bad_) {
      add(std::move(bad.program), fmt::format("bad-{}", bad.number), bad.possible);
    }
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

  /// Whether each lock is found as somebody left it on these paths, or as it was at first: cheaper
  /// than to ask the memory model, and there are many combinations.
  bool fit(const std::vector<Path>& paths) const {
    std::set<std::pair<std::uint32_t, std::uint64_t>> left;
    each_step(paths, [&left](const Node& node, const Group& /*group*/) {
      if (drops_lock(node.operation)) left.emplace(node.operation.cell, node.left);
    });
    bool all = true;
    each_step(paths, [&](const Node& node, const Group& group) {
      if (!takes_lock(node.operation)) return;
      all &= std::any_of(group.values.begin(), group.values.end(), [&](const auto& found) {
        return found.first == kAtFirst || left.contains({node.operation.cell, found.first});
      });
    });
    return all;
  }

  template <class Visit>
  void each_step(const std::vector<Path>& paths, const Visit& visit) const {
    for (std::size_t thread = 0; thread < paths.size(); ++thread) {
      for (const Step& step : paths[thread].steps) {
        const Node& node = recording_.threads[thread].nodes[step.node];
        visit(node, node.groups[step.group]);
      }
    }
  }

  void ask_of(const std::vector<Path>& paths) {
    futexmc::proofs::check(limits_.watch);
    if (!fit(paths)) return;
    z3::context context;
    Events events(recording_, context, paths);
    const Questions questions = ask_(events);
    if (may_be(questions.bad.formula)) write(paths, events, questions.bad, std::nullopt);
    for (std::size_t i = 0; i < questions.possible.size(); ++i) {
      const Outcome& outcome = questions.possible[i];
      if (shown_.contains(i) || !may_be(outcome.formula)) continue;
      if (write(paths, events, outcome, i)) shown_.insert(i);
    }
  }

  /// Makes the test. A bad outcome's text may be there already: what locks were found with, which
  /// texts do not say, is the only difference, so that either may be possible. Of outcomes that
  /// should be possible only those that are make one; says whether it is.
  bool write(const std::vector<Path>& paths, Events& events, const Outcome& outcome,
             std::optional<std::size_t> should_be) {
    LitmusCode code(recording_, paths, events);
    litmus::Program program = code.program(outcome.formula);
    const std::string text = litmus::print(program);
    lkmm::Model model(events.graph(), {}, limits_of(limits_));
    const lkmm::Answer answer = model.ask(outcome.formula);
    if (answer.verdict == Verdict::unknown) throw std::runtime_error(answer.reason);
    const bool possible = answer.verdict == Verdict::possible;
    if (should_be && !possible) return false;
    program.comment = comment(paths, code, outcome.what);
    const auto legend = code.legend(text);
    if (!legend.empty()) program.comment.insert(program.comment.end(), {"", "Numbers:"});
    for (const std::string& line : legend) program.comment.push_back("  " + line);
    if (should_be) {
      add(std::move(program), fmt::format("possible-{}", *should_be + 1), true);
      return true;
    }
    const auto [at, fresh] = bad_.try_emplace(text, Bad{bad_.size() + 1, program, possible});
    if (!fresh) at->second.possible |= possible;
    return possible;
  }

  struct Bad {
    std::size_t number;
    litmus::Program program;
    bool possible;
  };

  void add(litmus::Program program, const std::string& suffix, bool possible) {
    program.name = fmt::format("{}-{}-{}", origin_.theorem, origin_.variant, suffix);
    program.comment.insert(program.comment.begin(),
                           {fmt::format("Result: {}", possible ? "Sometimes" : "Never"), ""});
    made_.push_back({program.name, litmus::print(program), possible});
  }

  std::vector<std::string> comment(const std::vector<Path>& paths, const LitmusCode& code,
                                   const std::string& outcome) const {
    std::vector<std::string> lines = {
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
  std::map<std::string, Bad> bad_;  ///< by their texts
  std::set<std::size_t> shown_;     ///< outcomes that were seen to be possible
};

}  // namespace

std::vector<LitmusTest> litmus_tests(const Recording& recording, Ask ask, const Origin& origin,
                                     const Limits& limits) {
  return Tests(recording, ask, origin, limits).run();
}

}  // namespace futexmc::properties::proofs::memory
