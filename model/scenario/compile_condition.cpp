// SPDX-License-Identifier: GPL-2.0-or-later
//
// Conditions: an expression to postfix order. They read a state in which nothing runs, so && and
// || need no short circuit.
#include <algorithm>

#include "model/scenario/context.hpp"
#include "model/scenario/print.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;
using Term = Condition::Term;

class ConditionCompiler {
 public:
  ConditionCompiler(const Context& context, Condition& out) : context_(context), out_(out) {}

  void expression(const Expr& e) {
    if (const auto value = literal(e)) return push(Term::constant, 0, *value);
    for (const Expr& operand : e.operands)
      if (e.kind != Expr::Kind::call) expression(operand);
    switch (e.kind) {
      case Expr::Kind::name: return word(e);
      case Expr::Kind::member: return member(e);
      case Expr::Kind::call: return predicate(e);
      case Expr::Kind::binary: return push(operator_of(e.binary).term);
      case Expr::Kind::unary:
        return push(e.unary == ast::Unary::negate ? Term::negate : Term::logical_not);
      case Expr::Kind::constant: return;  // was a literal
    }
  }

 private:
  void push(Term term, int object = 0, std::int64_t value = 0) {
    out_.postfix.push_back({term, object, value});
  }

  const Scenario& scenario() const { return context_.out; }

  void word(const Expr& e) {
    const std::string& name = e.name.text;
    if (const auto index = word_index(scenario(), name)) return push(Term::word, *index);
    if (thread_index(scenario(), name))
      return context_.report(e.at, quoted(name) + " is a thread: write " + name +
                                       ".register, asleep(" + name + ") or finished(" + name + ")");
    for (const Thread& thread : scenario().threads)
      if (std::ranges::find(thread.registers, name) != thread.registers.end())
        return context_.report(e.at, quoted(name) + " is a register: write " + thread.name + "." +
                                         name);
    report_undeclared(context_, e.name, word_names(scenario()));
  }

  void member(const Expr& e) {
    const auto index = require_thread(context_, e.name);
    if (!index) return;
    const Thread& thread = scenario().threads[static_cast<std::size_t>(*index)];
    const auto found = std::ranges::find(thread.registers, e.member.text);
    if (found != thread.registers.end())
      return push(Term::reg, *index, found - thread.registers.begin());
    context_.report(e.member.at, "thread " + quoted(thread.name) + " has no register " +
                                     quoted(e.member.text) +
                                     suggestion(e.member.text, thread.registers));
  }

  void predicate(const Expr& e) {
    const Predicate* found = find_predicate(e.name.text);
    if (!found)
      return context_.report(e.at, "conditions may call asleep, finished, tid and slots, not " +
                                       quoted(e.name.text));
    const auto given = static_cast<int>(e.operands.size() + e.options.size());
    const bool named = given == 0 || (!e.operands.empty() &&
                                      e.operands[0].kind == Expr::Kind::name);
    if (given != found->arguments || !named)
      return context_.report(e.at, quoted(e.name.text) +
                                       (found->arguments ? " takes the name of a thread"
                                                         : " takes no argument"));
    if (given == 0) return push(found->term);
    if (const auto index = require_thread(context_, e.operands[0].name)) push(found->term, *index);
  }

  const Context& context_;
  Condition& out_;
};

}  // namespace

void compile_condition(const Context& context, const ast::Condition& source) {
  Condition& out = context.out.conditions.emplace_back();
  out.kind = source.kind;
  out.place = source.at;
  out.text = print(source.expr);
  ConditionCompiler(context, out).expression(source.expr);
}

}  // namespace futexmc::scenario
