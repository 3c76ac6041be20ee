// SPDX-License-Identifier: GPL-2.0-or-later
//
// spinlock_t and struct mutex. Holding a spinlock disables preemption and is a read-side section of
// RCU; a mutex may sleep. Neither hands over: whoever comes first gets a free lock.
#pragma once

#include "model/kernel/might_sleep.hpp"
#include "model/kernel/rcu.hpp"

namespace futexmc::model {

/// A task that waits here keeps its CPU.
inline constexpr char kSpinLock[] = "spin_lock";

inline void spin_lock(spinlock_t& lock, Loc loc = Loc::here()) {
  lock.lock.acquire(kSpinLock, loc, checker::footprint(current().read_side.index()));
  enter_read_side(true);
}
/// May fail although the lock is free.
inline bool spin_trylock(spinlock_t& lock, Loc loc = Loc::here()) {
  const std::uint64_t read_side = checker::footprint(current().read_side.index());
  if (!lock.lock.try_acquire("spin_trylock", loc, read_side)) return false;
  enter_read_side(true);
  return true;
}
inline void spin_unlock(spinlock_t& lock, Loc loc = Loc::here()) {
  lock.lock.release("spin_unlock", "warn", loc, checker::footprint(current().read_side.index()));
  leave_read_side(true);
}
inline void mutex_lock(mutex& lock, Loc loc = Loc::here()) {
  lock.lock.acquire("mutex_lock", loc);
  might_sleep("mutex_lock()");
}
inline void mutex_unlock(mutex& lock, Loc loc = Loc::here()) {
  lock.lock.release("mutex_unlock", "warn", loc, 0, true);
}

/// guard(mutex). Not `taken`: knocked out.
class guard_mutex {
 public:
  explicit guard_mutex(mutex& lock, bool taken = true, Loc loc = Loc::here())
      : lock_(lock), taken_(taken), loc_(loc) {
    if (taken_) mutex_lock(lock_, loc_);
  }
  ~guard_mutex() {
    if (taken_) mutex_unlock(lock_, loc_);
  }
  guard_mutex(const guard_mutex&) = delete;
  guard_mutex& operator=(const guard_mutex&) = delete;

 private:
  mutex& lock_;
  bool taken_;
  Loc loc_;
};

}  // namespace futexmc::model
