// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/theorems.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "properties/proofs/memory/crowd.hpp"
#include "properties/proofs/memory/limits.hpp"
#include "properties/proofs/memory/litmus_tests.hpp"
#include "properties/proofs/memory/subjects.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

namespace lkmm = futexmc::proofs::lkmm;

Claim unknown(Claim claim, std::string reason) {
  claim.answer = Answer::unknown;
  claim.reason = std::move(reason);
  claim.checks.clear();
  return claim;
}

z3::expr any_end(Events& events, z3::expr Ends::*end, std::size_t threads) {
  z3::expr some = events.graph().logic().no();
  for (std::size_t i = 0; i < threads; ++i) {
    some = events.graph().logic().either(some, events.ends(i).*end);
  }
  return some;
}

Claim decide_events(const Subject& subject, const model::Variant& variant, Ask ask,
                    const Limits& limits) {
  Claim claim;
  claim.assumptions = {
      "the kernel's memory model (tools/memory-model of v7.3)",
      "compilers keep the branches of marked reads (control dependencies)",
      "plain accesses are compiled to one access each"};
  claim.bound = fmt::format("{} threads, one call each", subject.threads.size());
  const Recording recording = record(subject, variant, limits.watch);
  z3::context context;
  Events events(recording, context, limits.watch);
  const Questions questions = ask(events);
  const std::size_t threads = recording.threads.size();
  const z3::expr cut = any_end(events, &Ends::cut, threads);
  const z3::expr faulted = any_end(events, &Ends::faulted, threads);
  const z3::expr otherwise = any_end(events, &Ends::otherwise, threads);
  lkmm::Model model(events.graph(), {}, limits_of(limits));
  const auto asked = [&](const z3::expr& outcome) {
    lkmm::Answer answer = model.ask(outcome);
    if (answer.verdict == lkmm::Verdict::unknown) futexmc::proofs::check(limits.watch);
    return answer;
  };
  const lkmm::Answer bad = asked(questions.bad.formula && !otherwise);
  if (bad.verdict == lkmm::Verdict::unknown) return unknown(claim, bad.reason);
  if (bad.verdict == lkmm::Verdict::possible) {
    claim.answer = Answer::refuted;
    claim.execution = events.describe(bad.execution);
    return claim;
  }
  // The model stops a thread that uses what is not there: then what follows was not looked at.
  const lkmm::Answer fault = asked(faulted && !otherwise);
  if (fault.verdict != lkmm::Verdict::impossible) {
    std::string what;
    for (std::size_t i = 0; i < threads; ++i) what += events.ends(i).fault;
    return unknown(claim, "a thread may be stopped by a fault: " + what + fault.reason);
  }
  // What is not found as the recording has it, was not recorded.
  const lkmm::Answer other = asked(otherwise);
  if (other.verdict != lkmm::Verdict::impossible) {
    std::string reason = "a thread may find under a lock what nobody left there" + other.reason;
    claim.execution = events.describe(other.execution);
    return unknown(claim, std::move(reason));
  }
  const lkmm::Answer loop = asked(cut);
  if (loop.verdict == lkmm::Verdict::unknown) return unknown(claim, loop.reason);
  if (loop.verdict == lkmm::Verdict::possible) {
    claim.bound += fmt::format(", loops up to {} round{}", subject.rounds,
                               subject.rounds == 1 ? "" : "s");
  }
  for (const Outcome& outcome : questions.possible) {
    const lkmm::Answer answer = asked(outcome.formula);
    if (answer.verdict != lkmm::Verdict::possible) {
      return unknown(claim, "should be possible, and is not seen to be: " + outcome.what +
                                answer.reason);
    }
    claim.checks.push_back("possible: " + outcome.what);
  }
  claim.checks.push_back(fmt::format("{} events, {} executions looked at, {} cycles forbidden",
                                     events.graph().size(), model.proposals(), model.learnt()));
  claim.answer = Answer::proved;
  return claim;
}

Outcome finished(Events& events) {
  return {"both threads finish", events.ends(0).finished && events.ends(1).finished};
}

Questions ask_lost_wakeup(Events& events) {
  return {{"the waiter sleeps on and the waker is done",
           events.ends(0).blocked && events.ends(1).finished},
          {{"the waiter sleeps and is woken", events.ends(0).finished && events.returned(1, 1)},
           {"the wait is refused", events.returned(0, -EWOULDBLOCK)},
           finished(events)}};
}

Questions ask_prctl(Events& events) {
  return {{"SET_SLOTS sleeps on and the table is unused",
           events.ends(0).blocked && events.ends(1).finished},
          {finished(events)}};
}

Questions ask_dead(Events& events) {
  return {{"a table in use is taken to be unused", events.returned(0, 1)},
          {{"it is not", events.returned(0, 0)}, finished(events)}};
}

bool always(const model::Variant& /*variant*/) { return true; }
bool has_private_hash(const model::Variant& variant) { return variant.seams.has_private_hash; }

template <Subject (*Make)(const model::Variant&), Ask Questions>
Claim prove(const model::Variant& variant, const Limits& limits) {
  return decide_events(Make(variant), variant, Questions, limits);
}

template <Subject (*Make)(const model::Variant&), Ask Questions>
std::vector<LitmusTest> tests(const std::string& theorem, const model::Variant& variant,
                              const Limits& limits) {
  return litmus_tests(record(Make(variant), variant, limits.watch), Questions,
                      {theorem, describe(variant)}, limits);
}

}  // namespace

std::vector<Theorem> theorems() {
  return {
      {"memory-wakeup", "a lost wakeup is impossible",
       "A thread that waits for a word to change and one that changes it and then wakes: in no "
       "execution of the kernel's memory model does the waiter sleep for ever.",
       11, false, &always, &prove<&wait_and_wake, &ask_lost_wakeup>,
       &tests<&wait_and_wake, &ask_lost_wakeup>},
      {"memory-wakeup-two", "a lost wakeup is impossible with two waiters and two wakers",
       "Two threads wait for a word to change, two others change it and then wake one waiter each: "
       "when both have done so no waiter sleeps for ever.",
       11, true, &always, &prove<&two_waiters_two_wakers, &ask_lost_wakeup_of_two>},
      {"memory-prctl-put", "SET_SLOTS does not miss the wakeup of the last put",
       "One thread waits for the table to be unused, another gives back the last reference.",
       11, false, &has_private_hash, &prove<&prctl_and_put, &ask_prctl>,
       &tests<&prctl_and_put, &ask_prctl>},
      {"memory-prctl-fold", "SET_SLOTS does not miss the wakeup of the fold",
       "One thread waits for the table to be unused, the callback finds that its count is zero.",
       11, false, &has_private_hash, &prove<&prctl_and_fold, &ask_prctl>,
       &tests<&prctl_and_fold, &ask_prctl>},
      {"memory-dead", "a table whose count has not been folded is not taken to be unused",
       "Who sees that the count is becoming exact also sees the bias.",
       13, false, &has_private_hash, &prove<&dead_and_begin, &ask_dead>,
       &tests<&dead_and_begin, &ask_dead>},
  };
}

}  // namespace futexmc::properties::proofs::memory
