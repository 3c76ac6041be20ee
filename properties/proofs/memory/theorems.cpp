// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/theorems.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "model/futex/futex.hpp"
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

/// A recording as the solver has it. If there is no more time it stays there: to give so many
/// formulas back takes it longer than anybody would wait.
class Session {
 public:
  Session(const Recording& recording, const Limits& limits)
      : watch_(limits.watch), held_(std::make_unique<Held>(recording, limits)) {}
  ~Session() {
    static std::vector<Held*> abandoned;
    if (futexmc::proofs::reason_of(watch_) != nullptr) abandoned.push_back(held_.release());
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Events& events() { return held_->events; }
  lkmm::Model& model() {
    if (!held_->model) held_->model.emplace(held_->events.graph(), lkmm::Omitted{}, held_->limits);
    return *held_->model;
  }

 private:
  struct Held {
    Held(const Recording& recording, const Limits& of)
        : limits(limits_of(of)), events(recording, context, of.watch) {}
    z3::context context;
    lkmm::Limits limits;
    Events events;
    std::optional<lkmm::Model> model;
  };
  const futexmc::proofs::Watch* watch_;
  std::unique_ptr<Held> held_;
};

Claim decide_events(const Subject& subject, const model::Variant& variant, Ask ask,
                    const Limits& limits) {
  Claim claim;
  claim.assumptions = {
      "the kernel's memory model (tools/memory-model of v7.3)",
      "compilers keep the branches of marked reads (control dependencies)",
      "plain accesses are compiled to one access each"};
  claim.bound = fmt::format("{} threads, one call each", subject.threads.size());
  const Recording recording = record(subject, variant, limits.watch);
  Session session(recording, limits);
  Events& events = session.events();
  const Questions questions = ask(events);
  const std::size_t threads = recording.threads.size();
  const z3::expr cut = any_end(events, &Ends::cut, threads);
  const z3::expr faulted = any_end(events, &Ends::faulted, threads);
  const z3::expr otherwise = any_end(events, &Ends::otherwise, threads);
  lkmm::Model& model = session.model();
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

Questions ask_moved(Events& events) {
  const z3::expr moved = events.uses(2, moved_to());
  return {{"the waiter sleeps on, and all others are done",
           events.ends(0).blocked && events.ends(1).finished && events.ends(2).finished},
          {{"the waiter is moved and woken", moved && events.returned(1, 1)},
           {"the waker moves it", events.uses(1, moved_to()) && events.returned(1, 1)},
           {"all finish", events.ends(0).finished && events.ends(1).finished &&
                              events.ends(2).finished}}};
}

Questions ask_moved_by_prctl(Events& events) {
  const z3::expr others = events.ends(1).finished && events.ends(2).finished;
  const z3::expr awake = events.ends(0).finished && events.ends(3).finished;
  const z3::expr asleep = events.ends(0).blocked || events.ends(3).blocked;
  const z3::expr done = (events.ends(0).finished || events.ends(0).blocked) &&
                        (events.ends(3).finished || events.ends(3).blocked);
  return {{"a sleeper sleeps on, and all others are done", asleep && done && others},
          {{"SET_SLOTS moves the waiter, which is woken",
            awake && others && events.uses(3, moved_to()) && events.returned(1, 1)},
           {"the waker moves it", awake && others && events.uses(1, moved_to())}}};
}

Questions ask_unqueue(Events& events) {
  const z3::expr done = events.ends(0).finished && events.ends(1).finished;
  const z3::expr counted = events.final_value(moved_count()) != events.number(0);
  const z3::expr found = events.final_value(moved_chain()) == events.number(moved_entry());
  return {{"a waiter that took itself off is on the new table", done && (counted || found)},
          {{"it takes itself off", done && events.returned(0, 1)},
           {"it was moved", done && events.uses(0, moved_count())}}};
}

Questions ask_reuse(Events& events) {
  const z3::expr done = events.ends(0).finished && events.ends(1).finished;
  const z3::expr overwritten = events.final_value(reused_cell()) != events.number(reused_value());
  return {{"the waker writes to the entry after its memory was reused",
           done && events.returned(0, 0) && overwritten},
          {{"the waiter finds itself woken", done && events.returned(0, 0)},
           {"it takes itself off", done && events.returned(0, 1)}}};
}

Questions ask_requeued(Events& events) {
  return {{"the waiter is moved, is not found, and sleeps on",
           events.ends(0).blocked && events.returned(1, 1) && events.ends(2).finished},
          {{"the waiter is moved and woken", events.ends(0).finished && events.returned(1, 1)},
           {"it is not moved", events.returned(1, -EAGAIN) && events.ends(2).finished}}};
}

/// A waiter that finds its requeue done when it looks for the first time, and one that may meet the
/// requeuer as well: then it has tried to say that it is awake.
Questions ask_handed_over(Events& events, bool at_once) {
  const z3::expr met = events.performs(0, "atomic_try_cmpxchg");
  const z3::expr unseen = events.returned(0, kUnseen);
  const z3::expr seen = events.returned(0, kSeen);
  return {{"the requeue is done, and the waiter does not see what was written before",
           at_once ? unseen && !met : unseen},
          {{"it is done when the waiter looks", seen && !met},
           {"the waiter waits until it is done",
            seen && events.performs(0, "atomic_cond_read_relaxed")},
           {"the waiter leaves first", events.ends(0).finished && !unseen && !seen}}};
}
Questions ask_done_at_once(Events& events) { return ask_handed_over(events, true); }
Questions ask_done(Events& events) { return ask_handed_over(events, false); }

Questions ask_counted(Events& events) {
  const z3::expr done = events.ends(0).finished && events.ends(1).finished;
  const z3::expr kept = events.final_value(counter()) != events.number(0);
  return {{"a count is made per CPU after the counters were summed", done && kept},
          {{"the counters are summed", done}}};
}

Questions ask_freed(Events& events) {
  const z3::expr reused = events.finds(1, freed_mm(), 0) || events.finds(1, freed_mask(), 0) ||
                          events.finds(1, freed_state(), model::FR_PERCPU);
  const z3::expr freed = events.performs(0, "grace period") || events.performs(0, "kvfree");
  return {{"the table is read after its memory was used for something else", reused},
          {{"it is freed, and the other is done",
            events.ends(0).finished && events.ends(1).finished && freed},
           {"it is not freed, and the other is done",
            events.ends(0).finished && events.ends(1).finished && !freed}}};
}

Questions ask_revived(Events& events) {
  return {{"a reference is got on a table that was dead", events.returned(1, 1)},
          {{"one is got on the next", events.returned(1, 0) && events.ends(0).finished &&
                                          events.ends(2).finished}}};
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
bool has_precheck(const model::Variant& variant) {
  return variant.seams.wait_precheck != &model::wait_precheck_base;
}
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
      {"memory-pivot", "a waiter moved by the pivot is found",
       "A thread sleeps on a word. One changes the word and wakes it, one replaces the table that "
       "it is queued on meanwhile: the waiter does not sleep for ever.",
       11, false, &has_private_hash, &prove<&wait_wake_and_pivot, &ask_moved>, nullptr,
       false},
      {"memory-pivot-four", "a waiter moved by the pivot is found, and SET_SLOTS returns",
       "A thread sleeps on a word. One changes the word and wakes it, one gives the last reference "
       "on its table back, and SET_SLOTS waits for the table to be replaced: neither the waiter "
       "nor SET_SLOTS sleeps for ever.",
       11, true, &has_private_hash, &prove<&wait_wake_pivot_and_prctl, &ask_moved_by_prctl>,
       nullptr, false},
      {"memory-unqueue", "a waiter moved by the pivot can take itself off",
       "A waiter gives up while another thread moves it to the next table: it is not left there.",
       10, false, &has_private_hash, &prove<&unqueue_and_pivot, &ask_unqueue>,
       &tests<&unqueue_and_pivot, &ask_unqueue>},
      {"memory-reuse", "the waker is done with an entry when its owner may use it again",
       "What a waiter that finds itself woken does with the memory of its futex_q is not "
       "overwritten by the waker.",
       13, false, &always, &prove<&unqueue_and_wake, &ask_reuse>,
       &tests<&unqueue_and_wake, &ask_reuse>},
      {"memory-requeue", "a requeued waiter is found on the target",
       "A waiter is moved to another word if the first is unchanged. Who changes the first and "
       "then wakes the other word does not miss it.",
       11, false, &has_private_hash, &prove<&requeue_and_wake, &ask_requeued>,
       &tests<&requeue_and_wake, &ask_requeued>},
      {"memory-requeue-done", "a waiter that finds its requeue done sees what it waits for",
       "A waiter to be moved to a PI word wakes. If the state of its requeue is DONE when it looks,"
       " it sees its pi_state.",
       13, false, &always, &prove<&requeue_pi_to_owned, &ask_done_at_once>,
       nullptr, false},
      {"memory-requeue-locked", "a waiter that finds that it was given the lock sees its reference",
       "A waiter to be moved to a PI word wakes. If the state of its requeue is LOCKED when it "
       "looks, it sees the reference on the table that it has to give back.",
       13, false, &has_private_hash, &prove<&requeue_pi_to_free, &ask_done_at_once>,
       nullptr, false},
      {"memory-requeue-done-met", "a waiter that meets its requeuer sees what it waits for",
       "A waiter to be moved to a PI word wakes. Whenever it sees that the state of its requeue is "
       "DONE, be it that it waits for the requeuer, it sees its pi_state.",
       13, false, &always, &prove<&requeue_pi_to_owned, &ask_done>,
       nullptr, false},
      {"memory-requeue-locked-met", "a waiter that meets its requeuer sees its reference",
       "A waiter to be moved to a PI word wakes. Whenever it sees that the state of its requeue is "
       "LOCKED, be it that it waits for the requeuer, it sees the reference on the table.",
       13, false, &has_private_hash, &prove<&requeue_pi_to_free, &ask_done>,
       nullptr, false},
      {"memory-precheck", "an unlocked mismatch may only refuse",
       "With a look at the word before the bucket is found: it may refuse the wait, but no waiter "
       "sleeps for ever that went on.",
       11, false, &has_precheck, &prove<&wait_and_wake, &ask_lost_wakeup>,
       &tests<&wait_and_wake, &ask_lost_wakeup>},
      {"memory-fold", "a grace period lies between the last count per CPU and their sum",
       "A lookup that found the table counted per CPU has counted when the counters are summed.",
       13, false, &has_private_hash, &prove<&look_up_and_fold, &ask_counted>,
       &tests<&look_up_and_fold, &ask_counted>},
      {"memory-revive", "a table that was replaced does not come back to life",
       "Who still knows a dead table does not get a reference on it, although the next one makes "
       "use of the same count.",
       13, false, &has_private_hash, &prove<&look_up_and_replace, &ask_revived>, nullptr,
       false},
      {"memory-put-free", "a put has done with its table when it is freed",
       "What the put of the last reference reads of the table is read before the table's memory is "
       "used for something else.",
       13, false, &has_private_hash, &prove<&put_and_free, &ask_freed>, nullptr},
      {"memory-lookup-free", "a lookup has done with a dead table when it is freed",
       "What a lookup that finds a table dead reads of it is read before the table's memory is used"
       " for something else.",
       13, false, &has_private_hash, &prove<&look_up_and_free, &ask_freed>,
       &tests<&look_up_and_free, &ask_freed>},
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
