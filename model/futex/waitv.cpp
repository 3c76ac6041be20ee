// SPDX-License-Identifier: GPL-2.0-or-later
//
// Waiting on several words. Follows kernel/futex/waitwake.c: futex_unqueue_multiple,
// futex_wait_multiple_setup, futex_sleep_multiple, futex_wait_multiple.
//
// Invariants
//  1. The task state is set before the first entry is queued: a wakeup during the set-up counts.
//  2. A reference on the private table is held from before that until the set-up is over, so that
//     no lookup in between has to sleep for the table's replacement.
//  3. Whatever ends the wait takes all entries off before they go.
#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

futex_q& entry(int i) {
  return *machine.waiters[checker::rt.current_id][static_cast<std::size_t>(i)];
}

// The last of the entries that a waker had taken off, or -1.
int futex_unqueue_multiple(int count) {
  Scope scope("futex_unqueue_multiple");
  int ret = -1;
  for (int i = 0; i < count; ++i) {
    scope.at("entry", i, count, ret);
    if (futex_unqueue(entry(i)) == 0) ret = i;
  }
  return scope.returns(ret);
}

enum class Word : std::uint8_t { queued, differs, faults };

// Queues the entry if its word holds what it should.
Word queue_word(const futex_waitv& w, futex_q& q) {
  Scope scope("futex_wait_multiple_setup");
  class_hbr hbr(q.key.peek());
  futex_hash_bucket& hb = *hbr.hb();
  if (knocked(Knockout::waitv_ref)) hbr.put();
  futex_q_lock(q, hb);
  bool differs = false;
  const bool read = get_user_inatomic(*w.word, w.val, differs);
  Word result = !read ? Word::faults : differs ? Word::differs : Word::queued;
  scope.at("checked", result, &hb, hbr.fph());
  if (result == Word::queued) futex_queue(q, hb);
  else futex_q_unlock(hb);
  return scope.returns(result);
}

// 0 if all are queued, 1 if one has been woken meanwhile (which, is in `woken`), or an error.
int futex_wait_multiple_setup(const futex_waitv* vs, int count, int& woken) {
  Scope scope("futex_wait_multiple_setup");
  const class_private_hash guard(*machine.mm, !knocked(Knockout::waitv_guard));
  for (bool retry = false;; retry = true) {
    scope.at("retry", retry, guard.fph());
    for (int i = 0; i < count; ++i) {
      // A private key is taken once: who requeues the entry meanwhile changes it for good.
      const bool once = (vs[i].flags & FLAGS_SHARED) == 0 && !knocked(Knockout::waitv_key_once);
      if (retry && once) continue;
      const int invalid = check_address(*vs[i].word, vs[i].flags);
      if (invalid != 0) return scope.returns(invalid);
      entry(i).key.poke(get_futex_key(*vs[i].word, vs[i].flags));
    }
    if (!knocked(Knockout::waitv_state_late)) set_current_state(TASK_INTERRUPTIBLE);
    int i = 0;
    Word result = Word::queued;
    for (; i < count; ++i) {
      scope.at("word", i, guard.fph());
      result = queue_word(vs[i], entry(i));
      if (result != Word::queued) break;
    }
    scope.at("done", i, result, guard.fph());
    if (result == Word::queued) {
      if (knocked(Knockout::waitv_state_late)) set_current_state(TASK_INTERRUPTIBLE);
      return scope.returns(0);
    }
    if (!knocked(Knockout::waitv_running)) __set_current_state(TASK_RUNNING);
    // Even if something is wrong, a wakeup that has been received must not be lost.
    woken = knocked(Knockout::waitv_unqueue) ? -1 : futex_unqueue_multiple(i);
    if (woken >= 0 && !knocked(Knockout::waitv_woken)) {
      scope.returns(1, static_cast<std::uint64_t>(woken));
      return 1;
    }
    if (result == Word::differs) return scope.returns(-EWOULDBLOCK);
    get_user_differs(*vs[i].word, vs[i].val);  // brings the page in; all words are read again
    if (!is_mapped(*vs[i].word)) return scope.returns(-EFAULT);
  }
}

void futex_sleep_multiple(int count, const hrtimer_sleeper* to) {
  Scope scope("futex_sleep_multiple");
  const bool expires = to != nullptr && !knocked(Knockout::waitv_timer_test);
  if (expires && !read_plain(to->task)) return;
  for (int i = 0; i < count && !knocked(Knockout::waitv_lock_ptr_test); ++i) {
    scope.at("entry", i, count);
    const bool gone = checker::load_as(entry(i).lock_ptr, Order::once,
                                       [](const spinlock_t* lock) { return lock == nullptr; },
                                       Loc::here(), "READ_ONCE");
    if (gone) return;
  }
  schedule();
}

}  // namespace

int futex_wait_multiple(const futex_waitv* vs, int count, hrtimer_sleeper* to) {
  Scope scope("futex_wait_multiple");
  if (to != nullptr) hrtimer_sleeper_start_expires(*to);
  for (;;) {
    scope.at("retry");
    int woken = 0;
    const int ret = futex_wait_multiple_setup(vs, count, woken);
    if (ret != 0) return scope.returns(ret > 0 ? woken : ret);
    futex_sleep_multiple(count, to);
    __set_current_state(TASK_RUNNING);
    const int index = futex_unqueue_multiple(count);
    if (index >= 0) return scope.returns(index);
    if (to != nullptr && !read_plain(to->task)) return scope.returns(-ETIMEDOUT);
    if (signal_pending()) return scope.returns(-ERESTARTSYS);
    if (knocked(Knockout::waitv_spurious)) return scope.returns(-ERESTARTSYS);
    // Woken spuriously: wait again.
  }
}

}  // namespace futexmc::model
