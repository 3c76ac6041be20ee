// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls in threads: which arguments and options a function takes, and its instruction.
#include <array>
#include <set>
#include <utility>

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
    case Option::Kind::flags: return "flags";
    case Option::Kind::order: break;
  }
  return std::string(order_name(option.order));
}

/// As in C11: a load releases nothing and a store acquires nothing.
bool fits(const Function& function, const Option& option) {
  switch (option.kind) {
    case Option::Kind::timeout: return function.timeout;
    case Option::Kind::shared: return function.shared;
    case Option::Kind::bitset: return function.bitset;
    case Option::Kind::flags: return function.flags;
    case Option::Kind::order: break;
  }
  return function.order && !(function.op == Op::load && option.order == UserOrder::release) &&
         !(function.op == Op::store && option.order == UserOrder::acquire);
}

std::string arguments(int count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

/// What is wrong with the number of arguments, or "".
std::string miscount(const Function& function, int given) {
  if (function.pairs) {
    const bool fits = given >= 2 && given <= 2 * kMaxWaiters && given % 2 == 0;
    return fits ? "" : " takes one to " + std::to_string(kMaxWaiters) +
                           " pairs of a word and a value";
  }
  if (given == function.arguments) return "";
  return " takes " + arguments(function.arguments) + ", not " + std::to_string(given);
}

// FUTEX2_NUMA and FUTEX2_MPOL, of both words of a requeue.
constexpr std::int64_t kFutex2Numa = 0xc000c;
// The lowest bits of the command, which would be another call's, and FUTEX_ROBUST_UNLOCK.
constexpr std::int64_t kOtherCall = 0x20f;

bool takes_futex2_flags(Op op) {
  return op == Op::futex_waitv || op == Op::futex2_wait || op == Op::futex2_wake ||
         op == Op::futex2_requeue;
}

bool is_word(const Function& function, std::size_t argument) {
  if (argument == 0) return function.subject != Subject::none;
  if (function.pairs) return argument % 2 == 0;
  return function.second != 0 && argument == static_cast<std::size_t>(function.second);
}

}  // namespace

const Function* ThreadCompiler::check_call(const Expr& e) {
  const std::string& name = e.name.text;
  const Function* function = find_function(name);
  if (!function) {
    context_.report(e.at, find_predicate(name)
                              ? quoted(name) + " may only be called in conditions"
                              : "unknown function " + quoted(name) +
                                    suggestion(name, function_names()));
    return nullptr;
  }
  const std::string wrong = miscount(*function, static_cast<int>(e.operands.size()));
  if (!wrong.empty()) context_.report(e.at, quoted(name) + wrong);
  else if (function->missing) context_.report(e.at, quoted(name) + " is not modelled yet");
  else return function;
  return nullptr;
}

std::optional<int> ThreadCompiler::find_subject(const Function& function, const Expr& e,
                                                std::size_t argument) {
  const Expr& subject = e.operands[argument];
  const bool thread = function.subject == Subject::thread;
  if (subject.kind != Expr::Kind::name) {
    const std::string which = argument == 0 ? "the first" : "this";
    context_.report(subject.at, which + " argument of " + quoted(function.name) +
                                    " is the name of a " + (thread ? "thread" : "word or var"));
    return std::nullopt;
  }
  const auto index = thread ? require_thread(context_, subject.name)
                            : require_word(context_, subject.name);
  if (!index) return std::nullopt;
  const auto i = static_cast<std::size_t>(*index);
  if (function.subject == Subject::futex && !context_.out.words[i].futex)
    context_.report(subject.at, quoted(subject.name.text) + " is a var: a futex call needs a word");
  const bool ordinary = thread || context_.out.words[i].mapping == Mapping::ordinary;
  if (!ordinary && (function.subject == Subject::shared || is_pi(function.op)))
    context_.report(subject.at, quoted(subject.name.text) + " is no ordinary word: " +
                                    quoted(function.name) + " cannot use it");
  if (thread && !context_.out.threads[i].cloned)
    context_.report(subject.at, quoted(subject.name.text) + " is not marked 'cloned'");
  return index;
}

