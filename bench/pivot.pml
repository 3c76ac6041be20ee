// SPDX-License-Identifier: GPL-2.0-or-later
//
// Model B for SPIN: the semaphore over a private hash that is replaced while it is used. The same
// operations in the same order as tests/models/pivot.hpp, one step each; variables that are dead
// are zeroed with the step before, as a scope there forgets them.
//
// -DWAITERS -DWAKERS -DROUNDS (of each waiter) -DPOSTS (of each waker) -DRESIZES
// Processes: waiters and wakers, each its own CPU, then the resizer, then RCU.

#define HASHES 4
#define PERCPU 0
#define ATOMIC 1
#define BIAS 1000
#define CPUS (WAITERS + WAKERS)
#define PROCESSES 4
#if WAITERS + WAKERS != 2
#error "mark_readers and no_old_reader are written out for two CPUs"
#endif
#define REF_CALLBACK 1        // the RCU callback that moves the count on;
#define FREE(hash) (2 << (hash))  // the one that frees a hash

byte f;
byte mm_hash;                 // the current private hash
byte mm_hash_new;             // the one that waits to replace it, plus one
byte mm_lock;
short mm_atomic;              // reference count: atomic part
short mm_ref[CPUS];           // and per-CPU part
byte mm_batches;              // grace period after which a hash may be retired at once
byte gp_started, gp_completed;
byte cb_next, cb_wait;        // callbacks queued, and those that the grace period will run
byte readers[PROCESSES];      // 1 reads, 2 reads and a grace period waits for it
bit fph_state[HASHES];
bit fph_freed[HASHES];
byte hb_waiters[HASHES];
byte hb_lock[HASHES];
byte hb_length[HASHES];
byte hb_chain[HASHES * WAITERS];
byte q_lock_ptr[WAITERS];     // hash plus one; 0 is NULL
bit q_on_list[WAITERS];
bit asleep[WAITERS];

inline lock(which) { d_step { which == 0 -> which = 1 } }

inline chain_add(hash, thread) {
  d_step { hb_chain[(hash) * WAITERS + hb_length[hash]] = thread + 1; hb_length[hash]++ }
}

inline chain_del(hash, thread) {
  d_step {
    i = 0;
    do
    :: i < hb_length[hash] && hb_chain[(hash) * WAITERS + i] != thread + 1 -> i++
    :: else -> break
    od;
    do
    :: i + 1 < hb_length[hash] ->
      hb_chain[(hash) * WAITERS + i] = hb_chain[(hash) * WAITERS + i + 1];
      i++
    :: else -> break
    od;
    if
    :: i < hb_length[hash] ->
      hb_length[hash]--;
      hb_chain[(hash) * WAITERS + hb_length[hash]] = 0
    :: else
    fi;
    i = 0
  }
}

inline call_rcu(callbacks) {
  d_step { assert(!(cb_next & (callbacks))); cb_next = cb_next | (callbacks) }
}

inline futex_ref_put(hash) {
  readers[_pid] = 1;
  if
  :: d_step { fph_state[hash] == PERCPU -> assert(!fph_freed[hash]) };
    mm_ref[_pid]--
  :: d_step { fph_state[hash] == ATOMIC -> assert(!fph_freed[hash]) };
    d_step { mm_atomic--; assert(mm_atomic >= 0) }
  fi
}

inline futex_ref_atomic_begin(hash) {
  assert(mm_atomic == 0);
  mm_atomic = BIAS;
  fph_state[hash] = ATOMIC;
  call_rcu(REF_CALLBACK)
}

