// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model A for SPIN: a counting semaphore over wait and wake with one bucket. The same operations in
// the same order as tests/models/semaphore.hpp, one step each, so that state counts must be equal.
// Bookkeeping of a thread's own (loop counters, dead variables) rides on the step before it.
//
// -DWAITERS -DWAKERS -DROUNDS (of each waiter) -DPOSTS (of each waker)

byte f;                       // the semaphore's value
byte hb_waiters;              // the bucket: its count of waiters,
byte hb_lock;                 // its lock,
byte hb_length;               // and its chain, oldest first, threads plus one
byte hb_chain[WAITERS];
byte q_lock_ptr[WAITERS];     // struct futex_q: 1 points to the bucket, 0 is NULL
bit q_on_list[WAITERS];
bit asleep[WAITERS];          // the task's state

inline lock() { d_step { hb_lock == 0 -> hb_lock = 1 } }

inline chain_add(thread) {
  d_step { hb_chain[hb_length] = thread + 1; hb_length++ }
}

inline chain_del(thread) {
  d_step {
    i = 0;
    do
    :: i < hb_length && hb_chain[i] != thread + 1 -> i++
    :: else -> break
    od;
    do
    :: i + 1 < hb_length -> hb_chain[i] = hb_chain[i + 1]; i++
    :: else -> break
    od;
    if
    :: i < hb_length -> hb_length--; hb_chain[hb_length] = 0
    :: else
    fi;
    i = 0
  }
}

active [WAITERS] proctype waiter() {
  byte round = 0, value = 0, i = 0;

again:
  if
  :: d_step { f > 0 -> value = f }
  :: f == 0 -> goto wait
  fi;
  if
  :: d_step { f == value && round + 1 < ROUNDS -> f--; round++; value = 0 }; goto again
  :: d_step { f == value && round + 1 == ROUNDS -> f--; round++; value = 0 }; goto done
  :: d_step { f != value -> value = 0 }; goto again
  fi;

wait:
  hb_waiters++;
  q_lock_ptr[_pid] = 1;
  lock();
  if
  :: f != 0 -> hb_waiters--; hb_lock = 0; goto again
  :: f == 0
  fi;
  asleep[_pid] = 1;
  chain_add(_pid);
  q_on_list[_pid] = 1;
  hb_lock = 0;
  if
  :: q_on_list[_pid] -> asleep[_pid] == 0
  :: !q_on_list[_pid]
  fi;
  asleep[_pid] = 0;

unqueue:
  if
  :: q_lock_ptr[_pid] == 0 -> goto again
  :: q_lock_ptr[_pid] != 0
  fi;
  lock();
  if
  :: q_lock_ptr[_pid] == 0 -> hb_lock = 0; goto unqueue
  :: q_lock_ptr[_pid] != 0
  fi;
  chain_del(_pid);
  q_on_list[_pid] = 0;
  hb_waiters--;
  hb_lock = 0;
  goto again;

done:
end_of_waiter:
  false
}

active [WAKERS] proctype waker() {
  byte round = 0, woken = 0, i = 0;

post:
  f++;
  if
  :: d_step { hb_waiters == 0 && round + 1 < POSTS -> round++ }; goto post
  :: d_step { hb_waiters == 0 && round + 1 == POSTS -> round++ }; goto done
  :: hb_waiters != 0
  fi;
  lock();
  if
  :: hb_length == 0 ->
    if
    :: d_step { round + 1 < POSTS -> hb_lock = 0; round++ }; goto post
    :: d_step { round + 1 == POSTS -> hb_lock = 0; round++ }; goto done
    fi
  :: d_step { hb_length > 0 -> woken = hb_chain[0] - 1 }
  fi;
  chain_del(woken);
  q_on_list[woken] = 0;
  hb_waiters--;
  q_lock_ptr[woken] = 0;
  hb_lock = 0;
  if
  :: d_step { round + 1 < POSTS -> asleep[woken] = 0; woken = 0; round++ }; goto post
  :: d_step { round + 1 == POSTS -> asleep[woken] = 0; woken = 0; round++ }; goto done
  fi;

done:
end_of_waker:
  false
}
