// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/count/theorems.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "properties/proofs/count/count_system.hpp"
#include "properties/proofs/count/waiters.hpp"
#include "properties/proofs/count/width.hpp"
#include "properties/proofs/system/answers.hpp"

namespace futexmc::properties::proofs::count {
namespace {

using model::Variant;

bool has_private_hash(const Variant& variant) { return variant.seams.has_private_hash; }
bool always(const Variant& /*variant*/) { return true; }

const std::vector<std::string>& assumptions() {
  static const std::vector<std::string> all = {
      "memory is sequentially consistent: the orderings are other theorems' business",
      "LONG_MAX is at least three more than the lookups and references that there are at a time",
      "RCU: a grace period waits for the sections that were open when it began",
      "phash.lock excludes, and the rules are what the code does (tests tie them to the model)"};
  return all;
}

const std::vector<std::string>& waiter_assumptions() {
  static const std::vector<std::string> all = {
      "memory is sequentially consistent: barriers (A) and (B) give that to the two accesses of "
      "each waiter and waker",
      "whoever changes the word from what the waiters expect calls futex_wake() for all of them",
      "waiter and waker find the same bucket (the theorems on the pivot)"};
  return all;
}

/// The answers to what was asked before: all guarantees of a system share their work. What a limit
/// cut short is not kept.
template <class System>
Claim remembered(const Parameters& parameters, std::size_t guarantee, const Limits& limits) {
  struct Asked {
    Parameters parameters;
    Answers<System> answers;
  };
  static std::mutex mutex;
  static std::list<Asked> memory;
  const std::lock_guard lock(mutex);
  auto it = std::find_if(memory.begin(), memory.end(), [&](const Asked& asked) {
    return asked.parameters == parameters;
  });
  if (it == memory.end()) {
    it = memory.insert(memory.begin(), {parameters, {System(parameters), limits}});
  }
  return it->answers.claim(guarantee, limits);
}

Claim unknown_because(std::string reason) {
  Claim claim;
  claim.bound = kAnyNumber;
  claim.reason = std::move(reason);
  return claim;
}

template <Guarantee guarantee>
Claim count_claim(const Variant& variant, const Limits& limits) {
  Claim claim = unknown_because(not_represented(variant));
  if (claim.reason.empty()) {
    claim = remembered<CountSystem>(parameters_of(variant), static_cast<std::size_t>(guarantee),
                                    limits);
  }
  claim.assumptions = assumptions();
  return claim;
}

template <WaitersSystem::Guarantee guarantee>
Claim waiters_claim(const Variant& variant, const Limits& limits) {
  Claim claim = unknown_because(waiters_not_represented(variant));
  if (claim.reason.empty()) {
    claim = remembered<WaitersSystem>(parameters_of(variant), guarantee, limits);
  }
  claim.assumptions = waiter_assumptions();
  if (guarantee == WaitersSystem::kCount) {
    claim.assumptions = {"each change of the count is one atomic operation",
                         waiter_assumptions().back()};
  }
  return claim;
}

Claim width_claim(const Variant& variant, const Limits& limits) {
  Claim claim = unknown_because(not_represented(variant));
  if (claim.reason.empty()) {
    const Parameters parameters = parameters_of(variant);
    Widths widths;
    widths.sums = !parameters.without(model::Knockout::fold_sum);
    widths.initial = !parameters.without(model::Knockout::initial_ref);
    widths.extra = parameters.without(model::Knockout::fold_initial);
    claim = fold_is_exact(widths, limits);
    if (claim.answer == Answer::proved) {
      widths.word = 32;  // the kernel's `long` on 32-bit machines
      const Claim narrow = fold_is_exact(widths, limits);
      if (narrow.answer != Answer::proved) claim = narrow;
    }
    claim.bound = "any number of CPUs, 4194304 threads";
  }
  claim.assumptions = {"when the sum is added it is one more than the references that were counted "
                       "per CPU, and the atomic is LONG_MAX and what was counted there since "
                       "(count-fold)",
                       "a thread holds one reference at a time, and there are at most "
                       "PID_MAX_LIMIT threads"};
  return claim;
}

constexpr int kRefcount = 13;
constexpr int kDeadlock = 11;
constexpr int kInvariant = 10;

}  // namespace

std::vector<Theorem> theorems() {
  using W = WaitersSystem;
  return {
      {"count-get", "no reference is obtained on a replaced table",
       "A get that succeeds is on the table that is current at that moment.", kRefcount, false,
       &has_private_hash, &count_claim<Guarantee::get>},
      {"count-pivot", "a table is replaced only when nobody holds a reference",
       "When a pivot has seen the count dead, no reference is held and no get is about to count "
       "per CPU, until the new table is published.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::pivot>},
      {"count-range", "no count goes below zero",
       "The atomic, the sum of the per-CPU counters and the folded sum are never negative.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::range>},
      {"count-bias", "the biased atomic is never zero",
       "From the bias to the fold the atomic is above zero and below two to the 64th, so that no "
       "get fails and no put takes itself for the last.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::bias>},
      {"count-fold", "the folded count is the references held",
       "Per CPU the counters sum to the references held and the initial one; once folded the "
       "atomic is the references held.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::fold>},
      {"count-free", "a table is freed when nobody refers to it, and it is freed",
       "When a replaced table may be freed no lookup has it in hand, nobody holds a reference on "
       "it and nobody is about to read it after a put; and each one is freed.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::freed>},
      {"count-transition", "one transition at a time, of a private table, that keeps the mm",
       "A table is dropped only while no transition is under way; the callback is queued once; the "
       "atomic is zero before it is biased; the fold finds FR_ATOMIC; hash_new waits exactly while "
       "a table is being replaced; the global hash is not replaced; each transition holds one "
       "reference on the mm from its drop to its fold.",
       kRefcount, false, &has_private_hash, &count_claim<Guarantee::transition>},
      {"count-wake", "a prctl() that waits for the pivot is woken",
       "While a prctl() sleeps on the wait queue the table that it waits for is in use, or a "
       "wake_up_var() is due or under way.",
       kDeadlock, false, &has_private_hash, &count_claim<Guarantee::wake>},
      {"count-width", "the sum of `unsigned int` counters is exact in a `long`",
       "Whatever the single counters hold, wrapped as they may be, what the fold adds makes the "
       "atomic the references held, and the biased atomic is not zero: with `long` of 64 and of 32 "
       "bits.",
       kRefcount, false, &has_private_hash, &width_claim},
      {"waiters-count", "a bucket counts its waiters and those in set-up",
       "hb->waiters is the waiters queued and those between counting themselves and queueing or "
       "giving up, and besides only those on the way in or out under the bucket lock.",
       kInvariant, false, &always, &waiters_claim<W::kCount>},
      {"waiters-wake", "no waiter is queued on a word that changed without a waker coming",
       "If a waiter is queued and its word is not what it expects, somebody who changed the word "
       "has still to look at the count, waits for the bucket lock, or is waking.",
       kDeadlock, false, &always, &waiters_claim<W::kSleepers>},
  };
}

}  // namespace futexmc::properties::proofs::count
