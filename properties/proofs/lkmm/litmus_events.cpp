// SPDX-License-Identifier: GPL-2.0-or-later
//
// Executes a litmus test on formulas. Every value carries the reads it depends on, each under a
// condition, which become the dependencies of the events that use it. What depends on what within
// the primitives follows herd7: the result of an atomic operation depends on its operands, that of
// an exchange does not; a branch controls what is inside it, not what comes after.
#include "properties/proofs/lkmm/litmus_events.hpp"

#include <stdexcept>

namespace futexmc::proofs::lkmm::litmus {
namespace {

using Sources = std::map<Id, z3::expr>;

struct Value {
  z3::expr word;
  Sources from;
};

using Registers = std::map<std::string, Value>;

constexpr std::int64_t kFirstLocation = 0x10000000;
constexpr std::int64_t kLocationSize = 16;

class Events {
 public:
  Events(const Program& test, Graph& graph) : test_(test), graph_(graph), logic_(graph.context()) {}

  z3::expr run() {
    for (const Thread& thread : test_.threads)
      for (const Parameter& p : thread.parameters) location(p.name);
    for (const Initial& initial : test_.initials) {
      if (initial.thread >= 0) continue;
      graph_.initial(location(initial.name), constant(initial.value));
    }
    for (std::size_t t = 0; t < test_.threads.size(); ++t) run_thread(t);
    for (const Condition& filter : test_.filter) graph_.require(condition(filter));
    return condition(test_.condition);
  }

 private:
  z3::expr location(const std::string& name) {
    const auto next = static_cast<std::int64_t>(locations_.size());
    const auto [found, added] = locations_.emplace(name, kFirstLocation + kLocationSize * next);
    return graph_.number(found->second);
  }

  z3::expr constant(const Constant& constant) {
    if (const auto* name = std::get_if<std::string>(&constant)) return location(*name);
    return graph_.number(std::get<std::int64_t>(constant));
  }

  void run_thread(std::size_t thread) {
    thread_ = static_cast<int>(thread);
    guard_ = graph_.always();
    control_.clear();
    registers_.clear();
    for (const Initial& initial : test_.initials) {
      if (initial.thread == thread_) assign(initial.name, {constant(initial.value), {}});
    }
    block(test_.threads[thread].body);
    final_registers_.push_back(registers_);
  }

  void assign(const std::string& name, const Value& value) {
    registers_.insert_or_assign(name, value);
  }

  void block(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) statement(s);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::declare:
        if (!s.value.empty()) {
          assign(s.name, evaluate(s.value[0]));
        } else {
          registers_.emplace(s.name, Value{graph_.number(0), {}});
        }
        break;
      case Statement::Kind::assign:
        assign(s.name, evaluate(s.value.at(0)));
        break;
      case Statement::Kind::store: {
        const Value value = evaluate(s.value.at(0));
        write(Order::plain, name(s.name), value);
        break;
      }
      case Statement::Kind::perform:
        perform(s.value.at(0));
        break;
      case Statement::Kind::branch:
        branch(s);
        break;
    }
  }

  void branch(const Statement& s) {
    const Value value = evaluate(s.value.at(0));
    const z3::expr taken = truth(value.word);
    const z3::expr guard = guard_;
    const Sources control = control_;
    const Registers before = registers_;
    add(control_, value.from, graph_.always());
    guard_ = logic_.guards(guard, taken);
    block(s.then);
    const Registers then = registers_;
    registers_ = before;
    guard_ = logic_.guards(guard, logic_.negation(taken));
    block(s.otherwise);
    join(then, taken);
    guard_ = guard;
    control_ = control;
  }

  /// Registers after both arms: `then` where it was taken. A register of one arm keeps its value.
  void join(const Registers& then, const z3::expr& taken) {
    for (const auto& [name, value] : then) {
      const auto found = registers_.find(name);
      if (found == registers_.end()) {
        registers_.emplace(name, value);
        continue;
      }
      Value& other = found->second;
      Sources from;
      add(from, value.from, taken);
      add(from, other.from, logic_.negation(taken));
      other = {select(taken, value.word, other.word), from};
    }
  }

  z3::expr select(const z3::expr& when, const z3::expr& a, const z3::expr& b) const {
    if (when.is_true() || Logic::same(a, b)) return a;
    return when.is_false() ? b : z3::ite(when, a, b);
  }

  void add(Sources& to, const Sources& from, const z3::expr& when) const {
    for (const auto& [id, already] : from) {
      const z3::expr both = logic_.both(already, when);
      if (both.is_false()) continue;
      const auto found = to.find(id);
      if (found == to.end()) {
        to.emplace(id, both);
      } else {
        found->second = logic_.either(found->second, both);
      }
    }
  }

