// SPDX-License-Identifier: GPL-2.0-or-later
//
// The operation of futex_wake_op(), as FUTEX_OP() in include/uapi/linux/futex.h encodes it: four
// bits of operator, of which one says that the operand is a shift, four of comparison, twelve of
// each operand. An operator may also be given by its number, to see what the kernel makes of it.
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/scenario/context.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;
using Names = std::span<const std::pair<std::string_view, int>>;

constexpr std::array<std::pair<std::string_view, int>, 5> kOperations = {
    {{"set", 0}, {"add", 1}, {"or", 2}, {"andn", 3}, {"xor", 4}}};
constexpr std::array<std::pair<std::string_view, int>, 6> kComparisons = {
    {{"eq", 0}, {"ne", 1}, {"lt", 2}, {"le", 3}, {"gt", 4}, {"ge", 5}}};
constexpr int kShift = 8;  // FUTEX_OP_OPARG_SHIFT

/// One of `names`, or a number of up to four bits.
std::int64_t named(const Context& context, const Expr& e, Names names, const char* what) {
  if (const auto number = literal(e); number && *number >= 0 && *number <= 15) return *number;
  for (const auto& [name, value] : names)
    if (e.kind == Expr::Kind::name && e.name.text == name) return value;
  std::string list;
  for (const auto& [name, value] : names) list += (list.empty() ? "" : ", ") + std::string(name);
  context.report(e.at, std::string("expected ") + what + ": " + list + ", or a number up to 15");
  return 0;
}

std::int64_t operation(const Context& context, const Expr& e) {
  const bool shifted = e.kind == Expr::Kind::binary && e.binary == ast::Binary::bit_or &&
                       e.operands[1].kind == Expr::Kind::name &&
                       e.operands[1].name.text == "shift";
  if (!shifted) return named(context, e, kOperations, "an operator");
  return named(context, e.operands[0], kOperations, "an operator") | kShift;
}

/// Twelve bits; the kernel takes the highest for a sign.
std::int64_t operand(const Context& context, const Expr& e) {
  const auto value = literal(e);
  if (value && *value >= -2048 && *value <= 4095) return *value & 0xfff;
  context.report(e.at, "an operand of the operation is a constant from -2048 to 4095");
  return 0;
}

}  // namespace

std::int64_t encode_operation(const Context& context, const Expr& call) {
  const std::size_t first = call.operands.size() - 4;
  const std::int64_t op = operation(context, call.operands[first]);
  const std::int64_t oparg = operand(context, call.operands[first + 1]);
  const std::int64_t cmp = named(context, call.operands[first + 2], kComparisons, "a comparison");
  const std::int64_t cmparg = operand(context, call.operands[first + 3]);
  return op << 28 | cmp << 24 | oparg << 12 | cmparg;
}

}  // namespace futexmc::scenario
