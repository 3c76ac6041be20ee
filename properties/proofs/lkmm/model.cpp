// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/model.hpp"

#include <chrono>
#include <exception>

#include "properties/proofs/lkmm/execution.hpp"

namespace futexmc::proofs::lkmm {

struct Model::State {
  State(Graph& of, Omitted without, Limits bounds)
      : graph(of), omitted(std::move(without)), limits(bounds) {}

  void encode() {
    solver.emplace(graph.context(), "QF_FD");
    z3::params params(graph.context());
    if (limits.milliseconds) params.set("timeout", limits.milliseconds);
    if (limits.steps) params.set("rlimit", limits.steps);
    solver->set(params);
    const Algebra::Sink sink = [this](const z3::expr& clause) {
      ++clauses;
      solver->add(clause);
    };
    communication.emplace(communicate(graph, omitted, sink));
    races.emplace(order(graph, *communication, omitted, sink));
  }

  void check(const z3::expr& outcome, Answer& answer) {
    // By an assumption: z3 takes in all clauses when a scope is opened, and does so without
    // looking at the clock.
    z3::expr asked =
        graph.context().bool_const(("ask!" + std::to_string(questions++)).c_str());
    solver->add(z3::implies(asked, outcome));
    switch (solver->check(1, &asked)) {
      case z3::sat:
        answer.execution = read_execution(graph, *communication, solver->get_model());
        answer.verdict = Verdict::possible;
        break;
      case z3::unsat:
        answer.verdict = Verdict::impossible;
        break;
      case z3::unknown:
        answer.reason = solver->reason_unknown();
        if (answer.reason.empty() || answer.reason == "no reason given") {
          answer.reason = "the solver gave up within its bounds";
        }
        break;
    }
  }

  template <class Outcome>
  Answer ask(const Outcome& outcome) {
    Answer answer;
    if (!broken.empty()) {
      answer.reason = broken;
      return answer;
    }
    const auto start = std::chrono::steady_clock::now();
    try {
      check(outcome(), answer);
    } catch (const z3::exception& error) {
      broken = std::string("z3: ") + error.msg();
    } catch (const std::exception& error) {
      broken = error.what();
    }
    if (!broken.empty()) {
      // After an exception the solver's state is not to be relied on.
      answer = {};
      answer.reason = broken;
    }
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
  }

  Graph& graph;
  Omitted omitted;
  Limits limits;
  std::optional<z3::solver> solver;
  std::optional<Communication> communication;
  std::optional<Races> races;
  std::size_t clauses = 0;
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
  return state_->ask([&] { return outcome; });
}

Answer Model::ask_race() {
  return state_->ask([&] { return state_->races->data_race; });
}

Answer Model::ask_mixed() {
  return state_->ask([&] { return state_->races->mixed_accesses; });
}

std::size_t Model::clauses() const { return state_->clauses; }

}  // namespace futexmc::proofs::lkmm