  /// A formula for value != 0, undoing what `boolean` does.
  z3::expr truth(const z3::expr& word) const {
    if (word.is_numeral()) return graph_.context().bool_val(!Logic::same(word, graph_.number(0)));
    const bool chosen = word.is_app() && word.decl().decl_kind() == Z3_OP_ITE;
    if (chosen && Logic::same(word.arg(1), graph_.number(1)) &&
        Logic::same(word.arg(2), graph_.number(0))) {
      return word.arg(0);
    }
    return word != graph_.number(0);
  }
  z3::expr boolean(const z3::expr& formula) const {
    return select(formula, graph_.number(1), graph_.number(0));
  }

  Value name(const std::string& name) {
    const auto found = registers_.find(name);
    if (found != registers_.end()) return found->second;
    if (locations_.count(name) == 0) throw std::invalid_argument("unknown name " + name);
    return {location(name), {}};
  }

  Value evaluate(const Expression& e) {
    switch (e.kind) {
      case Expression::Kind::number: return {graph_.number(e.number), {}};
      case Expression::Kind::name: return name(e.name);
      case Expression::Kind::load: return read(Order::plain, name(e.name));
      case Expression::Kind::call: return evaluate_call(e);
      case Expression::Kind::apply: break;
    }
    const Value a = evaluate(e.arguments.at(0));
    const Value b = evaluate(e.arguments.at(1));
    Value result{apply(e.op, a.word, b.word), a.from};
    add(result.from, b.from, graph_.always());
    return result;
  }

  z3::expr apply(Operator op, const z3::expr& a, const z3::expr& b) const {
    switch (op) {
      case Operator::add: return (a + b).simplify();
      case Operator::subtract: return (a - b).simplify();
      case Operator::bit_and: return (a & b).simplify();
      case Operator::bit_or: return (a | b).simplify();
      case Operator::bit_xor: return (a ^ b).simplify();
      case Operator::bit_and_not: return (a & ~b).simplify();
      case Operator::equal: return boolean(logic_.equal(a, b));
      case Operator::not_equal: return boolean(logic_.negation(logic_.equal(a, b)));
      case Operator::less: return boolean((a < b).simplify());
      case Operator::greater: return boolean((a > b).simplify());
      case Operator::less_equal: return boolean((a <= b).simplify());
      case Operator::greater_equal: return boolean((a >= b).simplify());
    }
    throw std::invalid_argument("unknown operator");
  }

  /// Dependencies of a new event: of its address, and of the branches it is in.
  void placed(Id id, const Value& address) {
    for (const auto& [from, when] : address.from) graph_.address(from, id, when);
    for (const auto& [from, when] : control_) graph_.control(from, id, when);
    if (address.word.is_numeral()) return;
    std::vector<z3::expr> places;
    for (const auto& [name, number] : locations_)
      places.push_back(address.word == graph_.number(number));
    graph_.require(z3::implies(graph_.guard(id), logic_.any(places)));
  }

  Value read(Order order, const Value& address) {
    const Id id = graph_.read(thread_, order, address.word, guard_);
    placed(id, address);
    return {graph_.value(id), {{id, graph_.always()}}};
  }

  void write(Order order, const Value& address, const Value& value) {
    const Id id = graph_.write(thread_, order, address.word, value.word, guard_);
    placed(id, address);
    for (const auto& [from, when] : value.from) graph_.data(from, id, when);
  }

  void fence(Fence kind) { graph_.fence(thread_, kind, guard_); }

  void perform(const Expression& e) {
    if (e.kind != Expression::Kind::call) throw std::invalid_argument("a statement is a call");
    if (has_value(e.call)) {
      evaluate(e);
      return;
    }
    const Function& f = *e.call.function;
    if (f.action == Action::fence) {
      fence(f.fence);
      return;
    }
    const Value place = name(e.arguments.at(0).name);
    switch (f.action) {
      case Action::store:
      case Action::store_mb:
        write(e.call.order, place, evaluate(e.arguments.at(1)));
        if (f.action == Action::store_mb) fence(Fence::mb);
        break;
      case Action::lock: {
        const Pair pair = graph_.lock(thread_, place.word, guard_);
        placed(pair.read, place);
        placed(pair.write, place);
        break;
      }
      case Action::unlock:
        placed(graph_.unlock(thread_, place.word, guard_), place);
        break;
      default:
        update(e, place);
        break;
    }
  }

  Value evaluate_call(const Expression& e) {
    const Value place = name(e.arguments.at(0).name);
    switch (e.call.function->action) {
      case Action::load: return read(e.call.order, place);
      case Action::exchange: return exchange(e, place);
      case Action::compare_exchange: return compare_exchange(e, place);
      case Action::add_unless: return add_unless(e, place);
      case Action::trylock: return trylock(place);
      case Action::is_locked: {
        const Id id = graph_.is_locked(thread_, place.word, guard_);
        placed(id, place);
        return {graph_.value(id), {{id, graph_.always()}}};
      }
      default: return update(e, place);
    }
  }

