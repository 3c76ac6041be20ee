// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to the kernel's memory model about a Graph: can this outcome be, can there be a race.
//
//   z3::context context;
//   Graph graph(context);
//   ...                                             // events, thread by thread
//   Model model(graph);
//   Answer answer = model.ask(graph.value(r) == graph.number(0));
//   if (answer.verdict == Verdict::possible) std::cout << print(answer.execution);
//
// Invariants
//  1. No z3::exception leaves this class: whatever z3 cannot do is Verdict::unknown with a reason.
//  2. An answer holds no z3 object and may outlive the context.
//  3. A time-out or an exhausted budget is never `possible` or `impossible`.
//
// How: a solver proposes values, sources and orders; the axioms are looked at in what it proposes,
// and what breaks one is forbidden for good, until a proposal breaks none or there is none left.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/proofs/lkmm/axioms.hpp"
#include "properties/proofs/lkmm/graph.hpp"

namespace futexmc::proofs::lkmm {

enum class Verdict : std::uint8_t {
  possible,    ///< there is an execution
  impossible,  ///< proved that there is none
  unknown,
};

/// One event of an execution, with what it did there.
struct Happened {
  Id event = 0;
  int thread = 0;
  std::string what;                 ///< "read acquire", "smp_mb", "lock"
  std::string label;                ///< the graph's, or empty
  std::uint64_t location = 0;       ///< of accesses
  std::uint64_t value = 0;
  bool access = false;
  bool reads = false;
  std::optional<Id> source;         ///< of a read: the write; none is the initial value
};

/// Events in an order that keeps program order and, where it can, has writes before their reads.
using Execution = std::vector<Happened>;

/// A line per event: thread, event, location, value, source.
std::string print(const Execution& execution);

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::string reason;   ///< of unknown
  Execution execution;  ///< of possible
  double seconds = 0;   ///< in the solver
};

/// Bounds on one question. Zero is no bound.
struct Limits {
  unsigned milliseconds = 0;
  unsigned steps = 0;      ///< z3's resource units: a bound that is the same on every machine
  const std::atomic<bool>* interrupt = nullptr;  ///< looked at before each proposal
};

class Model {
 public:
  /// Prepares to propose executions of `graph`, which must outlive the model and get no more
  /// events. Final values must have been asked of the graph before.
  explicit Model(Graph& graph, Omitted omitted = {}, Limits limits = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model();

  /// Whether some execution satisfies `outcome`, a formula over values and guards of events and
  /// over final values.
  Answer ask(const z3::expr& outcome);
  /// Whether some execution has a data race.
  Answer ask_race();
  /// Whether some execution has a plain write and a marked access that nothing keeps apart.
  Answer ask_mixed();

  /// Formulas handed to the solver at first; executions that it proposed; and what of them the
  /// axioms forbade, learnt so far.
  std::size_t clauses() const;
  std::size_t proposals() const;
  std::size_t learnt() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace futexmc::proofs::lkmm
