// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/property.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace futexmc::properties {
namespace {

constexpr std::array<int, 5> kPrecedence = {13, 11, 10, 12, 14};

}  // namespace

const std::vector<Property>& all() {
  static const std::vector<Property> table = {
      {"lost-wakeup", "no thread sleeps in a futex wait for ever unless the scenario says it may",
       "waitwake.c, \"Basic futex operation and ordering guarantees\"", 11},
      {"queued-sleeper", "when nothing but the environment can go, whoever sleeps in a futex "
       "operation is queued", "futex.h, \"A futex_q has a woken state\"", 10},
      {"reachability", "a queued waiter is on the chain that a lookup of its key gives",
       "core.c, futex_rehash_private() and __futex_hash()", 10},
      {"waiter-count", "a bucket counts at least its queued waiters and those being set up, and in "
       "the end no others",
       "waitwake.c, step (a); core.c, futex_q_lock()", 10},
      {"refcount", "references are taken on the current table only, counted exactly, and a table "
       "is replaced only when nobody holds one", "core.c, futex-ref", 13},
      {"lifetime", "nothing is used after it was freed or went out of scope, or leaks",
       "core.c, futex_ref_drop() and futex_unqueue(); waitwake.c, __futex_wake_mark()", 13},
      {"deadlock", "no thread is blocked for ever on anything but a futex",
       "core.c, futex_hash_allocate()", 11},
      {"size-policy", "the user's choice of a size outlasts the defaults, a default never shrinks "
       "the hash, and the global hash is for good",
       "core.c, futex_hash_less(), futex_hash_allocate{,_default}(); PR_FUTEX_HASH(2const)", 10},
      {"atomic-sleep", "nothing that may block is called with preemption off, inside RCU, or "
       "between setting the task state and sleeping", "sched/core.c, __might_sleep()", 10},
      {"race", "no plain read is left unordered with a write, and no use of an object with its "
       "allocation or freeing", "tools/memory-model; Documentation/dev-tools/kcsan.rst", 10},
      {"pi-owner", "word, pi_state and rt-mutex name the same owner, and the word says that there "
       "are waiters",
       "pi.c, the table of states and the serialization rules; rtmutex.c", 10},
      {"requeue-state", "a waiter of FUTEX_WAIT_REQUEUE_PI is where its state says, and no requeue "
       "is left half done", "requeue.c, the table of states", 10},
      {"boost", "an owner runs at least at the priority of its first waiter, and nobody above what "
       "waiters give it", "rtmutex.c; Documentation/locking/rt-mutex-design.rst", 10},
      {"warn", "no WARN_ON, BUG_ON or lockdep assertion of the kernel's fires",
       "the assertions themselves", 10},
      {"condition", "the scenario's own finally, never and sometimes", "the scenario", 10},
  };
  return table;
}

const std::vector<Property>& on_request() {
  static const std::vector<Property> table = {
      {"progress", "from every state some final state can be reached: no thread spins in vain",
       "the scenario, whose threads are to come to an end", 12},
  };
  return table;
}

std::vector<const Property*> listed() {
  std::vector<const Property*> both;
  for (const Property& property : all()) both.push_back(&property);
  for (const Property& property : on_request()) both.push_back(&property);
  return both;
}

const Property* find(std::string_view id) {
  for (const Property* const property : listed()) {
    if (property->id == id) return property;
  }
  return nullptr;
}

bool is_known(std::string_view property, std::string_view message) {
  struct Known {
    std::string_view property, message;
  };
  static constexpr Known kTable[] = {
      {"size-policy", "the user's choice is given up for a default, which was installed"},
      {"size-policy", "a default is given up for a smaller one, which was installed"},
      {"race", "mm_struct.nr_threads: a plain read in futex_hash_allocate_default() is not ordered "
               "with a write in "},
      {"race", "futex_q.pi_state: a plain read in futex_wait_requeue_pi() is not ordered with a "
               "write in futex_requeue_pi_prepare()"},
      {"race", "futex_q.drop_fph: a plain read in futex_wait_requeue_pi() is not ordered with a "
               "write in "},
  };
  return std::any_of(std::begin(kTable), std::end(kTable), [&](const Known& known) {
    return known.property == property && message.starts_with(known.message);
  });
}

int exit_code(const std::vector<std::string>& violated) {
  for (const int code : kPrecedence) {
    for (const std::string& id : violated) {
      const Property* const property = find(id);
      if (property != nullptr && property->exit_code == code) return code;
    }
  }
  return 0;
}

}  // namespace futexmc::properties
