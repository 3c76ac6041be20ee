// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/litmus_functions.hpp"

#include <array>
#include <stdexcept>

namespace futexmc::proofs::lkmm::litmus {
namespace {

constexpr Function fence_call(std::string_view name, Fence fence) {
  return {name, Action::fence, Shape::nothing, 0, Order::once, false, Operator::add, 0, fence};
}
constexpr Function op_call(std::string_view name, Action action, Operator op) {
  const bool gives = action != Action::update;
  return {name, action, Shape::last, 1, gives ? Order::full : Order::noreturn,
          action == Action::fetch || action == Action::updated, op};
}
constexpr Function by_one(std::string_view name, Action action, Operator op) {
  Function f = op_call(name, action, op);
  f.shape = Shape::location;
  f.values = 0;
  f.operand = 1;
  return f;
}

using enum Action;
using enum Shape;

constexpr auto kFunctions = std::to_array<Function>({
    {"READ_ONCE", load, lvalue, 0, Order::once, false},
    {"WRITE_ONCE", store, lvalue, 1, Order::once, false},
    {"smp_load_acquire", load, location, 0, Order::acquire, false},
    {"smp_store_release", store, location, 1, Order::release, false},
    {"rcu_dereference", load, lvalue, 0, Order::once, false},
    {"rcu_assign_pointer", store, lvalue, 1, Order::release, false},
    {"smp_store_mb", store_mb, lvalue, 1, Order::once, false},
    {"atomic_read", load, location, 0, Order::once, false},
    {"atomic_set", store, location, 1, Order::once, false},
    {"atomic_read_acquire", load, location, 0, Order::acquire, false},
    {"atomic_set_release", store, location, 1, Order::release, false},
    fence_call("smp_mb", Fence::mb),
    fence_call("smp_rmb", Fence::rmb),
    fence_call("smp_wmb", Fence::wmb),
    fence_call("barrier", Fence::barrier),
    fence_call("smp_mb__before_atomic", Fence::before_atomic),
    fence_call("smp_mb__after_atomic", Fence::after_atomic),
    fence_call("smp_mb__after_spinlock", Fence::after_spinlock),
    fence_call("smp_mb__after_unlock_lock", Fence::after_unlock_lock),
    fence_call("rcu_read_lock", Fence::rcu_lock),
    fence_call("rcu_read_unlock", Fence::rcu_unlock),
    fence_call("synchronize_rcu", Fence::sync_rcu),
    fence_call("synchronize_rcu_expedited", Fence::sync_rcu),
    {"xchg", exchange, location, 1, Order::full, true},
    {"atomic_xchg", exchange, location, 1, Order::full, true},
    {"cmpxchg", compare_exchange, location, 2, Order::full, true},
    {"atomic_cmpxchg", compare_exchange, location, 2, Order::full, true},
    {"atomic_add_unless", add_unless, location, 2, Order::full, false},
    op_call("atomic_add", update, Operator::add),
    op_call("atomic_sub", update, Operator::subtract),
    op_call("atomic_and", update, Operator::bit_and),
    op_call("atomic_or", update, Operator::bit_or),
    op_call("atomic_xor", update, Operator::bit_xor),
    op_call("atomic_andnot", update, Operator::bit_and_not),
    by_one("atomic_inc", update, Operator::add),
    by_one("atomic_dec", update, Operator::subtract),
    op_call("atomic_add_return", updated, Operator::add),
    op_call("atomic_sub_return", updated, Operator::subtract),
    by_one("atomic_inc_return", updated, Operator::add),
    by_one("atomic_dec_return", updated, Operator::subtract),
    op_call("atomic_fetch_add", fetch, Operator::add),
    op_call("atomic_fetch_sub", fetch, Operator::subtract),
    op_call("atomic_fetch_and", fetch, Operator::bit_and),
    op_call("atomic_fetch_or", fetch, Operator::bit_or),
    op_call("atomic_fetch_xor", fetch, Operator::bit_xor),
    op_call("atomic_fetch_andnot", fetch, Operator::bit_and_not),
    by_one("atomic_fetch_inc", fetch, Operator::add),
    by_one("atomic_fetch_dec", fetch, Operator::subtract),
    op_call("atomic_sub_and_test", is_zero, Operator::subtract),
    by_one("atomic_dec_and_test", is_zero, Operator::subtract),
    by_one("atomic_inc_and_test", is_zero, Operator::add),
    op_call("atomic_add_negative", is_negative, Operator::add),
    {"spin_lock", lock, location, 0, Order::acquire, false},
    {"spin_trylock", trylock, location, 0, Order::acquire, false},
    {"spin_unlock", unlock, location, 0, Order::release, false},
    {"spin_is_locked", is_locked, location, 0, Order::once, false},
});

struct Suffix {
  std::string_view text;
  Order order;
};
constexpr std::array<Suffix, 3> kSuffixes = {
    {{"_relaxed", Order::once}, {"_acquire", Order::acquire}, {"_release", Order::release}}};

const Function* find_function(std::string_view name) {
  for (const Function& f : kFunctions)
    if (f.name == name) return &f;
  return nullptr;
}

}  // namespace

std::span<const Function> functions() { return kFunctions; }

std::optional<Call> find_call(std::string_view name) {
  if (const Function* f = find_function(name)) return Call{f, f->order};
  for (const Suffix& suffix : kSuffixes) {
    if (!name.ends_with(suffix.text)) continue;
    const Function* f = find_function(name.substr(0, name.size() - suffix.text.size()));
    if (f && f->orderings) return Call{f, suffix.order};
  }
  return std::nullopt;
}

std::string spell(const Call& call) {
  std::string name(call.function->name);
  for (const Suffix& suffix : kSuffixes)
    if (call.function->orderings && suffix.order == call.order) name += suffix.text;
  return name;
}

Call call(std::string_view base, Order order) {
  const Function* f = find_function(base);
  if (!f) throw std::invalid_argument("no such function: " + std::string(base));
  return {f, order};
}

bool has_value(const Call& call) {
  switch (call.function->action) {
    case Action::store:
    case Action::store_mb:
    case Action::fence:
    case Action::update:
    case Action::lock:
    case Action::unlock:
      return false;
    default:
      return true;
  }
}

std::string_view spell(Operator op) {
  switch (op) {
    case Operator::add: return "+";
    case Operator::subtract: return "-";
    case Operator::bit_and: return "&";
    case Operator::bit_or: return "|";
    case Operator::bit_xor: return "^";
    case Operator::bit_and_not: return "&~";
    case Operator::equal: return "==";
    case Operator::not_equal: return "!=";
    case Operator::less: return "<";
    case Operator::greater: return ">";
    case Operator::less_equal: return "<=";
    case Operator::greater_equal: return ">=";
  }
  return "?";
}

}  // namespace futexmc::proofs::lkmm::litmus