bool ThreadCompiler::check_option(const Function& function, const Option& option) {
  if (!fits(function, option)) {
    context_.report(option.at,
                    quoted(function.name) + " does not take " + quoted(option_name(option)));
    return false;
  }
  if (option.kind == Option::Kind::bitset)
    return check_range(context_, option.number, 0, kMaxLiteral, "a bitset");
  if (option.kind != Option::Kind::flags) return true;
  const std::int64_t most = function.pairs ? 0xffff : kMaxLiteral;
  if (!check_range(context_, option.number, 0, most, "flags")) return false;
  const std::int64_t missing = takes_futex2_flags(function.op) ? kFutex2Numa : kOtherCall;
  if ((option.number.value & missing) == 0) return true;
  context_.report(option.number.at, "these flags are not modelled");
  return false;
}

bool ThreadCompiler::apply_options(const Function& function, const Expr& e, Instruction& out) {
  std::set<std::pair<Option::Kind, int>> seen;
  if (function.bitset) out.value = kMatchAny;
  for (const Option& option : e.options) {
    if (!check_option(function, option)) return false;
    const bool of_pair = function.pairs && option.kind != Option::Kind::timeout;
    if (!seen.insert({option.kind, of_pair ? (option.after + 1) / 2 : 0}).second) {
      const bool order = option.kind == Option::Kind::order;
      context_.report(option.at,
                      (order ? "a memory order" : quoted(option_name(option))) + " is given twice");
      return false;
    }
    if (option.kind == Option::Kind::timeout)
      out.flags |= option.number.value != 0 ? kBadTimeout : kTimeout;
    if (option.kind == Option::Kind::shared) out.flags |= kShared;
    if (option.kind == Option::Kind::order) out.order = option.order;
    if (option.kind == Option::Kind::flags)
      out.raw = static_cast<std::uint32_t>(option.number.value);
    if (option.kind != Option::Kind::bitset) continue;
    out.flags |= kBitset;
    out.value = option.number.value;
  }
  return true;
}

/// The flags of each waiter, 16 bits each; an option is of the pair that it follows.
std::int64_t ThreadCompiler::flags_of_pairs(const Expr& e) {
  std::array<std::uint64_t, kMaxWaiters> flags;
  flags.fill(kFutex2Size32 | kFutex2Private);
  for (const Option& option : e.options) {
    if (option.after % 2 != 0) context_.report(option.at, "options follow a word and its value");
    const int pair = option.after / 2 - 1;
    if (pair < 0 || pair >= kMaxWaiters) continue;
    auto& of_pair = flags[static_cast<std::size_t>(pair)];
    if (option.kind == Option::Kind::shared) of_pair &= ~std::uint64_t{kFutex2Private};
    if (option.kind == Option::Kind::flags)
      of_pair = static_cast<std::uint64_t>(option.number.value) & 0xffff;
  }
  std::uint64_t all = 0;
  for (int i = 0; 2 * i < static_cast<int>(e.operands.size()); ++i)
    all |= flags[static_cast<std::size_t>(i)] << (16 * i);
  return static_cast<std::int64_t>(all);
}

ThreadCompiler::Register ThreadCompiler::call(const Expr& e, Target target, bool value_wanted) {
  const Function* function = check_call(e);
  if (!function) return target.value_or(Register{0});
  if (function->op == Op::store && value_wanted)
    context_.report(e.at, "'store' gives no value");
  Instruction out{.op = function->op};
  apply_options(*function, e, out);
  if (function->pairs) {
    out.value = flags_of_pairs(e);
    out.flags &= static_cast<std::uint8_t>(~kShared);
    out.raw = 0;
  }
  if (function->encoded) out.value = encode_operation(context_, e);
  const std::size_t evaluated = e.operands.size() - (function->encoded ? 4 : 0);
  const int mark = code_.mark();
  std::size_t words = 0;
  for (std::size_t i = 0; i < evaluated; ++i) {
    if (is_word(*function, i)) {
      const auto index = static_cast<std::uint8_t>(find_subject(*function, e, i).value_or(0));
      if (words++ == 0) out.object = index;
      else out.more[words - 2] = index;
    } else {
      out.set_operand(out.operands, evaluate(e.operands[i]));
      ++out.operands;
    }
  }
  code_.release(mark);
  if (function->op != Op::store) out.dst = destination(target);
  code_.emit(out);
  return out.dst;
}

}  // namespace futexmc::scenario
