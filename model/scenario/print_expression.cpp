// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/print.hpp"

#include <array>
#include <cstdio>

#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;
using ast::Option;

constexpr int kUnary = 10;  // binds tighter than every binary operator
constexpr int kPrimary = 11;

int precedence(const Expr& e) {
  if (e.kind == Expr::Kind::binary) return operator_of(e.binary).precedence;
  return e.kind == Expr::Kind::unary ? kUnary : kPrimary;
}

/// `e`, in parentheses if it binds less tightly than `lowest`.
std::string operand(const Expr& e, int lowest) {
  return precedence(e) < lowest ? "(" + print(e) + ")" : print(e);
}

std::string print_option(const Option& option) {
  std::array<char, 32> bits{};
  switch (option.kind) {
    case Option::Kind::timeout: return option.number.value != 0 ? "timeout invalid" : "timeout";
    case Option::Kind::shared: return "shared";
    case Option::Kind::order: return std::string(order_name(option.order));
    case Option::Kind::bitset:
    case Option::Kind::flags: break;
  }
  std::snprintf(bits.data(), bits.size(), "%s 0x%llx",
                option.kind == Option::Kind::bitset ? "bitset" : "flags",
                static_cast<unsigned long long>(option.number.value));
  return bits.data();
}

std::string print_call(const Expr& e) {
  std::string text = e.name.text + "(";
  const char* separator = "";
  const auto add = [&](const std::string& one) {
    text += separator + one;
    separator = ", ";
  };
  std::size_t options = 0;  // printed; those that stand after an argument come before the next
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    while (options < e.options.size() && e.options[options].after != 0 &&
           e.options[options].after <= i) {
      add(print_option(e.options[options++]));
    }
    add(print(e.operands[i]));
  }
  while (options < e.options.size()) add(print_option(e.options[options++]));
  return text + ")";
}

}  // namespace

std::string print(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::constant:
      return e.name.text.empty() ? std::to_string(e.value) : e.name.text;
    case Expr::Kind::name: return e.name.text;
    case Expr::Kind::member: return e.name.text + "." + e.member.text;
    case Expr::Kind::call: return print_call(e);
    case Expr::Kind::unary: {
      // "--x" would read back well but looks like C's decrement.
      const bool negate = e.unary == ast::Unary::negate;
      return (negate ? "-" : "!") + operand(e.operands[0], negate ? kPrimary : kUnary);
    }
    case Expr::Kind::binary: break;
  }
  const Operator& op = operator_of(e.binary);
  return operand(e.operands[0], op.precedence) + " " + std::string(op.text) + " " +
         operand(e.operands[1], op.precedence + 1);  // associates to the left
}

}  // namespace futexmc::scenario
