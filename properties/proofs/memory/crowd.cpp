// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/crowd.hpp"

#include "model/futex/futex.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

constexpr const char* kPrivate =
    "word f = 0; hash private(2); "
    "thread first { } thread second { } thread third { } thread fourth { }";
constexpr const char* kGlobal =
    "word f = 0; hash global; "
    "thread first { } thread second { } thread third { } thread fourth { }";

model::UserWord& word() { return *model::machine.word[0]; }

void wait() { result(model::futex_wait(word(), 0, 0, false, ~0U)); }
void store_and_wake() {
  checker::store(word(), 1, checker::Order::relaxed, {"user", "theorem", 0});
  result(model::futex_wake(word(), 0, 1, ~0U));
}

}  // namespace

Subject two_waiters_two_wakers(const model::Variant& variant) {
  return {variant.seams.has_private_hash ? kPrivate : kGlobal, nullptr,
          {{"waiter 1", &wait},
           {"waiter 2", &wait},
           {"waker 1", &store_and_wake},
           {"waker 2", &store_and_wake}},
          1, true};
}

Questions ask_lost_wakeup_of_two(Events& events) {
  const z3::expr done = events.ends(2).finished && events.ends(3).finished;
  const z3::expr woken = events.ends(0).finished && events.ends(1).finished;
  return {{"a waiter sleeps on and both wakers are done",
           (events.ends(0).blocked || events.ends(1).blocked) && done},
          {{"each waker wakes a waiter",
            woken && done && events.returned(2, 1) && events.returned(3, 1)},
           {"one waker finds nobody", woken && events.returned(2, 0) && done}}};
}

}  // namespace futexmc::properties::proofs::memory
