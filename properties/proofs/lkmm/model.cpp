// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/model.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <set>

#include "properties/proofs/lkmm/execution.hpp"

namespace futexmc::proofs::lkmm {
namespace {

using Clock = std::chrono::steady_clock;

/// Two events that would race if they communicate in this order and nothing keeps them apart.
struct Candidate {
  Id first, second;
  Relation Excused::*excuse;
  z3::expr chosen;  ///< that the execution asked for has these two race
};

}  // namespace

struct Model::State {
  State(Graph& of, Omitted without, Limits bounds)
      : graph(of), omitted(std::move(without)), limits(bounds) {}

  void encode() {
    solver.emplace(graph.context(), "QF_FD");
    z3::params params(graph.context());
    params.set("ctrl_c", false);  // it would keep the signal from who waits for it
    if (limits.steps != 0) params.set("rlimit", limits.steps);
    solver->set(params);
    communication.emplace(communicate(graph, omitted, [this](const z3::expr& clause) {
      ++clauses;
      futexmc::proofs::check(limits.watch);
      solver->add(clause);
    }));
  }

  /// Proposals until one is an execution of the memory model, or there are none.
  void check(const z3::expr& outcome, const std::vector<Candidate>& candidates, Answer& answer) {
    // By an assumption: what is learnt from one question serves the next.
    z3::expr asked =
        graph.context().bool_const(("ask!" + std::to_string(questions++)).c_str());
    solver->add(z3::implies(asked, outcome));
    for (;;) {
      futexmc::proofs::check(limits.watch);
      const z3::check_result result = solver->check(1, &asked);
      if (result == z3::unsat) {
        answer.verdict = Verdict::impossible;
        return;
      }
      if (result == z3::unknown) {
        futexmc::proofs::check(limits.watch);
        answer.reason = solver->reason_unknown();
        if (answer.reason.empty() || answer.reason == "no reason given") {
          answer.reason = "the solver gave up within its bounds";
        }
        return;
      }
      const z3::model proposal = solver->get_model();
      ++proposals;
      if (!learn(proposal, candidates)) {
        answer.execution = read_execution(graph, *communication, proposal);
        answer.verdict = Verdict::possible;
        return;
      }
    }
  }

  /// Forbids what is wrong with the proposal; whether anything was.
  bool learn(const z3::model& proposal, const std::vector<Candidate>& candidates) {
    Reasons reasons;
    const Observed seen = observe(graph, *communication, proposal, reasons);
    Excused excused;
    std::vector<Why> wrong;
    for (const Breach& breach : lkmm::check(graph, seen, omitted, reasons,
                                            candidates.empty() ? nullptr : &excused)) {
      wrong.push_back(breach.why);
    }
    for (const Candidate& one : candidates) {
      if (!proposal.eval(one.chosen, true).is_true()) continue;
      const Relation& excuse = excused.*one.excuse;
      if (excuse.size() == 0) continue;
      const Why why = excuse.at(seen.number(one.first), seen.number(one.second));
      wrong.push_back(reasons.both(why, reasons.fact(one.chosen)));
    }
    return forbid(reasons, wrong);
  }

  /// That what each of `wrong` rests on is not all there.
  bool forbid(const Reasons& reasons, const std::vector<Why>& wrong) {
    std::set<std::vector<unsigned>> said;
    for (const Why why : wrong) {
      if (why == kNo) continue;
      z3::expr_vector clause(graph.context());
      std::vector<unsigned> key;
      for (const z3::expr& fact : reasons.facts(why)) {
        clause.push_back(graph.logic().negation(fact));
        key.push_back(fact.id());
      }
      std::sort(key.begin(), key.end());
      if (!said.insert(std::move(key)).second) continue;
      ++learnt;
      solver->add(z3::mk_or(clause));
    }
    return !said.empty();
  }

  template <class Question>
  Answer ask(const Question& question) {
    Answer answer;
    if (!broken.empty()) {
      answer.reason = broken;
      return answer;
    }
    const auto start = Clock::now();
    try {
      const Watch::Over over(limits.watch, graph.context());
      question(answer);
    } catch (const z3::exception& error) {
      const char* const why = reason_of(limits.watch);
      broken = why != nullptr ? why : std::string("z3: ") + error.msg();
    } catch (const std::exception& error) {
      broken = error.what();
    }
    if (!broken.empty()) {
      // After an exception the solver's state is not to be relied on.
      answer = {};
      answer.reason = broken;
    }
    answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return answer;
  }

  Answer ask_races(std::vector<Candidate> (State::*make)()) {
    return ask([&](Answer& answer) {
      const std::vector<Candidate> candidates = (this->*make)();
      std::vector<z3::expr> any;
      for (const Candidate& one : candidates) any.push_back(one.chosen);
      check(graph.logic().any(any), candidates, answer);
    });
  }

