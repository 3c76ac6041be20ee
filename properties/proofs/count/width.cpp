// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/count/width.hpp"

#include <optional>

#include <fmt/format.h>

#include "properties/proofs/system/induction.hpp"

namespace futexmc::properties::proofs::count {
namespace {

/// Everything true in the mathematical sense is a number of `kWide` bits, which nothing overflows.
constexpr unsigned kWide = 80;

class Lemma {
 public:
  Lemma(const Widths& widths, const Limits& limits)
      : w_(widths), limits_(limits), solver_(context_),
        total_(context_.bv_const("total", kWide)), moved_(context_.bv_const("moved", kWide)) {}

  Claim run() {
    if (sum_is_exact() && added_is_exact()) {
      claim_.answer = Answer::proved;
    }
    return claim_;
  }

 private:
  z3::expr wide(std::int64_t value) { return context_.bv_val(value, kWide); }
  z3::expr low(const z3::expr& value, unsigned bits) { return value.extract(bits - 1, 0); }

  /// However many counters there are: one more keeps "the sum is the true sum, cut to its bits".
  bool sum_is_exact() {
    const z3::expr sum = context_.bv_const("sum", w_.counter);
    const z3::expr true_sum = context_.bv_const("true_sum", kWide);
    const z3::expr counter = context_.bv_const("counter", kWide);
    solver_.push();
    solver_.add(sum == low(true_sum, w_.counter));
    const bool possible = satisfiable("the sum so far may be anything");
    solver_.add(!(sum + low(counter, w_.counter) == low(true_sum + counter, w_.counter)));
    const z3::check_result result = ask(solver_, limits_, claim_.reason);
    if (result == z3::sat) claim_.reason = "the sum of one more counter is not exact";
    solver_.pop();
    return possible && result == z3::unsat;
  }

  /// What holds in the transition system when the sum is added: 1 <= total <= threads + 1, and the
  /// atomic has moved from LONG_MAX by what makes total - 1 + moved the references held.
  void assume() {
    const z3::expr most = wide(std::int64_t{1} << w_.threads);
    held_ = total_ - wide(w_.initial ? 1 : 0) + moved_;
    solver_.add(z3::sge(total_, wide(w_.initial ? 1 : 0)) && z3::sle(total_, most));
    solver_.add(z3::sge(held_.value(), wide(0)) && z3::slt(held_.value(), most));
    solver_.add(z3::sle(moved_, most) && z3::sge(moved_, wide(0) - most));
  }

  bool added_is_exact() {
    solver_.push();
    assume();
    const z3::expr long_max = context_.bv_val(~std::uint64_t{0} >> 1, 64);
    const z3::expr bias = w_.word == 64 ? long_max : long_max.extract(63, 64 - w_.word);
    const z3::expr atomic = bias + low(moved_, w_.word);
    const z3::expr sum = w_.sums ? low(total_, w_.counter) : context_.bv_val(0, w_.counter);
    const z3::expr count = w_.word > w_.counter ? z3::zext(sum, w_.word - w_.counter) : sum;
    const z3::expr one = context_.bv_val(w_.extra ? 0 : 1, w_.word);
    const z3::expr result = atomic + (count - bias - one);
    const bool possible = satisfiable("somebody holds a reference when the sum is added") &&
                          satisfiable("the most threads hold references", total_ == largest());
    const z3::expr exact = result == low(held_.value(), w_.word) &&
                           z3::sge(result, context_.bv_val(0, w_.word)) &&
                           atomic != context_.bv_val(0, w_.word);
    solver_.add(!exact);
    // A small example, if there is one.
    solver_.push();
    solver_.add(moved_ == wide(0) && z3::sle(total_, wide(2)));
    std::string why;
    const bool small = ask(solver_, limits_, why) == z3::sat;
    if (small) show(atomic, sum, result);
    solver_.pop();
    const z3::check_result found = small ? z3::sat : ask(solver_, limits_, claim_.reason);
    if (found == z3::sat && !small) show(atomic, sum, result);
    solver_.pop();
    return possible && found == z3::unsat;
  }

  z3::expr largest() { return wide(std::int64_t{1} << w_.threads); }

  bool satisfiable(const char* what) { return satisfiable(what, context_.bool_val(true)); }
  bool satisfiable(const char* what, const z3::expr& also) {
    solver_.push();
    solver_.add(also);
    const z3::check_result result = ask(solver_, limits_, claim_.reason);
    solver_.pop();
    if (result == z3::sat) claim_.checks.emplace_back(what);
    else if (result == z3::unsat) claim_.reason = fmt::format("vacuous: not satisfiable: {}", what);
    return result == z3::sat;
  }

  void show(const z3::expr& atomic, const z3::expr& sum, const z3::expr& result) {
    const z3::model model = solver_.get_model();
    const auto value = [&model](const z3::expr& term) {
      return model.eval(z3::bv2int(term, true), true).to_string();
    };
    claim_.answer = Answer::refuted;
    claim_.execution = {
        fmt::format("the counters sum to {}", value(total_)),
        fmt::format("__futex_ref_atomic_end(): `count` is {}", value(sum)),
        fmt::format("the atomic is {} before it is added", value(atomic)),
        fmt::format("and {} after: violated, as {} references are held", value(result),
                    value(held_.value()))};
  }

  const Widths& w_;
  const Limits& limits_;
  z3::context context_;
  z3::solver solver_;
  z3::expr total_;  ///< of the per-CPU counters
  z3::expr moved_;  ///< gets less puts on the atomic since it was biased
  std::optional<z3::expr> held_;
  Claim claim_;
};

}  // namespace

Claim fold_is_exact(const Widths& widths, const Limits& limits) {
  return Lemma(widths, limits).run();
}

}  // namespace futexmc::properties::proofs::count
