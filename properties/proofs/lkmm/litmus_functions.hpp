// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's primitives that litmus tests call, as the memory model's macro file gives them to
// herd7: a table of base names, and the four orderings that most of them come in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "properties/proofs/lkmm/graph.hpp"

namespace futexmc::proofs::lkmm::litmus {

enum class Operator : std::uint8_t {
  add,
  subtract,
  bit_and,
  bit_or,
  bit_xor,
  bit_and_not,  ///< of atomics only
  equal,
  not_equal,
  less,
  greater,
  less_equal,
  greater_equal,
};

/// What a call does; the comments give its arguments, X being a location.
enum class Action : std::uint8_t {
  load,              ///< (X)
  store,             ///< (X, value)
  store_mb,          ///< (X, value), then a full fence
  fence,             ///< ()
  exchange,          ///< (X, value), gives the old value
  compare_exchange,  ///< (X, expected, value), gives the old value
  update,            ///< (value, X) or (X), gives nothing
  fetch,             ///< the same, gives the old value
  updated,           ///< the same, gives the new value
  is_zero,           ///< the same, gives whether the new value is zero
  is_negative,       ///< the same, gives whether the new value is negative
  add_unless,        ///< (X, value, unless), gives whether it was added
  lock,              ///< (X)
  trylock,           ///< (X), gives whether it has the lock
  unlock,            ///< (X)
  is_locked,         ///< (X)
};

/// Where an argument list has its location, and whether with a star: READ_ONCE(*x), xchg(x, 1).
enum class Shape : std::uint8_t {
  nothing,      ///< ()
  lvalue,       ///< (*X), (*X, value)
  location,     ///< (X), (X, value), (X, value, value)
  last,         ///< (value, X)
};

struct Function {
  std::string_view name;  ///< without an ordering
  Action action;
  Shape shape;
  unsigned values;  ///< arguments beside the location
  Order order;      ///< of the name as it stands
  bool orderings;   ///< also with _relaxed, _acquire and _release
  Operator op = Operator::add;
  std::int64_t operand = 0;  ///< of `update` and its like without a value argument
  Fence fence = Fence::barrier;
};

/// A function with an ordering: the meaning of a name in the text.
struct Call {
  const Function* function = nullptr;
  Order order = Order::once;

  bool operator==(const Call&) const = default;
};

std::span<const Function> functions();
/// The call spelled `name`, if there is one.
std::optional<Call> find_call(std::string_view name);
/// The spelling of a call.
std::string spell(const Call& call);
/// The call of `base`, which must be a function's name, with that ordering.
Call call(std::string_view base, Order order);
/// Whether a call has a value.
bool has_value(const Call& call);

std::string_view spell(Operator op);

}  // namespace futexmc::proofs::lkmm::litmus
