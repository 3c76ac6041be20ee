// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace futexmc::proofs::lkmm {

Graph::Graph(z3::context& context, unsigned bits) : logic_(context), bits_(bits) {
  if (bits < 2 || bits > 64) throw std::invalid_argument("a word of a graph has 2 to 64 bits");
}

z3::expr Graph::number(std::int64_t value) const {
  return context().bv_val(value, bits_);
}

void Graph::check(const z3::expr& word) const {
  if (!word.is_bv() || word.get_sort().bv_size() != bits_) {
    throw std::invalid_argument("a location or value is not a word of its graph");
  }
}

z3::expr Graph::unknown(const char* prefix) const {
  const std::string name = prefix + std::to_string(events_.size());
  return context().bv_const(name.c_str(), bits_);
}

Id Graph::add(Event event) {
  check(event.location);
  check(event.value);
  if (!event.guard.is_bool()) throw std::invalid_argument("a guard is not a formula");
  events_.push_back(std::move(event));
  return events_.size() - 1;
}

Event Graph::access(int thread, Kind kind, Order order, const z3::expr& location,
                    const z3::expr& guard) const {
  const z3::expr value = kind == Kind::read ? unknown("read!") : number(0);
  return {.thread = thread,
          .kind = kind,
          .order = order,
          .partner = {},
          .location = location,
          .value = value,
          .guard = guard,
          .label = {}};
}

void Graph::initial(const z3::expr& location, const z3::expr& value) {
  check(location);
  check(value);
  if (!location.is_numeral()) throw std::invalid_argument("an initial value at no fixed location");
  for (auto& [known, held] : initial_) {
    if (Logic::same(known, location)) {
      held = value;
      return;
    }
  }
  initial_.emplace_back(location, value);
}

Id Graph::read(int thread, Order order, const z3::expr& location, const z3::expr& guard) {
  return add(access(thread, Kind::read, order, location, guard));
}

Id Graph::write(int thread, Order order, const z3::expr& location, const z3::expr& value,
                const z3::expr& guard) {
  Event event = access(thread, Kind::write, order, location, guard);
  event.value = value;
  return add(std::move(event));
}

Id Graph::fence(int thread, Fence fence, const z3::expr& guard) {
  Event event = access(thread, Kind::fence, Order::once, number(0), guard);
  event.fence = fence;
  return add(std::move(event));
}

Id Graph::atomic_read(int thread, Order order, const z3::expr& location, const z3::expr& guard,
                      bool can_fail) {
  Event event = access(thread, Kind::read, order, location, guard);
  event.atomic = true;
  event.can_fail = can_fail;
  return add(std::move(event));
}

Id Graph::atomic_write(Id read, const z3::expr& value, const z3::expr& guard) {
  const Event& first = events_.at(read);
  if (!first.atomic || first.kind != Kind::read) {
    throw std::invalid_argument("the write of an atomic operation needs its read");
  }
  Event event = access(first.thread, Kind::write, first.order, first.location, guard);
  event.value = value;
  event.atomic = true;
  event.partner = read;
  return add(std::move(event));
}

Pair Graph::lock(int thread, const z3::expr& location, const z3::expr& guard) {
  Event take = access(thread, Kind::read, Order::acquire, location, guard);
  take.lock = LockPart::take;
  take.value = number(0);
  const Id read = add(std::move(take));
  Event hold = access(thread, Kind::write, Order::once, location, guard);
  hold.lock = LockPart::hold;
  hold.value = number(1);
  hold.partner = read;
  return {read, add(std::move(hold))};
}

Pair Graph::lock(int thread, const z3::expr& location, const z3::expr& taken,
                 const z3::expr& guard) {
  Event take = access(thread, Kind::read, Order::acquire, location, guard);
  take.lock = LockPart::take;
  const Id read = add(std::move(take));
  require(value(read) != taken);
  Event hold = access(thread, Kind::write, Order::once, location, guard);
  hold.lock = LockPart::hold;
  hold.value = taken;
  hold.partner = read;
  return {read, add(std::move(hold))};
}

Pair Graph::trylock(int thread, const z3::expr& location, const z3::expr& guard) {
  const Id read = is_locked(thread, location, guard);
  const z3::expr free = logic_.equal(value(read), number(0));
  Event hold = access(thread, Kind::write, Order::once, location, logic_.guards(guard, free));
  hold.lock = LockPart::hold;
  hold.value = number(1);
  hold.partner = read;
  events_[read].order = Order::acquire;
  return {read, add(std::move(hold))};
}

Id Graph::is_locked(int thread, const z3::expr& location, const z3::expr& guard) {
  Event look = access(thread, Kind::read, Order::once, location, guard);
  look.lock = LockPart::observe;
  return add(std::move(look));
}

Id Graph::unlock(int thread, const z3::expr& location, const z3::expr& value,
                 const z3::expr& guard) {
  Event event = access(thread, Kind::write, Order::release, location, guard);
  event.lock = LockPart::release;
  event.value = value;
  return add(std::move(event));
}

void Graph::depend(std::vector<Dependency>& list, Id from, Id to, const z3::expr& when) {
  const Event& read = events_.at(from);
  if (read.kind != Kind::read || from >= to || events_.at(to).thread != read.thread) {
    throw std::invalid_argument("a dependency goes from a read to a later event of its thread");
  }
  list.push_back({from, to, when});
}

void Graph::address(Id from, Id to, const z3::expr& when) { depend(address_, from, to, when); }
void Graph::data(Id from, Id to, const z3::expr& when) { depend(data_, from, to, when); }
void Graph::control(Id from, Id to, const z3::expr& when) { depend(control_, from, to, when); }

void Graph::set_exclusive(Id a, Id b) {
  if (a == b || events_.at(a).thread != events_.at(b).thread) {
    throw std::invalid_argument("exclusive events are two of one thread");
  }
  exclusive_.insert(key(std::min(a, b), std::max(a, b)));
}

z3::expr Graph::final_value(const z3::expr& location) {
  check(location);
  if (!location.is_numeral()) throw std::invalid_argument("a final value at no fixed location");
  for (const auto& [known, value] : final_)
    if (Logic::same(known, location)) return value;
  const std::string name = "final!" + std::to_string(final_.size());
  final_.emplace_back(location, context().bv_const(name.c_str(), bits_));
  return final_.back().second;
}

}  // namespace futexmc::proofs::lkmm
