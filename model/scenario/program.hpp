// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a scenario file compiles to: a set of words, settings, threads and conditions, with each
// thread's statements flattened to a small register code that the user-space interpreter runs.
//
// Invariants
//  1. A Scenario is immutable once compiled: threads of the model read it from outside the arena.
//  2. Registers [0, named) of a thread are those the author declared, in order; registers above are
//     temporaries and repeat counters. Counters survive a statement, temporaries do not: every
//     Op::statement instruction marks a point at which no temporary is live.
//  3. Every jump target is the index of an Op::statement or Op::end instruction, except for the
//     short circuits of && and ||: those go forward, to a later instruction of the same statement,
//     and temporaries may be live across them. A jump backward always meets an Op::statement. On
//     every path a temporary is written before it is read.
//  4. Words hold 32 bits, unsigned, as the kernel's u32: a load gives 0..0xffffffff, and values
//     that are stored, compared or added are taken modulo 2^32. Registers are 64 bits, signed, and
//     their arithmetic wraps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace futexmc::scenario {

/// A place in the source text, for messages and for traces. Lines and columns count from 1.
struct Place {
  int line = 0;
  int column = 0;
  bool operator==(const Place&) const = default;
};

/// Memory order of a user-space atomic; `full` (sequentially consistent) when none is written.
enum class UserOrder : std::uint8_t { relaxed, acquire, release, full };

/// One instruction. `dst`, `a`, `b`, `c` name registers unless the comment says otherwise.
enum class Op : std::uint8_t {
  statement,  ///< start of a statement; `value` is its source line
  constant,   ///< dst = value
  move,       ///< dst = a
  add, subtract, multiply, bit_and, bit_or, bit_xor,        ///< dst = a OP b
  equal, not_equal, less, less_equal, greater, greater_equal,  ///< dst = a OP b (0 or 1)
  logical_not, negate,                                       ///< dst = OP a
  jump,          ///< continue at instruction `value`
  jump_if_zero,  ///< continue at instruction `value` when a == 0
  load,          ///< dst = word `object`
  store,         ///< word `object` = a
  exchange,      ///< dst = xchg(word `object`, a)
  compare_exchange,  ///< dst = previous value; word `object` becomes b if it was a
  fetch_add,     ///< dst = previous value of word `object`, which grows by a
  // Futex calls: dst = the call's result; `flags` and `raw`; words are `object` and `more`.
  futex_wait,    ///< futex_wait(word, val a); bitset in `value`
  futex_wake,    ///< futex_wake(word, nr a); bitset in `value`
  futex_requeue,      ///< word, nr_wake a, nr_requeue b, second word
  futex_cmp_requeue,  ///< word, nr_wake a, nr_requeue b, second word, val c
  futex_wake_op,      ///< word, nr_wake a, nr_wake2 b, second word; FUTEX_OP() in `value`
  futex_waitv,        ///< `operands` words and their values in a, b, c, d; see waiter_flags()
  futex2_wait,     ///< sys_futex_wait: word, val a; bitset in `value`, flags in `raw`
  futex2_wake,     ///< sys_futex_wake: word, nr a; the same
  futex2_requeue,  ///< sys_futex_requeue: word, val a, second word, nr_wake b, nr_requeue c
  futex_lock_pi, futex_lock_pi2, futex_trylock_pi, futex_unlock_pi,  ///< word
  futex_wait_requeue_pi,  ///< word, val a, second word
  futex_cmp_requeue_pi,   ///< word, nr_wake a, nr_requeue b, second word, val c
  set_slots,     ///< dst = prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS, a)
  get_slots,     ///< dst = prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_GET_SLOTS)
  clone,         ///< dst = clone() of thread `object`: 0, or a negative error; -EAGAIN if it
                 ///< has been cloned before, as a thread runs once
  gettid,        ///< dst = the thread's id, see tid_of()
  settle,        ///< wait until every other thread has finished or cannot run
  end,           ///< the thread exits
};

/// Flags of futex calls.
inline constexpr std::uint8_t kTimeout = 1;  ///< a timer is armed; it may expire at any moment
inline constexpr std::uint8_t kShared = 2;   ///< not FUTEX_PRIVATE_FLAG: the key is shared
inline constexpr std::uint8_t kBadTimeout = 8;  ///< the timeout is no time: nanoseconds of -1
inline constexpr std::uint8_t kBitset = 4;   ///< a bitset is given: FUTEX_{WAIT,WAKE}_BITSET

inline constexpr int kMaxOperands = 4;  ///< registers that one call reads
inline constexpr int kMaxWaiters = 4;   ///< words that one futex_waitv() waits on

struct Instruction {
  Op op = Op::end;
  std::uint8_t dst = 0;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint8_t c = 0;
  std::uint8_t d = 0;
  std::uint8_t operands = 0;  ///< of a call: how many of a, b, c, d it reads
  std::uint8_t object = 0;  ///< index into Scenario::words or Scenario::threads
  std::array<std::uint8_t, kMaxWaiters - 1> more{};  ///< further words
  std::uint8_t flags = 0;
  UserOrder order = UserOrder::full;
  std::uint32_t raw = 0;  ///< `flags N`: bits for the kernel, as they are
  std::int64_t value = 0;

  /// Register i of those that a call reads, 0 to kMaxOperands - 1.
  std::uint8_t operand(int i) const { return i == 0 ? a : i == 1 ? b : i == 2 ? c : d; }
  void set_operand(int i, std::uint8_t reg) {
    if (i == 0) a = reg;
    else if (i == 1) b = reg;
    else if (i == 2) c = reg;
    else d = reg;
  }
  /// Word i of a call, 0 to kMaxWaiters - 1.
  std::uint8_t word(int i) const {
    return i == 0 ? object : more[static_cast<std::size_t>(i - 1)];
  }
};