  struct Atomic {
    Value old;
    Id read;
  };

  Atomic atomic_read(const Expression& e, const Value& place, bool can_fail) {
    const Id id = graph_.atomic_read(thread_, e.call.order, place.word, guard_, can_fail);
    placed(id, place);
    return {{graph_.value(id), {{id, graph_.always()}}}, id};
  }

  void atomic_write(Id read, const Value& place, const Value& value, const z3::expr& when) {
    const Id id = graph_.atomic_write(read, value.word, logic_.guards(guard_, when));
    placed(id, place);
    for (const auto& [from, holds] : value.from) graph_.data(from, id, holds);
  }

  Value exchange(const Expression& e, const Value& place) {
    const Value value = evaluate(e.arguments.at(1));
    const Atomic atomic = atomic_read(e, place, false);
    atomic_write(atomic.read, place, value, graph_.always());
    return atomic.old;
  }

  Value compare_exchange(const Expression& e, const Value& place) {
    const Value expected = evaluate(e.arguments.at(1));
    const Value value = evaluate(e.arguments.at(2));
    const Atomic atomic = atomic_read(e, place, true);
    atomic_write(atomic.read, place, value, logic_.equal(atomic.old.word, expected.word));
    return atomic.old;
  }

  Value add_unless(const Expression& e, const Value& place) {
    const Value more = evaluate(e.arguments.at(1));
    const Value unless = evaluate(e.arguments.at(2));
    const Atomic atomic = atomic_read(e, place, true);
    const z3::expr done = logic_.negation(logic_.equal(atomic.old.word, unless.word));
    Value sum{apply(Operator::add, atomic.old.word, more.word), atomic.old.from};
    add(sum.from, unless.from, graph_.always());
    Value result{boolean(done), sum.from};
    add(sum.from, more.from, graph_.always());
    add(result.from, more.from, done);
    atomic_write(atomic.read, place, sum, done);
    return result;
  }

  Value update(const Expression& e, const Value& place) {
    const Function& f = *e.call.function;
    const Value operand =
        f.values ? evaluate(e.arguments.at(1)) : Value{graph_.number(f.operand), {}};
    const Atomic atomic = atomic_read(e, place, false);
    Value next{apply(f.op, atomic.old.word, operand.word), atomic.old.from};
    add(next.from, operand.from, graph_.always());
    atomic_write(atomic.read, place, next, graph_.always());
    const z3::expr zero = graph_.number(0);
    switch (f.action) {
      case Action::is_zero: return {boolean(logic_.equal(next.word, zero)), next.from};
      case Action::is_negative: return {boolean(next.word < zero), next.from};
      case Action::updated: return next;
      default: return {atomic.old.word, next.from};
    }
  }

  Value trylock(const Value& place) {
    const Pair pair = graph_.trylock(thread_, place.word, guard_);
    placed(pair.read, place);
    placed(pair.write, place);
    const z3::expr got = logic_.equal(graph_.value(pair.read), graph_.number(0));
    return {boolean(got), {{pair.read, graph_.always()}}};
  }

  z3::expr condition(const Condition& c) {
    std::vector<z3::expr> parts;
    for (const Condition& part : c.parts) parts.push_back(condition(part));
    switch (c.kind) {
      case Condition::Kind::truth: return logic_.yes();
      case Condition::Kind::falsity: return logic_.no();
      case Condition::Kind::negation: return logic_.negation(parts.at(0));
      case Condition::Kind::disjunction: return logic_.any(parts);
      case Condition::Kind::conjunction: {
        z3::expr all = logic_.yes();
        for (const z3::expr& part : parts) all = logic_.both(all, part);
        return all;
      }
      case Condition::Kind::equal: break;
    }
    return logic_.equal(observed(c), constant(c.value));
  }

  z3::expr observed(const Condition& c) {
    if (c.thread < 0) return graph_.final_value(location(c.name));
    const Registers& registers = final_registers_.at(static_cast<std::size_t>(c.thread));
    const auto found = registers.find(c.name);
    return found == registers.end() ? graph_.number(0) : found->second.word;
  }

  const Program& test_;
  Graph& graph_;
  Logic logic_;
  std::map<std::string, std::int64_t> locations_;
  std::vector<Registers> final_registers_;
  int thread_ = 0;
  z3::expr guard_ = logic_.yes();
  Sources control_;
  Registers registers_;
};

}  // namespace

z3::expr add_events(const Program& test, Graph& graph) { return Events(test, graph).run(); }

}  // namespace futexmc::proofs::lkmm::litmus
