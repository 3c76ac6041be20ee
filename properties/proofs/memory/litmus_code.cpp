// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/litmus_code.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "checker/arena.hpp"
#include "properties/proofs/lkmm/litmus_makers.hpp"
#include "properties/proofs/memory/litmus_values.hpp"

namespace futexmc::properties::proofs::memory {

namespace lkmm = futexmc::proofs::lkmm;
namespace litmus = lkmm::litmus;
using lkmm::Kind;
using lkmm::LockPart;
using litmus::apply;
using litmus::assign;
using litmus::call;
using litmus::equality;
using litmus::joined;
using litmus::name_of;
using litmus::number_of;
using litmus::perform;
using Mark = lkmm::Order;

LitmusCode::LitmusCode(const Recording& recording, const std::vector<Path>& paths,
                       const Events& events)
    : recording_(recording), paths_(paths), events_(events) {
  for (const ThreadRecording& thread : recording.threads) {
    for (const Node& one : thread.nodes) {
      const std::string_view name = one.operation.name == nullptr ? "" : one.operation.name;
      if (one.end != End::none || one.operation.cell == checker::kNoCell) continue;
      if (name.starts_with("atomic_")) atomics_.insert(one.operation.cell);
      if (takes_lock(one.operation)) locks_.insert(one.operation.cell);
    }
  }
  const lkmm::Graph& graph = events.graph();
  for (const auto& one : graph.controls()) {
    // Taking a lock is an acquire: it orders what follows, whatever it was found with.
    if (graph.event(one.from).lock == LockPart::none) control_[one.to].insert(one.from);
  }
  for (const auto& one : graph.addresses()) address_[one.to].insert(one.from);
  for (const auto& one : graph.datas()) data_[one.to].insert(one.from);
}

litmus::Program LitmusCode::program(const z3::expr& outcome) {
  litmus::Program made;
  const z3::expr asked = outcome.simplify();
  if (!asked.is_true()) conditions_.push_back(condition(asked));
  std::set<std::uint32_t> used = asked_;
  for (std::size_t thread = 0; thread < paths_.size(); ++thread) {
    write_thread(thread);
    litmus::Thread one;
    for (const std::uint32_t cell : used_) {
      const char* const type = locks_.contains(cell) ? "spinlock_t *"
                               : is_atomic(cell)     ? "atomic_t *"
                                                     : "int *";
      one.parameters.push_back({type, location(cell)});
    }
    one.body = declared_;
    const auto code = nested(lines_);
    one.body.insert(one.body.end(), code.begin(), code.end());
    made.threads.push_back(std::move(one));
    used.insert(used_.begin(), used_.end());
  }
  for (const std::uint32_t cell : used) {
    const std::int64_t value = shown(recording_.initial[cell]);
    if (value == 0) continue;
    made.initials.push_back({is_atomic(cell) ? "atomic_t" : "int", -1, location(cell), value});
  }
  if (!conditions_.empty()) {
    made.condition = joined(Condition::Kind::conjunction, std::move(conditions_));
  }
  return made;
}

void LitmusCode::write_thread(std::size_t thread) {
  thread_ = thread;
  function_.clear();
  lines_.clear();
  declared_.clear();
  used_.clear();
  registers_.clear();
  tests_.clear();
  const Path& path = paths_[thread];
  for (const Step& step : path.steps) write_node(step.node, step.group);
  if (!path.sleeps) return;
  at_ = path.last;
  std::vector<Condition> asleep;
  const std::uint32_t cell = node().operation.cell;
  used_.insert(cell);
  for (const std::uint64_t value : node().blocking) {
    asleep.push_back(equality(-1, location(cell), shown(value)));
  }
  conditions_.push_back(joined(Condition::Kind::disjunction, std::move(asleep)));
}

void LitmusCode::write_node(std::size_t at, std::optional<std::size_t> group) {
  at_ = at;
  for (const Id id : events_.of(thread_, at)) write_event(id, group);
}

void LitmusCode::write_event(Id id, std::optional<std::size_t> group) {
  const lkmm::Event& event = events_.graph().event(id);
  if (event.kind == Kind::fence) {
    return add(perform(call(name_of(event.fence), Mark::once, "")), id, true);
  }
  switch (event.lock) {
    case LockPart::take: return add(perform(call("spin_lock", Mark::acquire, place(id))), id);
    case LockPart::release: return add(perform(call("spin_unlock", Mark::release, place(id))), id);
    case LockPart::hold: return;  // the lock's other half
    case LockPart::observe: throw std::runtime_error("a look at a lock is not written");
    case LockPart::none: break;
  }
  if (event.atomic && event.partner) return;  // the update's other half
  if (event.atomic) {
    const auto& all = events_.of(thread_, at_);
    const bool whole = std::any_of(all.begin(), all.end(), [&](Id other) {
      return events_.graph().event(other).partner == id;
    });
    if (!whole) throw std::runtime_error("an update that writes nothing");
    write_update(id, group);
    return keep_path(id, group);
  }
  if (event.kind == Kind::read) {
    write_read(id);
    return keep_path(id, group);
  }
  write_write(id, group);
}

void LitmusCode::write_read(Id id) {
  const Mark order = events_.graph().event(id).order;
  const std::string from = place(id);
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  const bool acquires = order == Mark::acquire;
  const char* const name = atomic ? (acquires ? "atomic_read_acquire" : "atomic_read")
                                  : (acquires ? "smp_load_acquire" : "READ_ONCE");
  add(assign(new_register(id), call(name, order, from)), id);
}

void LitmusCode::write_write(Id id, std::optional<std::size_t> group) {
  const lkmm::Event& event = events_.graph().event(id);
  const bool releases = event.order == Mark::release;
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  const char* const name = atomic ? (releases ? "atomic_set_release" : "atomic_set")
                                  : (releases ? "smp_store_release" : "WRITE_ONCE");
  Expression value;
  std::uint64_t constant = 0;
  if (event.value.is_numeral_u64(constant)) {
    value = number_of(shown(events_.word(constant)));
    for (const Id from : data_[id]) {
      const Expression read = name_of(registers_.at(from));
      value = apply(litmus::Operator::add, value, apply(litmus::Operator::bit_xor, read, read));
    }
  } else {
    // As a function of what the operation read.
    const Pairs pairs = pairs_of(node().groups.at(group.value()),
                                 [this](std::uint64_t word) { return shown(word); });
    const auto more = difference(pairs);
    if (!more || data_[id].size() != 1) throw std::runtime_error("a value of no simple form");
    value = apply(litmus::Operator::add, name_of(registers_.at(*data_[id].begin())),
                  number_of(*more));
  }
  Expression store = call(name, event.order, place(id));
  store.arguments.push_back(value);
  add(perform(std::move(store)), id);
}

void LitmusCode::write_update(Id read, std::optional<std::size_t> group) {
  const lkmm::Event& event = events_.graph().event(read);
  const bool silent = event.order == Mark::noreturn;
  Expression made = event.can_fail ? conditional_update(node(), read)
                                   : update(node().groups.at(group.value()), read, silent);
  add(silent ? perform(std::move(made)) : assign(new_register(read), std::move(made)), read);
}

/// What it does to the values of the path.
litmus::Expression LitmusCode::update(const Group& group, Id id, bool silent) {
  const Mark order = events_.graph().event(id).order;
  const Pairs pairs = pairs_of(group, [this](std::uint64_t word) { return shown(word); });
  if (const auto more = difference(pairs)) {
    const std::string base = silent ? "atomic_" : "atomic_fetch_";
    const char* const op = *more < 0 ? "sub" : "add";
    const std::int64_t by = *more < 0 ? -*more : *more;
    if (by == 1) return call(base + (*more < 0 ? "dec" : "inc"), order, place(id));
    return call(base + op, order, place(id), {by});
  }
  const auto result = constant(pairs);
  if (!result || silent) throw std::runtime_error("an update of no simple form");
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  return call(atomic ? "atomic_xchg" : "xchg", order, place(id), {*result});
}

/// Where it fails it leaves the value alone.
litmus::Expression LitmusCode::conditional_update(const Node& at, Id id) {
  const Mark order = events_.graph().event(id).order;
  Pairs done;
  Pairs failed;
  for (const auto& pair :
       pairs_of(at.groups, [this](std::uint64_t word) { return shown(word); })) {
    (pair.first == pair.second ? failed : done).push_back(pair);
  }
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  if (done.size() == 1) {
    return call(atomic ? "atomic_cmpxchg" : "cmpxchg", order, place(id),
                {done[0].first, done[0].second});
  }
  throw std::runtime_error("a conditional update of no simple form");
}

std::optional<LitmusCode::Test> LitmusCode::test_of(const Node& at,
                                                    std::optional<std::size_t> group) const {
  if (!group) return std::nullopt;
  Test chosen;
  Test others{false, {}};
  for (std::size_t g = 0; g < at.groups.size(); ++g) {
    auto& values = g == *group ? chosen.values : others.values;
    for (const auto& value : at.groups[g].values) values.push_back(shown(value.first));
  }
  for (const std::uint64_t value : at.blocking) others.values.push_back(shown(value));
  if (at.known) return chosen;
  if (others.values.empty()) return std::nullopt;
  return chosen.values.size() <= others.values.size() ? chosen : others;
}

void LitmusCode::keep_path(Id read, std::optional<std::size_t> group) {
  const auto test = test_of(node(), group);
  if (!test) return;
  const auto name = registers_.find(read);
  if (name == registers_.end()) throw std::runtime_error("a branch on a value that is not kept");
  tests_[read] = *test;
  std::vector<Condition> parts;
  for (const std::int64_t value : test->values) {
    Condition one = equality(static_cast<int>(thread_), name->second, value);
    if (!test->equal) {
      Condition negated;
      negated.kind = Condition::Kind::negation;
      negated.parts = {std::move(one)};
      one = std::move(negated);
    }
    parts.push_back(std::move(one));
  }
  conditions_.push_back(joined(test->equal ? Condition::Kind::disjunction
                                           : Condition::Kind::conjunction,
                               std::move(parts)));
}

std::string LitmusCode::choice(std::size_t thread, const Step& step) const {
  const Node& at = recording_.threads[thread].nodes[step.node];
  const auto test = takes_lock(at.operation) ? std::nullopt : test_of(at, step.group);
  if (!test || at.known) return "";
  std::string values;
  for (const std::int64_t value : test->values) {
    values += fmt::format("{}{}", values.empty() ? "" : test->equal ? " or " : ", ", value);
  }
  return fmt::format("{}(): {}({}) {} {}", at.function, at.operation.name,
                     recording_.cell_names[at.operation.cell], test->equal ? "=" : "is not",
                     values);
}

void LitmusCode::add(Statement statement, Id id, bool anywhere) {
  if (node().function != function_) {
    function_ = node().function;
    if (at_ != 0) statement.comment = function_ + "()";
  }
  const std::set<Id>& control = control_[id];
  lines_.push_back({std::move(statement), {control.begin(), control.end()}, anywhere});
}

/// Each line in the branches that control it. What makes no difference stays where it is.
std::vector<litmus::Statement> LitmusCode::nested(const std::vector<Line>& lines) {
  std::vector<Statement> body;
  std::vector<Id> open;
  for (const Line& line : lines) {
    const auto& wanted = line.anywhere ? open : line.control;
    const auto [kept, more] = std::mismatch(open.begin(), open.end(), wanted.begin(), wanted.end());
    open.erase(kept, open.end());
    std::vector<Statement>* block = &body;
    for (std::size_t depth = 0; depth < open.size(); ++depth) block = &block->back().then;
    for (auto it = more; it != wanted.end(); ++it) {
      Statement branch;
      branch.kind = Statement::Kind::branch;
      branch.value = {test(*it)};
      block->push_back(std::move(branch));
      block = &block->back().then;
      open.push_back(*it);
    }
    block->push_back(line.statement);
  }
  return body;
}

litmus::Expression LitmusCode::test(Id read) const {
  const auto known = tests_.find(read);
  if (known == tests_.end()) throw std::runtime_error("a branch on what is not tested");
  const bool equal = known->second.equal;
  std::optional<Expression> all;
  for (const std::int64_t value : known->second.values) {
    Expression one = apply(equal ? litmus::Operator::equal : litmus::Operator::not_equal,
                           name_of(registers_.at(read)), number_of(value));
    all = all ? apply(equal ? litmus::Operator::bit_or : litmus::Operator::bit_and, *all, one)
              : std::move(one);
  }
  return all.value();
}

std::string LitmusCode::new_register(Id read) {
  std::string name = fmt::format("r{}", registers_.size());
  Statement declaration;
  declaration.kind = Statement::Kind::declare;
  declaration.type = "int";
  declaration.name = name;
  declared_.push_back(std::move(declaration));
  registers_[read] = name;
  return name;
}

/// A formula over final values.
litmus::Condition LitmusCode::condition(const z3::expr& outcome) {
  if (outcome.is_eq()) return final_equality(outcome.arg(0), outcome.arg(1));
  Condition made;
  if (outcome.is_not()) {
    made.kind = Condition::Kind::negation;
  } else if (outcome.is_and()) {
    made.kind = Condition::Kind::conjunction;
  } else if (outcome.is_or()) {
    made.kind = Condition::Kind::disjunction;
  } else {
    throw std::runtime_error("an outcome that is not about final values");
  }
  for (unsigned i = 0; i < outcome.num_args(); ++i) {
    made.parts.push_back(condition(outcome.arg(i)));
  }
  return made;
}

litmus::Condition LitmusCode::final_equality(const z3::expr& a, const z3::expr& b) {
  std::uint64_t value = 0;
  for (const auto& [left, right] : {std::pair(a, b), std::pair(b, a)}) {
    if (!right.is_numeral_u64(value)) continue;
    for (const auto& [place, last] : events_.graph().finals()) {
      std::uint64_t at = 0;
      if (!z3::eq(last, left) || !place.is_numeral_u64(at)) continue;
      const auto cell = static_cast<std::uint32_t>(at - 1);
      asked_.insert(cell);
      return equality(-1, location(cell), shown(events_.word(value)));
    }
  }
  throw std::runtime_error("an outcome that is not about final values");
}

/// The name to reach an event's location by, after what its address depends on.
std::string LitmusCode::place(Id id) {
  const auto cell = static_cast<std::uint32_t>(number(id));
  used_.insert(cell);
  std::string name = location(cell);
  if (address_[id].empty()) return name;
  Expression address = name_of(name);
  for (const Id from : address_[id]) {
    const Expression read = name_of(registers_.at(from));
    address = apply(litmus::Operator::add, address, apply(litmus::Operator::bit_xor, read, read));
  }
  name = fmt::format("p{}", id);
  Statement declaration;
  declaration.kind = Statement::Kind::declare;
  declaration.type = "int *";
  declaration.name = name;
  declared_.push_back(std::move(declaration));
  add(assign(name, std::move(address)), id);
  return name;
}

/// The cell of an event.
std::int64_t LitmusCode::number(Id id) const {
  std::uint64_t at = 0;
  if (!events_.graph().event(id).location.is_numeral_u64(at)) {
    throw std::runtime_error("an access at no fixed location");
  }
  return static_cast<std::int64_t>(at) - 1;
}

std::string LitmusCode::location(std::uint32_t cell) {
  const auto known = names_.find(cell);
  if (known != names_.end()) return known->second;
  std::string name;
  for (const char c : recording_.cell_names[cell]) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter) name += c;
    else if (c != ']') name += '_';
  }
  const bool taken = std::any_of(names_.begin(), names_.end(),
                                 [&](const auto& one) { return one.second == name; });
  if (taken) name += fmt::format("_{}", cell);
  return names_[cell] = name;
}

std::int64_t LitmusCode::shown(std::uint64_t word) const {
  if (const auto small = small_number(word)) return *small;
  const auto [at, fresh] = replaced_.try_emplace(
      word, kFirstPointer + static_cast<std::int64_t>(replaced_.size()));
  return at->second;
}

std::vector<std::string> LitmusCode::legend(const std::string& text) const {
  std::vector<std::string> lines;
  const auto is_there = [&text](std::int64_t number) {
    return text.find(std::to_string(number)) != std::string::npos;
  };
  if (is_there(kLongMax)) lines.push_back(fmt::format("{} stands for LONG_MAX", kLongMax));
  for (const auto& [word, number] : replaced_) {
    if (!is_there(number)) continue;
    lines.push_back(fmt::format("{} is &{}", number, checker::arena.layout.pointer_name(word)));
  }
  return lines;
}

}  // namespace futexmc::properties::proofs::memory
