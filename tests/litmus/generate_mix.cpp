// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/litmus/code.hpp"
#include "tests/litmus/generate.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {
namespace {

constexpr std::array<std::string_view, 9> kFences = {
    "smp_mb", "smp_rmb", "smp_wmb", "barrier", "smp_mb__before_atomic", "smp_mb__after_atomic",
    "smp_mb", "smp_mb__after_spinlock", "synchronize_rcu"};
constexpr std::array<std::string_view, 8> kExchanges = {
    "xchg",         "xchg_relaxed",         "xchg_acquire",    "xchg_release",
    "atomic_xchg",  "atomic_xchg_relaxed",  "xchg_relaxed",    "xchg_release"};
constexpr std::array<std::string_view, 4> kCompare = {"cmpxchg", "cmpxchg_relaxed",
                                                      "cmpxchg_acquire", "cmpxchg_release"};
constexpr std::array<std::string_view, 8> kOperations = {
    "atomic_fetch_add",          "atomic_fetch_add_relaxed",   "atomic_fetch_sub_acquire",
    "atomic_add_return_release", "atomic_add_return_relaxed",  "atomic_sub_return",
    "atomic_fetch_or_relaxed",   "atomic_fetch_andnot_acquire"};
constexpr std::array<std::string_view, 6> kCounts = {"atomic_inc", "atomic_dec", "atomic_inc",
                                                     "atomic_dec_and_test", "atomic_inc_return",
                                                     "atomic_fetch_dec_release"};

class Mix {
 public:
  explicit Mix(Random& random) : random_(random) {}

  Program run() {
    locations_ = 2 + random_.below(2);
    const std::size_t threads = 2 + random_.below(2);
    // The interpreter enumerates every value read, so few statements are many executions.
    const std::size_t length = threads == 2 ? 4 : 3;
    for (std::size_t t = 0; t < threads; ++t) program_.threads.push_back(thread(length));
    std::vector<Condition> parts;
    for (std::size_t t = 0; t < threads; ++t) {
      if (registers_of_[t] == 0) continue;
      const std::size_t reg = random_.below(registers_of_[t]);
      parts.push_back(equal(static_cast<int>(t), "r" + std::to_string(reg), value()));
    }
    if (parts.empty() || random_.chance(50)) parts.push_back(equal(-1, location(), value()));
    program_.condition = all_of(std::move(parts));
    return std::move(program_);
  }

 private:
  std::string location() {
    static constexpr std::array<std::string_view, 3> kNames = {"x", "y", "z"};
    return std::string(kNames[random_.below(locations_)]);
  }
  std::int64_t value() { return static_cast<std::int64_t>(random_.below(3)); }

  Thread thread(std::size_t length) {
    registers_ = 0;
    Thread result;
    for (const char* name : {"x", "y", "z"}) result.parameters.push_back({"int *", name});
    result.parameters.push_back({"spinlock_t *", "l"});
    Code code;
    const bool reader = random_.chance(15);
    if (reader) code.push_back(perform("rcu_read_lock"));
    for (std::size_t i = 1 + random_.below(length); i-- > 0;) append(code, step(2));
    if (reader) code.push_back(perform("rcu_read_unlock"));
    for (std::size_t i = 0; i < registers_; ++i) {
      result.body.push_back(declare("int", "r" + std::to_string(i)));
    }
    append(result.body, std::move(code));
    registers_of_.push_back(registers_);
    return result;
  }

  std::string fresh() { return "r" + std::to_string(registers_++); }

  /// A value, often one that depends on a register read before.
  Expression operand() {
    if (registers_ == 0 || random_.chance(50)) return number(1 + value() % 2);
    Expression reg = name("r" + std::to_string(random_.below(registers_)));
    switch (random_.below(3)) {
      case 0: return reg;
      case 1: return apply(Operator::add, std::move(reg), number(1));
      default: return apply(Operator::add, apply(Operator::bit_and, std::move(reg), number(0)),
                            number(1));
    }
  }

  Statement read(Expression value) {
    // The register counts as written only after the value that goes into it.
    Statement s = assign("", std::move(value));
    s.name = fresh();
    return s;
  }

  Code step(int depth) {
    const std::string x = location();
    switch (random_.below(depth > 0 ? 15 : 12)) {
      case 0:
      case 1: return {read(invoke("READ_ONCE", {name(x)}))};
      case 2: return {perform("WRITE_ONCE", {name(x), operand()})};
      case 3: return {perform("smp_store_release", {name(x), operand()})};
      case 4: return {read(invoke("smp_load_acquire", {name(x)}))};
      case 5: return {perform(random_.pick(kFences))};
      case 6: return {read(invoke(random_.pick(kExchanges), {name(x), operand()}))};
      case 7: return {read(invoke(random_.pick(kCompare), {name(x), number(value()), operand()}))};
      case 8: return {read(invoke(random_.pick(kOperations), {name(x), operand()}))};
      case 9: {
        Expression call = invoke(random_.pick(kCounts), {name(x)});
        return {has_value(call.call) ? read(std::move(call)) : perform(std::move(call))};
      }
      case 10: return {store(x, operand())};
      case 11: return {read(load(x))};
      case 12: return conditional(depth);
      case 13: return critical(depth);
      default: return {read(invoke("atomic_add_unless", {name(x), operand(), operand()}))};
    }
  }

  Code conditional(int depth) {
    if (registers_ == 0) return step(0);
    Expression reg = name("r" + std::to_string(random_.below(registers_)));
    Code then = step(depth - 1);
    Code otherwise = random_.chance(30) ? step(depth - 1) : Code{};
    const Operator op = random_.chance(70) ? Operator::equal : Operator::not_equal;
    return {branch(apply(op, std::move(reg), number(value())), std::move(then),
                   std::move(otherwise))};
  }

  Code critical(int depth) {
    // A lock in a lock would wait for itself.
    if (locked_) return step(0);
    locked_ = true;
    Code result;
    if (random_.chance(25)) {
      Statement attempt = read(invoke("spin_trylock", {name("l")}));
      const std::string got = attempt.name;
      Code then = step(depth - 1);
      then.push_back(perform("spin_unlock", {name("l")}));
      result = {std::move(attempt), branch(apply(Operator::equal, name(got), number(1)),
                                           std::move(then), step(0))};
    } else {
      result.push_back(perform("spin_lock", {name("l")}));
      append(result, step(depth - 1));
      result.push_back(perform("spin_unlock", {name("l")}));
    }
    locked_ = false;
    return result;
  }

  Random& random_;
  Program program_;
  std::size_t locations_ = 2;
  std::size_t registers_ = 0;
  std::vector<std::size_t> registers_of_;
  bool locked_ = false;
};

}  // namespace

Program generate_mix(Random& random) { return Mix(random).run(); }

}  // namespace futexmc::proofs::lkmm::litmus::testing
