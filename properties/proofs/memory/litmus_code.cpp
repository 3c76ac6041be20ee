// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/litmus_code.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

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
  std::set<std::uint32_t> used;
  for (std::size_t thread = 0; thread < paths_.size(); ++thread) {
    write_thread(thread);
    // Some thread must know what the condition asks for, if no run uses it.
    if (thread == 0) used_.insert(asked_.begin(), asked_.end());
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
  said_.clear();
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

void LitmusCode::fail(const char* what) const {
  const checker::Operation& op = node().operation;
  throw std::runtime_error(fmt::format("{}: {}(): {}({})", what, node().function, op.name,
                                       recording_.cell_names[op.cell]));
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
    if (!whole) fail("an update that writes nothing");
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
    const auto more = difference(node().groups.at(group.value()));
    if (!more || data_[id].size() != 1) fail("a value of no simple form");
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
  if (silent) add(perform(std::move(made)), read);
  else add(assign(new_register(read), std::move(made)), read);
}

/// What it does to the values of the path.
litmus::Expression LitmusCode::update(const Group& group, Id id, bool silent) {
  const Mark order = events_.graph().event(id).order;
  if (const auto more = difference(group)) {
    const std::string base = silent ? "atomic_" : "atomic_fetch_";
    const char* const op = *more < 0 ? "sub" : "add";
    const std::int64_t by = *more < 0 ? -*more : *more;
    if (by == 1) return call(base + (*more < 0 ? "dec" : "inc"), order, place(id));
    return call(base + op, order, place(id), {by});
  }
  const auto result = constant(group);
  if (!result || silent) fail("an update of no simple form");
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  return call(atomic ? "atomic_xchg" : "xchg", order, place(id), {shown(*result)});
}

/// Where it fails it leaves the value alone.
litmus::Expression LitmusCode::conditional_update(const Node& at, Id id) {
  const Mark order = events_.graph().event(id).order;
  Group done;
  Group failed;
  for (const Group& group : at.groups) {
    for (const auto& pair : group.values) {
      (pair.first == pair.second ? failed : done).values.push_back(pair);
    }
  }
  const bool atomic = is_atomic(static_cast<std::uint32_t>(number(id)));
  if (done.values.size() == 1) {
    return call(atomic ? "atomic_cmpxchg" : "cmpxchg", order, place(id),
                {shown(done.values[0].first), shown(done.values[0].second)});
  }
  // If it fails with all that it may find, what it would add is all the same.
  const auto more = done.values.empty() ? std::int64_t{1} : difference(done);
  const auto unless = constant(failed);
  if (more && unless && order == Mark::full) {
    said_.insert(id);
    return call("atomic_add_unless", order, place(id), {*more, shown(*unless)});
  }
  fail("a conditional update of no simple form");
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
  std::vector<Expression> parts;
  for (const std::int64_t value : known->second.values) {
    parts.push_back(apply(equal ? litmus::Operator::equal : litmus::Operator::not_equal,
                          name_of(registers_.at(read)), number_of(value)));
  }
  // In pairs, and pairs of pairs: the depth of an expression is limited.
  while (parts.size() > 1) {
    std::vector<Expression> joined;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      joined.push_back(apply(equal ? litmus::Operator::bit_or : litmus::Operator::bit_and,
                             parts[i], parts[i + 1]));
    }
    if (parts.size() % 2 == 1) joined.push_back(parts.back());
    parts = std::move(joined);
  }
  return parts.at(0);
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

}  // namespace futexmc::properties::proofs::memory
