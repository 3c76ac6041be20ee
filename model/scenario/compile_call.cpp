// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls in threads: which arguments and options a function takes, and its instruction.
#include <array>

#include "model/scenario/limits.hpp"
#include "model/scenario/thread_compiler.hpp"

namespace futexmc::scenario {
namespace {

using ast::Expr;
using ast::Option;

constexpr std::int64_t kMatchAny = 0xffffffff;  // FUTEX_BITSET_MATCH_ANY

std::string option_name(const Option& option) {
  switch (option.kind) {
    case Option::Kind::timeout: return "timeout";
    case Option::Kind::shared: return "shared";
    case Option::Kind::bitset: return "bitset";
    case Option::Kind::order: break;
  }
  return std::string(order_name(option.order));
}

/// As in C11: a load releases nothing and a store acquires nothing.
bool fits(const Function& function, const Option& option) {
  switch (option.kind) {
    case Option::Kind::timeout: return function.timeout;
    case Option::Kind::shared:
    case Option::Kind::bitset: return function.futex_options;
    case Option::Kind::order: break;
  }
  return function.order && !(function.op == Op::load && option.order == UserOrder::release) &&
         !(function.op == Op::store && option.order == UserOrder::acquire);
}

std::string arguments(int count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

}  // namespace

const Function* ThreadCompiler::check_call(const Expr& e) {
  const std::string& name = e.name.text;
  const Function* function = find_function(name);
  if (!function && find_predicate(name))
    context_.report(e.at, quoted(name) + " may only be called in conditions");
  else if (!function)
    context_.report(e.at, "unknown function " + quoted(name) + suggestion(name, function_names()));
  else if (static_cast<int>(e.operands.size()) != function->arguments)
    context_.report(e.at, quoted(name) + " takes " + arguments(function->arguments) + ", not " +
                              std::to_string(e.operands.size()));
  else
    return function;
  return nullptr;
}

std::optional<int> ThreadCompiler::find_subject(const Function& function, const Expr& e) {
  if (function.subject == Subject::none) return 0;
  const Expr& subject = e.operands[0];
  const bool thread = function.subject == Subject::thread;
  if (subject.kind != Expr::Kind::name) {
    context_.report(subject.at, "the first argument of " + quoted(function.name) +
                                    " is the name of a " + (thread ? "thread" : "word or var"));
    return std::nullopt;
  }
  const auto index = thread ? require_thread(context_, subject.name)
                            : require_word(context_, subject.name);
  if (!index) return std::nullopt;
  const auto i = static_cast<std::size_t>(*index);
  if (function.subject == Subject::futex && !context_.out.words[i].futex)
    context_.report(subject.at, quoted(subject.name.text) + " is a var: a futex call needs a word");
  if (thread && !context_.out.threads[i].cloned)
    context_.report(subject.at, quoted(subject.name.text) + " is not marked 'cloned'");
  return index;
}

bool ThreadCompiler::apply_options(const Function& function, const Expr& e, Instruction& out) {
  std::array<bool, 4> seen{};
  if (function.futex_options) out.value = kMatchAny;
  for (const Option& option : e.options) {
    const std::string name = quoted(option_name(option));
    if (!fits(function, option)) {
      context_.report(option.at, quoted(function.name) + " does not take " + name);
      return false;
    }
    if (std::exchange(seen[static_cast<std::size_t>(option.kind)], true)) {
      const bool order = option.kind == Option::Kind::order;
      context_.report(option.at, (order ? "a memory order" : name) + " is given twice");
      return false;
    }
    if (option.kind == Option::Kind::timeout) out.flags |= kTimeout;
    if (option.kind == Option::Kind::shared) out.flags |= kShared;
    if (option.kind == Option::Kind::order) out.order = option.order;
    if (option.kind != Option::Kind::bitset) continue;
    if (!check_range(context_, option.bitset, 0, kMaxLiteral, "a bitset")) return false;
    out.value = option.bitset.value;
  }
  return true;
}

ThreadCompiler::Register ThreadCompiler::call(const Expr& e, Target target, bool value_wanted) {
  const Function* function = check_call(e);
  if (!function) return target.value_or(Register{0});
  if (function->op == Op::store && value_wanted)
    context_.report(e.at, "'store' gives no value");
  Instruction out{.op = function->op};
  out.object = static_cast<std::uint8_t>(find_subject(*function, e).value_or(0));
  apply_options(*function, e, out);
  const int mark = code_.mark();
  const std::size_t first = function->subject == Subject::none ? 0 : 1;
  if (e.operands.size() > first) out.a = evaluate(e.operands[first]);
  if (e.operands.size() > first + 1) out.b = evaluate(e.operands[first + 1]);
  code_.release(mark);
  if (function->op != Op::store) out.dst = destination(target);
  code_.emit(out);
  return out.dst;
}

}  // namespace futexmc::scenario