inline constexpr bool is_call(Op op) { return op >= Op::futex_wait && op <= Op::gettid; }

/// The operations of kernel/futex/pi.c and of requeue to a PI word.
inline constexpr bool is_pi(Op op) {
  return op >= Op::futex_lock_pi && op <= Op::futex_cmp_requeue_pi;
}

/// struct futex_waitv's flags of waiter i, 16 bits of Instruction::value each.
inline constexpr std::uint32_t waiter_flags(const Instruction& in, int i) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(in.value) >> (16 * i)) & 0xffff;
}

/// The id of thread i, which PI words hold: what gettid() gives and tid(t) means.
inline constexpr std::int64_t tid_of(int thread) { return thread + 1; }

/// FUTEX2_* flags of a waiter or call that says nothing else: a private word of 32 bits.
inline constexpr std::uint32_t kFutex2Size32 = 2;
inline constexpr std::uint32_t kFutex2Private = 128;

inline constexpr int kMaxRegisters = 24;
inline constexpr int kMaxThreads = 6;
inline constexpr int kMaxWords = 8;
inline constexpr int kMaxCpus = 8;
inline constexpr int kMinPriority = 1;  ///< as of SCHED_FIFO
inline constexpr int kMaxPriority = 99;
inline constexpr int kMaxSlots = 8;  ///< of `hash private(n)` and of the sizing constants

/// Where a word is. User space does not use it itself unless it is an ordinary one.
enum class Mapping : std::uint8_t { ordinary, unmapped, misaligned };

/// A word that threads share.
struct Word {
  std::string name;
  std::int64_t initial = 0;
  bool futex = true;  ///< declared with `word` (may be waited on) rather than `var`
  Mapping mapping = Mapping::ordinary;
};

struct Thread {
  std::string name;
  std::vector<std::string> registers;  ///< the declared ones; register i of the code is name i
  int register_count = 0;              ///< declared ones and temporaries together
  int counter_begin = 0;               ///< repeat counters occupy [counter_begin, counter_end)
  int counter_end = 0;
  std::vector<Instruction> code;
  std::optional<int> cpu;  ///< pinned start CPU; otherwise the thread's own CPU, modulo `cpus`
  bool cloned = false;     ///< does not run until another thread clones it
  bool may_sleep = false;  ///< asleep in a futex wait at the end is not a lost wakeup
  int priority = kMinPriority;  ///< the higher goes first, with Scenario::strict
};

/// What becomes of a call that a signal interrupts: a handler runs and the call fails, a handler of
/// SA_RESTART runs, or no handler does, as after a stop and a continue.
enum class Signals : std::uint8_t { interrupt, restart, stop };

/// Which hash private keys use at the start.
struct Hash {
  enum class Kind : std::uint8_t { none, global, private_ } kind = Kind::none;
  int slots = 0;  ///< of a private hash
  bool operator==(const Hash&) const = default;
};

/// How many events of each kind the environment may inject; each is a choice of the search.
struct Budgets {
  int spurious = 0;    ///< wakeups of a sleeping task that nobody asked for
  int signal = 0;      ///< signals sent to a task
  int fault = 0;       ///< user accesses that fault once and succeed when retried
  int migrate = 0;     ///< moves of a running task to another CPU
  int alloc_fail = 0;  ///< kernel allocations that return NULL
  int reuse = 0;       ///< allocations that may return the address of a freed object
  bool operator==(const Budgets&) const = default;
};

/// The constants of the kernel's default sizing formula:
/// clamp(roundup_pow_of_two(per_thread * min(threads, online CPUs)), minimum, maximum).
struct Sizing {
  int minimum = 2;
  int per_thread = 1;
  int maximum = 4;
  bool operator==(const Sizing&) const = default;
};

/// A condition on a state in which no thread can run, as an expression in postfix order.
struct Condition {
  enum class Kind : std::uint8_t { finally, never, sometimes } kind = Kind::finally;
  enum class Term : std::uint8_t {
    constant,   ///< push value
    word,       ///< push word `object`
    reg,        ///< push register `value` of thread `object`
    asleep,     ///< push 1 if thread `object` sleeps in a futex wait
    finished,   ///< push 1 if thread `object` has finished
    slots,      ///< push what GET_SLOTS would return
    tid,        ///< push the id of thread `object`
    add, subtract, multiply, bit_and, bit_or, bit_xor,
    equal, not_equal, less, less_equal, greater, greater_equal,
    logical_and, logical_or, logical_not, negate,
  };
  struct Item {
    Term term = Term::constant;
    int object = 0;
    std::int64_t value = 0;
  };
  std::vector<Item> postfix;
  std::string text;  ///< the expression in canonical form, without `finally` and the like
  Place place;       ///< of the keyword
};

struct Scenario {
  std::string name;   ///< file name without directory and extension
  std::string title;
  std::string text;   ///< the whole source; valid UTF-8 without control characters
  std::vector<Word> words;
  Hash hash;
  Sizing sizing;
  Budgets budgets;
  int cpus = 0;       ///< 0: one for each thread
  bool strict = false;  ///< of the threads on a CPU only one of the highest priority runs
  Signals signals = Signals::interrupt;
  std::vector<std::array<int, 2>> collisions;  ///< pairs of words that share a bucket at any size
  std::vector<Thread> threads;
  std::vector<Condition> conditions;
};

}  // namespace futexmc::scenario
