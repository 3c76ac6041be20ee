// SPDX-License-Identifier: GPL-2.0-or-later
//
// User space: runs a scenario's threads, one instruction after the other. Declared registers live
// in the task's cells, so that conditions can read them; temporaries live on the fiber's stack and
// are forgotten at each statement.
#include <algorithm>

#include "checker/assert.hpp"
#include "model/user_calls.hpp"
#include "model/variant.hpp"
#include "model/world.hpp"

namespace futexmc::model {
namespace {

using scenario::Instruction;
using scenario::Op;

/// Instructions that a thread may run between two visible operations. A loop that has none spins
/// visibly after that, so that the search sees the state repeat.
constexpr int kMaxLocalSteps = 1000;

constexpr Loc kUser{"user", "scenario", 0};

/// A word is 32 bits, unsigned.
std::int64_t as_word(std::int64_t value) { return static_cast<std::uint32_t>(value); }

Order order_of(scenario::UserOrder order) {
  switch (order) {
    case scenario::UserOrder::relaxed: return Order::relaxed;
    case scenario::UserOrder::acquire: return Order::acquire;
    case scenario::UserOrder::release: return Order::release;
    case scenario::UserOrder::full: return Order::full;
  }
  return Order::full;
}

/// One thread's registers and what it does with them.
class UserThread {
 public:
  explicit UserThread(std::size_t id)
      : program_(machine.scenario->threads[id]), named_(program_.registers.size()) {}

  void run() {
    Scope scope("user");
    for (std::size_t at = 0;;) {
      const Instruction& in = program_.code[at];
      if (in.op == Op::end) return;
      if (in.op == Op::statement) {
        std::fill(temporaries_.begin(), temporaries_.end(), 0);
        scope.at("statement", at);
        if (++local_steps_ > kMaxLocalSteps) spin();
      }
      at = step(in, at);
    }
  }

 private:
  std::int64_t get(std::uint8_t r) const {
    if (!is_cell(r)) return temporaries_[r];
    const std::int64_t value = current().registers[r].peek();
    checker::recall(static_cast<std::uint64_t>(value));
    return value;
  }
  void set(std::uint8_t r, std::int64_t value) {
    if (is_cell(r)) {
      current().registers[r].poke(value);
    } else {
      temporaries_[r] = value;
    }
  }
  /// Declared registers and repeat counters outlive a statement.
  bool is_cell(std::uint8_t r) const {
    return r < named_ || (r >= program_.counter_begin && r < program_.counter_end);
  }

  std::size_t step(const Instruction& in, std::size_t at) {
    const auto target = static_cast<std::size_t>(in.value);
    switch (in.op) {
      case Op::jump: return target;
      case Op::jump_if_zero: return get(in.a) == 0 ? target : at + 1;
      case Op::statement: break;
      case Op::constant: set(in.dst, in.value); break;
      case Op::move: set(in.dst, get(in.a)); break;
      case Op::load: case Op::store: case Op::exchange: case Op::compare_exchange:
      case Op::fetch_add: access(in); break;
      case Op::settle: settle(); break;
      default:
        if (is_call(in.op)) call(in);
        else set(in.dst, compute(in));
        break;
    }
    return at + 1;
  }

  void spin() {
    local_steps_ = 0;
    checker::announce({.name = "spin", .loc = kUser});
    checker::remember_done();
  }

  std::int64_t compute(const Instruction& in) const;
  void access(const Instruction& in);
  void call(const Instruction& in);
  void settle();