inline futex_pivot_pending(next) {
  old = mm_hash;
  readers[_pid] = 1;
  if
  :: d_step { fph_state[old] == PERCPU -> dead = 0 }
  :: fph_state[old] == ATOMIC -> dead = (mm_atomic == 0)
  fi;
  if
  :: d_step { !dead -> readers[_pid] = 0 };
    d_step { mm_hash_new = next + 1; old = 0; next = 0 }
  :: d_step { dead -> readers[_pid] = 0; dead = 0 };
    lock(hb_lock[old]);
    do
    :: hb_length[old] == 0 -> break
    :: d_step { hb_length[old] > 0 -> moved = hb_chain[old * WAITERS] - 1 };
      chain_del(old, moved);
      hb_waiters[old]--;
      hb_waiters[next]++;
      lock(hb_lock[next]);
      chain_add(next, moved);
      q_lock_ptr[moved] = next + 1;
      d_step { hb_lock[next] = 0; moved = 0 }
    od;
    hb_lock[old] = 0;
    fph_state[next] = PERCPU;
    mm_hash = next;
    mm_batches = gp_started + 1;
    d_step {
      assert(!(cb_next & FREE(old)));
      cb_next = cb_next | FREE(old);
      old = 0;
      next = 0
    }
  fi
}

inline futex_pivot_hash() {
  lock(mm_lock);
  if
  :: mm_hash_new == 0
  :: d_step { mm_hash_new != 0 -> next = mm_hash_new - 1 };
    mm_hash_new = 0;
    futex_pivot_pending(next)
  fi;
  mm_lock = 0
}

inline futex_private_hash(hash) {
  do
  :: readers[_pid] = 1;
    hash = mm_hash;
    if
    :: d_step { fph_state[hash] == PERCPU -> assert(!fph_freed[hash]) };
      d_step { mm_ref[_pid]++; got = 1 }
    :: d_step { fph_state[hash] == ATOMIC -> assert(!fph_freed[hash]) };
      if
      :: d_step { mm_atomic == 0 -> got = 0 }
      :: d_step { mm_atomic > 0 -> mm_atomic++; got = 1 }
      fi
    fi;
    if
    :: d_step { got -> readers[_pid] = 0; got = 0 }; break
    :: d_step { !got -> readers[_pid] = 0; hash = 0 }
    fi;
    futex_pivot_hash()
  od
}

active [WAITERS] proctype waiter() {
  byte round = 0, value = 0, i = 0, hash = 0, old = 0, next = 0, moved = 0;
  bit got = 0, dead = 0;

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
  futex_private_hash(hash);
  hb_waiters[hash]++;
  q_lock_ptr[_pid] = hash + 1;
  lock(hb_lock[hash]);
  if
  :: f != 0 -> hb_waiters[hash]--; hb_lock[hash] = 0; goto put
  :: f == 0
  fi;
  asleep[_pid] = 1;
  chain_add(hash, _pid);
  q_on_list[_pid] = 1;
  hb_lock[hash] = 0;
  futex_ref_put(hash);
  readers[_pid] = 0;
  hash = 0;
  if
  :: q_on_list[_pid] -> asleep[_pid] == 0
  :: !q_on_list[_pid]
  fi;
  asleep[_pid] = 0;

unqueue:
  if
  :: q_lock_ptr[_pid] == 0 -> goto again
  :: d_step { q_lock_ptr[_pid] != 0 -> hash = q_lock_ptr[_pid] - 1 }
  fi;
  lock(hb_lock[hash]);
  if
  :: q_lock_ptr[_pid] != hash + 1 -> d_step { hb_lock[hash] = 0; hash = 0 }; goto unqueue
  :: q_lock_ptr[_pid] == hash + 1
  fi;
  chain_del(hash, _pid);
  q_on_list[_pid] = 0;
  hb_waiters[hash]--;
  d_step { hb_lock[hash] = 0; hash = 0 };
  goto again;

put:
  futex_ref_put(hash);
  d_step { readers[_pid] = 0; hash = 0 };
  goto again;

done:
end_of_waiter:
  false
}