  bool is(Id id, Kind kind) const { return graph.event(id).kind == kind; }
  bool is_plain(Id id) const {
    return !is(id, Kind::fence) && graph.event(id).order == Order::plain;
  }
  /// Both executed, at one location.
  z3::expr meet(Id a, Id b) const {
    const Logic& logic = graph.logic();
    if (is(a, Kind::fence) || is(b, Kind::fence)) return logic.no();
    return logic.both(
        logic.both(communication->executed[a], communication->executed[b]),
        logic.equal(graph.event(a).location, graph.event(b).location));
  }

  void add_candidate(std::vector<Candidate>& to, Id first, Id second, Relation Excused::*excuse,
                     const z3::expr& when) {
    if (when.is_false()) return;
    z3::expr chosen =
        graph.context().bool_const(("race!" + std::to_string(to.size()) + "!" +
                                    std::to_string(questions)).c_str());
    solver->add(z3::implies(chosen, when));
    to.push_back({first, second, excuse, chosen});
  }

  /// That the two communicate in this order: exactly, as nothing but this asks for it.
  z3::expr communicates(Id first, Id second) {
    const Logic& logic = graph.logic();
    const z3::expr met = meet(first, second);
    if (met.is_false()) return met;
    const auto order = [&](Id a, Id b) {
      const z3::expr* co = communication->co.at(a, b);
      return co == nullptr ? logic.no() : logic.both(meet(a, b), *co);
    };
    if (is(first, Kind::write) && is(second, Kind::write)) return order(first, second);
    std::vector<z3::expr> ways;
    const Id read = is(first, Kind::read) ? first : second;
    const Id write = read == first ? second : first;
    for (const auto& [source, rf] : communication->rfs.row(read)) {
      if (read == second && source == write) ways.push_back(rf);
      else ways.push_back(logic.both(rf, read == first ? order(source, write)
                                                       : order(write, source)));
    }
    if (read == first) ways.push_back(logic.both(communication->from_initial[read], met));
    return logic.any(ways);
  }

  std::vector<Candidate> races() {
    std::vector<Candidate> result;
    for (Id a = 0; a < graph.size(); ++a) {
      for (Id b = 0; b < graph.size(); ++b) {
        if (graph.event(a).thread == graph.event(b).thread) continue;
        if (!is_plain(a) && !is_plain(b)) continue;
        const bool first = is(a, Kind::write);
        const bool second = is(b, Kind::write);
        if (!first && !second) continue;
        Relation Excused::*const excuse = !first   ? &Excused::rw
                                          : second ? &Excused::ww
                                                   : &Excused::wr;
        add_candidate(result, a, b, excuse, communicates(a, b));
      }
    }
    return result;
  }

  /// Pairs of a plain write and a marked access of one location in one thread.
  std::vector<Candidate> mixed() {
    std::vector<Candidate> result;
    for (Id a = 0; a < graph.size(); ++a) {
      for (Id b = a + 1; b < graph.size(); ++b) {
        if (graph.event(a).thread != graph.event(b).thread || is_plain(a) == is_plain(b)) continue;
        if (!is(is_plain(a) ? a : b, Kind::write)) continue;
        add_candidate(result, a, b, &Excused::mixed, meet(a, b));
      }
    }
    return result;
  }

  Graph& graph;
  Omitted omitted;
  Limits limits;
  std::optional<z3::solver> solver;
  std::optional<Communication> communication;
  std::size_t clauses = 0;
  std::size_t proposals = 0;
  std::size_t learnt = 0;
  std::size_t questions = 0;
  std::string broken;  ///< why no question can be answered; empty if they can
};

Model::Model(Graph& graph, Omitted omitted, Limits limits)
    : state_(std::make_unique<State>(graph, std::move(omitted), limits)) {
  try {
    state_->encode();
  } catch (const z3::exception& error) {
    state_->broken = std::string("z3: ") + error.msg();
  } catch (const std::exception& error) {
    state_->broken = error.what();
  }
}

Model::~Model() = default;

Answer Model::ask(const z3::expr& outcome) {
  return state_->ask([&](Answer& answer) { state_->check(outcome, {}, answer); });
}

Answer Model::ask_race() {
  return state_->ask_races(&State::races);
}

Answer Model::ask_mixed() {
  return state_->ask_races(&State::mixed);
}

std::size_t Model::clauses() const { return state_->clauses; }
std::size_t Model::proposals() const { return state_->proposals; }
std::size_t Model::learnt() const { return state_->learnt; }

}  // namespace futexmc::proofs::lkmm
