// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs about who is moved to a PI word: the requeuer hands over what the waiter goes on with.
#include "model/futex/requeue_pi.hpp"
#include "properties/proofs/memory/worlds.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using model::machine;
using worlds::entry;
using worlds::other_word;
using worlds::word;

// The third thread, if the word is its own.
constexpr const char* kOwned =
    "word f = 0; word g = 3; hash private(2); thread first { int r = 0; r = futex_lock_pi(g); } "
    "thread second { } thread third { }";
constexpr const char* kFree =
    "word f = 0; word g = 0; hash private(2); thread first { int r = 0; r = futex_lock_pi(g); } "
    "thread second { }";

void queue_for_requeue_pi() {
  worlds::queue_on_current_table();
  entry().rt_waiter.poke(machine.rt_waiter[0]);
  entry().requeue_pi_key.poke(model::get_futex_key(other_word(), 0));
  machine.task[0]->state.poke(model::TASK_RUNNING);
  // As the requeuer will make it: it is nobody else's yet, and has a lock of its own all the same.
  machine.pi_state[0]->refcount.poke(1);
  model::rt_mutex_init_proxy_locked(machine.pi_state[0]->pi_mutex, 2);
  machine.task[1]->pi_state_cache.poke(machine.pi_state[0]);
}

/// What futex_wait_requeue_pi() does once it is awake, up to a read of what it was given.
void wake_up() {
  checker::Scope scope("futex_wait_requeue_pi");
  const int state = model::seams().requeue_pi_wakeup_sync(entry());
  scope.at("synced", state);
  if (state == model::Q_REQUEUE_PI_DONE) {
    result(model::read_plain(entry().pi_state) != nullptr ? kSeen : kUnseen);
  } else if (state == model::Q_REQUEUE_PI_LOCKED) {
    result(model::read_plain(entry().drop_fph) != nullptr ? kSeen : kUnseen);
  }
}

void requeue() {
  result(model::futex_cmp_requeue_pi(word(), other_word(), 0, 1, 1, 0));
}

/// What comes after that is not handed over.
bool is_settled() {
  const int state = entry().requeue_state.peek();
  return state == model::Q_REQUEUE_PI_IGNORE || state >= model::Q_REQUEUE_PI_DONE;
}

}  // namespace

Subject requeue_pi_to_owned(const model::Variant& /*variant*/) {
  return {kOwned, &queue_for_requeue_pi,
          {{"waiter", &wake_up}, {"requeuer", &requeue, &is_settled}}, 2};
}
Subject requeue_pi_to_free(const model::Variant& /*variant*/) {
  return {kFree, &queue_for_requeue_pi,
          {{"waiter", &wake_up}, {"requeuer", &requeue, &is_settled}}, 2};
}

}  // namespace futexmc::properties::proofs::memory