active [WAKERS] proctype waker() {
  byte round = 0, woken = 0, i = 0, hash = 0, old = 0, next = 0, moved = 0;
  bit got = 0, dead = 0;

post:
  f++;
  futex_private_hash(hash);
  if
  :: hb_waiters[hash] == 0 -> goto put
  :: hb_waiters[hash] != 0
  fi;
  lock(hb_lock[hash]);
  if
  :: hb_length[hash] == 0 -> hb_lock[hash] = 0; goto put
  :: d_step { hb_length[hash] > 0 -> woken = hb_chain[hash * WAITERS] - 1 }
  fi;
  chain_del(hash, woken);
  q_on_list[woken] = 0;
  hb_waiters[hash]--;
  q_lock_ptr[woken] = 0;
  hb_lock[hash] = 0;
  futex_ref_put(hash);
  readers[_pid] = 0;
  if
  :: d_step { round + 1 < POSTS -> asleep[woken] = 0; woken = 0; hash = 0; round++ }; goto post
  :: d_step { round + 1 == POSTS -> asleep[woken] = 0; woken = 0; hash = 0; round++ }; goto done
  fi;

put:
  futex_ref_put(hash);
  if
  :: d_step { round + 1 < POSTS -> readers[_pid] = 0; hash = 0; round++ }; goto post
  :: d_step { round + 1 == POSTS -> readers[_pid] = 0; hash = 0; round++ }; goto done
  fi;

done:
end_of_waker:
  false
}

active proctype resizer() {
  byte round = 0, old = 0, next = 0, current = 0, moved = 0, i = 0;
  bit dead = 0;

again:
  lock(mm_lock);
  current = mm_hash;
  next = mm_hash_new;
  mm_hash_new = 0;
  if
  :: d_step { next == 0 && gp_completed >= mm_batches -> next = round + 1 };
    futex_ref_atomic_begin(current)
  :: d_step { next == 0 && gp_completed < mm_batches -> next = round + 1 };
    call_rcu(REF_CALLBACK)
  :: d_step { next != 0 -> next = next - 1 }  // an earlier request waits: it will do
  fi;
  futex_pivot_pending(next);
  if
  :: d_step { round + 1 < RESIZES -> mm_lock = 0; current = 0; round++ }; goto again
  :: d_step { round + 1 == RESIZES -> mm_lock = 0; current = 0; round++ }; goto done
  fi;

done:
end_of_resizer:
  false
}

#define MARK(reader) readers[reader] = (readers[reader] == 1 -> 2 : readers[reader])

active proctype rcu() {
  byte callbacks = 0, hash = 0;
  short count = 0;

  mm_ref[0] = mm_ref[0] + 1;
end_of_rcu:
  do
  :: d_step {
      callbacks == 0 && cb_next != 0 ->
      cb_wait = cb_next;
      cb_next = 0;
      gp_started++;
      MARK(0); MARK(1); MARK(2); MARK(3)
    };
    d_step {
      readers[0] != 2 && readers[1] != 2 && readers[2] != 2 && readers[3] != 2 ->
      gp_completed = gp_started;
      callbacks = cb_wait;
      cb_wait = 0
    }
  :: d_step { callbacks & FREE(0) -> fph_freed[0] = 1; callbacks = callbacks & ~FREE(0) }
  :: d_step { callbacks & FREE(1) -> fph_freed[1] = 1; callbacks = callbacks & ~FREE(1) }
  :: d_step { callbacks & FREE(2) -> fph_freed[2] = 1; callbacks = callbacks & ~FREE(2) }
  :: d_step { callbacks == REF_CALLBACK -> hash = mm_hash; callbacks = 0 };
    if
    :: fph_state[hash] == PERCPU ->
      assert(mm_atomic == 0);
      mm_atomic = BIAS;
      fph_state[hash] = ATOMIC;
      d_step { assert(!(cb_next & REF_CALLBACK)); cb_next = cb_next | REF_CALLBACK; hash = 0 }
    :: fph_state[hash] == ATOMIC ->
      assert(fph_state[hash] == ATOMIC);
      count = count + mm_ref[0];
      mm_ref[0] = 0;
      count = count + mm_ref[1];
      mm_ref[1] = 0;
      mm_ref[0]++;
      d_step {
        mm_atomic = mm_atomic + count - BIAS - 1;
        assert(mm_atomic >= 0);
        count = 0;
        hash = 0
      }
    fi
  od
}