  const scenario::Thread& program_;
  std::size_t named_;
  std::array<std::int64_t, scenario::kMaxRegisters> temporaries_{};
  int local_steps_ = 0;  ///< since the last visible operation
};

std::int64_t UserThread::compute(const Instruction& in) const {
  // Arithmetic wraps, as the scenario language says.
  const auto a = static_cast<std::uint64_t>(get(in.a));
  const auto b = static_cast<std::uint64_t>(get(in.b));
  const auto sa = static_cast<std::int64_t>(a);
  const auto sb = static_cast<std::int64_t>(b);
  switch (in.op) {
    case Op::add: return static_cast<std::int64_t>(a + b);
    case Op::subtract: return static_cast<std::int64_t>(a - b);
    case Op::multiply: return static_cast<std::int64_t>(a * b);
    case Op::bit_and: return static_cast<std::int64_t>(a & b);
    case Op::bit_or: return static_cast<std::int64_t>(a | b);
    case Op::bit_xor: return static_cast<std::int64_t>(a ^ b);
    case Op::equal: return sa == sb;
    case Op::not_equal: return sa != sb;
    case Op::less: return sa < sb;
    case Op::less_equal: return sa <= sb;
    case Op::greater: return sa > sb;
    case Op::greater_equal: return sa >= sb;
    case Op::logical_not: return sa == 0;
    case Op::negate: return static_cast<std::int64_t>(0 - a);
    default: break;
  }
  FUTEXMC_ASSERT(false, "an instruction that computes nothing");
}

namespace {

}  // namespace

void UserThread::access(const Instruction& in) {
  UserWord& word = *machine.word[in.object];
  const Order order = order_of(in.order);
  const Loc loc = kUser;
  const std::int64_t a = as_word(get(in.a));
  const std::int64_t b = as_word(get(in.b));
  local_steps_ = 0;
  switch (in.op) {
    case Op::load: set(in.dst, checker::load(word, order, loc)); break;
    case Op::store:
      checker::announce(checker::operation("store", word, checker::Access::write, order, loc));
      note_user_change(word, word.peek(), a);
      if (order == Order::full) word.poke(a);
      else word.put(a);
      checker::remember_done();
      break;
    case Op::exchange:
      set(in.dst, checker::update(word, order, [a, &word](std::int64_t& v) {
        note_user_change(word, v, a);
        return std::exchange(v, a);
      }, "xchg", loc));
      break;
    case Op::compare_exchange:
      set(in.dst, checker::update(word, order, [a, b, &word](std::int64_t& v) {
        const std::int64_t old = v;
        if (old == a) v = b;
        note_user_change(word, old, v);
        return old;
      }, "cmpxchg", loc));
      break;
    default:
      set(in.dst, checker::update(word, order, [a, &word](std::int64_t& v) {
        note_user_change(word, v, as_word(v + a));
        return std::exchange(v, as_word(v + a));
      }, "fetch_add", loc));
      break;
  }
}

void UserThread::call(const Instruction& in) {
  Operands operands{};
  for (int i = 0; i < in.operands; ++i) operands[static_cast<std::size_t>(i)] = get(in.operand(i));
  local_steps_ = 0;
  set(in.dst, system_call(in, operands));
}

void UserThread::settle() {
  local_steps_ = 0;
  checker::announce({.name = "settle", .loc = kUser,
                     .reads = checker::kEverything, .writes = checker::kEverything,
                     .guard = {.kind = checker::Guard::Kind::settled}});
  checker::remember_done();
}

}  // namespace

namespace {

bool anybody_cloned() {
  const auto& threads = machine.scenario->threads;
  return std::any_of(threads.begin(), threads.end(), [](const auto& t) { return t.cloned; });
}

// __exit_signal(): one thread fewer for the size of the next default table. Only clone() looks.
void exit_thread() {
  Cell<int>& nr_threads = machine.mm->nr_threads;
  checker::announce(checker::operation("exit", nr_threads, checker::Access::write, Order::full,
                                       {"__exit_signal", "kernel/exit.c", 0}));
  nr_threads.poke(nr_threads.peek() - 1);
  checker::remember_done();
}

}  // namespace

void run_user_program(std::uint64_t thread) {
  if (machine.scenario->threads[thread].cloned) {
    auto op = checker::operation("start", current().started, checker::Access::read, Order::full,
                                 kUser);
    op.guard = {.value = 1, .cell = current().started.index(),
                .kind = checker::Guard::Kind::equal};
    checker::announce(op);
    checker::remember_done();
  }
  UserThread(thread).run();
  if (anybody_cloned()) exit_thread();
}

}  // namespace futexmc::model
