// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a thread of the program under test runs: on a fiber, from one visible operation to the next.
//
// A thread announces each visible operation and yields to the scheduler, which resumes it when the
// search has decided that this thread goes next. The operation then takes effect at once.
//
// Invariants
//  1. Between two yields a thread changes shared memory only through the arena's write_cell().
//  2. A thread is deterministic: what it does next depends on what its operations returned. The
//     hash of those results is its identity (see scope.hpp for what may be forgotten).
//  3. An abandoned thread runs no destructors: nothing on a fiber's stack may own a resource.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "checker/arena.hpp"
#include "checker/hash.hpp"

namespace futexmc::checker {

/// Where in the code under test something happens. As a default argument it names the caller.
struct Loc {
  const char* function;
  const char* file;
  int line;
  static constexpr Loc here(const char* f = __builtin_FUNCTION(), const char* p = __builtin_FILE(),
                            int l = __builtin_LINE()) {
    return {f, p, l};
  }
};

/// Memory ordering of an access, in the kernel's terms. Exploring is sequentially consistent and
/// ignores it; it is what a weaker memory or a proof goes by.
enum class Order : std::uint8_t { plain, once, relaxed, acquire, release, full };

/// Lipton's classes: what an operation commutes with. `right` (a lock taken) commutes to the right
/// of other threads' operations, `left` (a lock released) to the left, `both` both ways.
enum class Mover : std::uint8_t { none, right, left, both };

inline constexpr std::uint32_t kNoCell = ~0U;
inline constexpr std::uint64_t kEverything = ~0ULL;

/// A bit for the cell in the footprints that decide independence; cells may share one, which costs
/// reduction but not soundness.
constexpr std::uint64_t footprint(std::uint32_t cell) {
  return cell == kNoCell ? 0 : 1ULL << ((cell * 0x9E3779B1U) >> 26);
}

/// When a pending operation can take effect.
struct Guard {
  enum class Kind : std::uint8_t {
    always,
    equal,      ///< cell == value
    not_equal,  ///< cell != value
    call,       ///< function(value)
    settled,    ///< no other thread and no owed event can go
  };
  std::uint64_t value = 0;
  bool (*function)(std::uint64_t) = nullptr;
  std::uint32_t cell = kNoCell;
  Kind kind = Kind::always;
};

/// What an operation's name does not say of its access to `cell`: Operation::access.
inline constexpr std::uint8_t kReadModifyWrite = 1;  ///< atomic; a write without it only stores
inline constexpr std::uint8_t kPointer = 2;  ///< what it loads is an address to be followed
inline constexpr std::uint8_t kReads = 4;    ///< a plain write of what depends on the old value
inline constexpr std::uint8_t kBarrierBefore = 8;  ///< a full barrier, whatever the access finds
// With or without a cell:
inline constexpr std::uint8_t kSectionBegin = 16;  ///< of a section that grace periods wait for
inline constexpr std::uint8_t kSectionEnd = 32;
inline constexpr std::uint8_t kGracePeriod = 64;  ///< begins and ends while the thread waits

/// A visible operation as announced.
struct Operation {
  const char* name = "";  ///< "spin_lock"; a string literal
  Loc loc{};
  std::uint32_t cell = kNoCell;  ///< what it acts on; checked to be alive
  Mover mover = Mover::none;
  Order order = Order::plain;
  std::uint8_t alternatives = 1;  ///< outcomes among which the search chooses
  std::uint8_t access = 0;        ///< kReadModifyWrite and the others above
  std::uint64_t reads = 0;        ///< footprint
  std::uint64_t writes = 0;
  Guard guard{};
};

class Scope;
class Coverage;
class Program;

enum class Status : std::uint8_t { ready, finished, faulted };

/// A thread's record, in the arena just above its stack. Saved with the live stack before a step.
struct Thread {
  boost::context::detail::fcontext_t context;
  Hash128 history;
  Hash128 hash;     ///< Machine::thread_hash() after its last step
  Scope* scope;       ///< innermost function, on the thread's own stack
  Operation pending;  ///< what it does when it goes next
  Status status;
  bool post_phase;           ///< Lipton: the transition is past its commit point
  std::uint8_t alternative;  ///< the search's choice for `pending`
  bool begun;  ///< has performed an operation; kept while races are looked for
};
static_assert(sizeof(Thread) <= kThreadRecordSize && kThreadRecordSize % 16 == 0);

inline Thread& thread_record(std::size_t id) {
  const std::uintptr_t at = kArenaBase + kStacksOffset + (id + 1) * kStackSize - kThreadRecordSize -
                             id * kStackStagger;
  return *reinterpret_cast<Thread*>(at);  // NOLINT(performance-no-int-to-ptr)
}

/// One executed operation, for traces.
struct Step {
  int agent = 0;  ///< thread, or number of threads + event
  std::uint8_t alternative = 0;
  std::uint8_t alternatives = 1;
  std::string operation;  ///< "spin_lock", or the event's name
  std::string object;     ///< "hb0.lock"; empty where it acts on no cell
  std::string function;   ///< of the program under test
  std::vector<std::string> calls;  ///< functions on the thread's stack, outermost first
  std::string file;
  int line = 0;
  std::uint64_t before = 0, after = 0;  ///< the cell, around the operation
  std::uint64_t result = 0;
  bool has_result = false;
  bool wrote = false;
  std::string note;  ///< a violation found during this step
};

/// Told of violations as they happen.
class Monitor {
 public:
  virtual ~Monitor() = default;
  /// `property` is violated in the state or operation at hand. `message` is part of the failure's
  /// signature: it names functions and objects, no counts and no addresses.
  virtual void violation(std::string_view property, std::string_view message) = 0;
  /// A cell declared to be protected by a lock was used without it: movers cannot be trusted.
  virtual void discipline_broken(std::uint32_t cell) = 0;
  /// The program under test has run into a bound of its own, which `what` names: the search cannot
  /// be complete.
  virtual void bound_reached(std::string_view /*what*/) {}
};

/// Which stores others may see late: none, or those that wait in a store buffer
/// (store_buffer.hpp). Weaker memory is the proofs' business.
enum class Memory : std::uint8_t { sc, tso };

/// State of the one search that runs in this process. Outside the arena: a restore leaves it alone.
struct Runtime {
  Thread* current = nullptr;
  std::size_t current_id = 0;
  std::uint64_t reads = 0;  ///< footprint of the transition so far
  std::uint64_t writes = 0;
  std::uint32_t operations = 0;  ///< of the transition so far
  bool movers = false;           ///< fuse operations into transactions
  bool scoped = true;            ///< scopes forget; off for the reference identity
  std::uint32_t buffers = 0;     ///< first cell of the store buffers; 0 without any
  std::uint32_t races = 0;       ///< first cell of the race clocks; 0 unless races are looked for
  std::uint64_t conflicts = 0;   ///< pairs of conflicting accesses seen since the last reset
  Program* program = nullptr;    ///< under test
  boost::context::detail::fcontext_t scheduler = nullptr;
  Monitor* monitor = nullptr;
  std::vector<Step>* recorder = nullptr;
  Coverage* coverage = nullptr;
  std::uint32_t recorded_cell = kNoCell;  ///< of the operation recorded last
};
extern Runtime rt;

/// A transition longer than this yields, so that a loop of movers cannot hang the search.
inline constexpr std::uint32_t kMaxOperationsPerTransition = 4096;

/// The function that a suspended thread is in: its innermost scope, else where it announced from.
const char* function_of(const Thread& thread);

/// Gives up the processor; returns when the search resumes the thread.
inline void switch_to_scheduler() {
  rt.scheduler = boost::context::detail::jump_fcontext(rt.scheduler, nullptr).fctx;
}

/// The pieces of a message, joined where no fiber's stack owns the result.
using Pieces = std::initializer_list<std::string_view>;
/// Reports a violation and goes on.
void report(std::string_view property, Pieces pieces);
/// Reports a violation and stops the thread for good: what it would do next means nothing.
[[noreturn]] void fault(std::string_view property, Pieces message);
/// Stops the thread because the model can go no further, which is nobody's fault.
[[noreturn]] void stop_at_bound(std::string_view what);
/// A dead object was about to be used.
[[noreturn]] void fault_dead(const Operation& operation);

void record_operation(const Operation& operation);
void note_coverage(const Operation& operation);
void note_race_access(const Operation& operation);  // races.hpp
void record_result(std::uint64_t result, bool has_result);

// The thread at hand and its store buffer, when there are buffers: see store_buffer.hpp.
std::uint64_t forwarded(std::uint32_t cell);
bool is_buffered(std::uint32_t cell);
void buffer_store(std::uint32_t cell, std::uint64_t value, bool hashed);
void drain_own_stores();
/// A locked instruction: what the thread has stored becomes visible first.
inline void drain_stores() {
  if (rt.buffers != 0) [[unlikely]] drain_own_stores();
}
/// What the thread at hand sees in the cell.
inline std::uint64_t seen_word(std::uint32_t cell) {
  if (rt.buffers != 0) [[unlikely]] return forwarded(cell);
  return cells()[cell];
}

/// What announce() does when the operation's turn has come; `fresh` if it waited for it.
inline void account(Thread& thread, bool fresh) {
  const Operation& op = thread.pending;
  rt.reads |= op.reads;
  rt.writes |= op.writes;
  ++rt.operations;
  // Without fusing the phase says nothing and must not tell states apart.
  if (op.mover == Mover::right) {
    if (fresh && rt.movers) thread.post_phase = false;
  } else if (op.mover != Mover::both) {
    thread.post_phase = true;
  }
  if (op.cell != kNoCell && arena.layout.dead(op.cell)) fault_dead(op);
  if (op.order == Order::full) drain_stores();
  if (rt.recorder != nullptr) [[unlikely]] record_operation(op);
  if (rt.coverage != nullptr) [[unlikely]] note_coverage(op);
  if (rt.races != 0) [[unlikely]] note_race_access(op);
}

/// Whether the thread must yield before `op`: always without movers, else where a transaction ends.
/// One that may have to wait ends it even if it could go at once: while the thread holds one lock
/// and is about to take a second, another may take the second and come for the first.
inline bool yields_before(const Thread& thread, const Operation& op) {
  if (!rt.movers || op.alternatives > 1) return true;
  if (rt.operations >= kMaxOperationsPerTransition) return true;
  if (op.mover == Mover::both || op.mover == Mover::left) return false;
  return thread.post_phase || op.guard.kind != Guard::Kind::always;
}

/// Announces `op`, waits for its turn, and accounts for it. The caller then performs the effect
/// and passes the result to remember(). Works on the copy in the record, so that `op` need not
/// outlive the switch on the stack: what is on the stack is saved before each step.
[[gnu::always_inline]] inline void announce(const Operation& op) {
  Thread& thread = *rt.current;
  const bool yields = yields_before(thread, op);
  thread.pending = op;
  if (yields) switch_to_scheduler();
  account(*rt.current, yields);
}

/// Adds the result of the operation just performed to the thread's identity.
template <class T>
T remember(T result) {
  const std::uint64_t word = to_word(result);
  rt.current->history = append(rt.current->history, word);
  if (rt.recorder != nullptr) [[unlikely]] record_result(word, true);
  return result;
}
inline void remember_done() {
  rt.current->history = append(rt.current->history, 1);
  if (rt.recorder != nullptr) [[unlikely]] record_result(0, false);
}

/// Adds to the thread's identity what it has read of its own cells without an operation: a value
/// that lives on in its locals must be part of what identifies it.
inline void recall(std::uint64_t value) {
  rt.current->history = append(rt.current->history, value);
}

/// The alternative that the search chose for the operation at hand.
inline unsigned chosen() { return rt.current->alternative; }

}  // namespace futexmc::checker
