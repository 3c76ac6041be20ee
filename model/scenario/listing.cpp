// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/listing.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

class Lister {
 public:
  Lister(const Scenario& scenario, const Thread& thread) : scenario_(scenario), thread_(thread) {}

  std::string line(const Instruction& i) const {
    switch (i.op) {
      case Op::statement: return "line " + std::to_string(i.value);
      case Op::constant: return to(i) + std::to_string(i.value);
      case Op::move: return to(i) + reg(i.a);
      case Op::logical_not: return to(i) + "!" + reg(i.a);
      case Op::negate: return to(i) + "-" + reg(i.a);
      case Op::jump: return "goto " + std::to_string(i.value);
      case Op::jump_if_zero: return "if !" + reg(i.a) + " goto " + std::to_string(i.value);
      case Op::load: return to(i) + "load(" + word(i) + order(i);
      case Op::store: return "store(" + word(i) + ", " + reg(i.a) + order(i);
      case Op::exchange: return to(i) + "xchg(" + word(i) + ", " + reg(i.a) + order(i);
      case Op::compare_exchange:
        return to(i) + "cmpxchg(" + word(i) + ", " + reg(i.a) + ", " + reg(i.b) + order(i);
      case Op::fetch_add: return to(i) + "fetch_add(" + word(i) + ", " + reg(i.a) + order(i);
      case Op::futex_wait: case Op::futex_wake: case Op::futex_requeue:
      case Op::futex_cmp_requeue: case Op::futex_wake_op: case Op::futex_waitv:
      case Op::futex_lock_pi: case Op::futex_lock_pi2: case Op::futex_trylock_pi:
      case Op::futex_unlock_pi: case Op::futex_wait_requeue_pi: case Op::futex_cmp_requeue_pi:
        return to(i) + futex_call(i);
      case Op::gettid: return to(i) + "gettid()";
      case Op::set_slots: return to(i) + "SET_SLOTS(" + reg(i.a) + ")";
      case Op::get_slots: return to(i) + "GET_SLOTS()";
      case Op::clone: return to(i) + "clone(" + scenario_.threads[i.object].name + ")";
      case Op::settle: return "settle";
      case Op::end: return "end";
      default: return to(i) + reg(i.a) + " " + symbol(i.op) + " " + reg(i.b);
    }
  }

 private:
  std::string reg(int index) const {
    if (index < thread_.counter_begin) return thread_.registers[static_cast<std::size_t>(index)];
    if (index < thread_.counter_end) return "c" + std::to_string(index - thread_.counter_begin);
    return "t" + std::to_string(index - thread_.counter_end);
  }

  std::string to(const Instruction& i) const { return reg(i.dst) + " = "; }
  std::string word(const Instruction& i) const { return scenario_.words[i.object].name; }
  std::string other_word(const Instruction& i, int at) const {
    return scenario_.words[i.word(at)].name;
  }

  static std::string order(const Instruction& i) {
    if (i.order == UserOrder::full) return ")";
    return ", " + std::string(order_name(i.order)) + ")";
  }

  /// Name and arguments in the order in which the author writes them.
  std::string futex_call(const Instruction& i) const {
    const Function& function = *function_of(i.op);
    std::string text = std::string(function.name) + "(" + word(i);
    int next = 0;
    for (int at = 1; at < static_cast<int>(function.arguments) - (function.encoded ? 4 : 0); ++at)
      text += ", " + (at == function.second ? other_word(i, 1) : reg(i.operand(next++)));
    for (; function.pairs && next < i.operands; ++next)
      text += ", " + other_word(i, next) + ", " + reg(i.operand(next));
    return text + flags(i, function);
  }

  static std::string flags(const Instruction& i, const Function& function) {
    std::string text = i.flags & kTimeout ? ", timeout" : "";
    if (i.flags & kBadTimeout) text += ", timeout invalid";
    if (i.flags & kShared) text += ", shared";
    if (i.raw) text += ", flags " + hexadecimal(i.raw);
    if (function.bitset) text += ", bitset " + hexadecimal(i.value);
    if (function.encoded) text += ", op " + hexadecimal(i.value);
    if (function.pairs) text += ", flags " + hexadecimal(i.value);
    return text + ")";
  }

  static std::string hexadecimal(std::int64_t value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return text.data();
  }

  static std::string symbol(Op op) {
    for (int b = 0; b <= static_cast<int>(ast::Binary::multiply); ++b)
      if (const Operator& o = operator_of(static_cast<ast::Binary>(b)); o.op == op)
        return std::string(o.text);
    return "?";
  }

  const Scenario& scenario_;
  const Thread& thread_;
};

std::string item(const Scenario& scenario, const Condition::Item& i) {
  using Term = Condition::Term;
  const auto object = static_cast<std::size_t>(i.object);
  switch (i.term) {
    case Term::constant: return std::to_string(i.value);
    case Term::word: return scenario.words[object].name;
    case Term::reg: {
      const Thread& thread = scenario.threads[object];
      return thread.name + "." + thread.registers[static_cast<std::size_t>(i.value)];
    }
    case Term::asleep: return "asleep(" + scenario.threads[object].name + ")";
    case Term::finished: return "finished(" + scenario.threads[object].name + ")";
    case Term::slots: return "slots()";
    case Term::tid: return "tid(" + scenario.threads[object].name + ")";
    case Term::logical_not: return "!";
    case Term::negate: return "negate";
    default: break;
  }
  for (int b = 0; b <= static_cast<int>(ast::Binary::multiply); ++b)
    if (const Operator& o = operator_of(static_cast<ast::Binary>(b)); o.term == i.term)
      return std::string(o.text);
  return "?";
}

}  // namespace

std::string listing(const Scenario& scenario, const Thread& thread) {
  const Lister lister(scenario, thread);
  std::string out;
  for (std::size_t i = 0; i < thread.code.size(); ++i)
    out += std::to_string(i) + ": " + lister.line(thread.code[i]) + "\n";
  return out;
}

std::string listing(const Scenario& scenario, const Condition& condition) {
  std::string out;
  for (const Condition::Item& i : condition.postfix)
    out += (out.empty() ? "" : " ") + item(scenario, i);
  return out;
}

}  // namespace futexmc::scenario
