// SPDX-License-Identifier: GPL-2.0-or-later
//
// The events of a few threads, as formulas: what a thread may read, write, fence and lock, each
// under a guard over the values read before. Whoever knows a program fills a Graph; model.hpp says
// which executions of it the kernel's memory model allows.
//
// Within a thread the order of creation is program order. Events of exclusive branches are all
// there, with guards that exclude each other; a guard holds in exactly the executions that perform
// its event.
//
// Invariants
//  1. Locations and values are bit vectors of one width, `bits`; a location may be stored as value.
//  2. A guard, a location or a value mentions only values of events created before.
//  3. A graph belongs to the context it was made with and must not outlive it.
//
// Thread safety: none; a context is for one thread of the program at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <z3++.h>

#include "properties/proofs/lkmm/logic.hpp"

namespace futexmc::proofs::lkmm {

enum class Kind : std::uint8_t { read, write, fence };

/// How an access is marked. `full` and `noreturn` are for the halves of a read-modify-write.
enum class Order : std::uint8_t { plain, once, acquire, release, full, noreturn };

enum class Fence : std::uint8_t {
  mb,
  rmb,
  wmb,
  barrier,
  before_atomic,
  after_atomic,
  after_spinlock,
  after_unlock_lock,
  rcu_lock,
  rcu_unlock,
  sync_rcu,
};

/// The part an access plays for a spinlock. `take` and `hold` are the read and the write of
/// spin_lock, `observe` a look at the lock that takes it only if it finds it free (or never).
enum class LockPart : std::uint8_t { none, take, hold, release, observe };

using Id = std::size_t;

struct Event {
  int thread = 0;
  Kind kind = Kind::fence;
  Order order = Order::once;
  Fence fence = Fence::barrier;
  LockPart lock = LockPart::none;
  bool atomic = false;          ///< half of a read-modify-write that is not a lock's
  bool can_fail = false;        ///< of an atomic's read: it may be without a write
  std::optional<Id> partner;    ///< of the write of a pair: its read
  z3::expr location;            ///< of a fence: zero
  z3::expr value;               ///< read or written; of a fence: zero
  z3::expr guard;
  std::string label;            ///< for the reader of an execution; may be empty
};

struct Dependency {
  Id from;        ///< a read
  Id to;          ///< later in its thread
  z3::expr when;  ///< true if always
};

/// The two events of a read-modify-write.
struct Pair {
  Id read;
  Id write;
};

class Graph {
 public:
  /// `bits`, 2 to 64, is the width of locations and values.
  explicit Graph(z3::context& context, unsigned bits = 32);

  z3::context& context() const { return logic_.context(); }
  const Logic& logic() const { return logic_; }
  z3::expr number(std::int64_t value) const;
  z3::expr always() const { return logic_.yes(); }

  /// The value of a location before any thread runs; zero if never said. `location` is a constant.
  void initial(const z3::expr& location, const z3::expr& value);

  Id read(int thread, Order order, const z3::expr& location, const z3::expr& guard);
  Id write(int thread, Order order, const z3::expr& location, const z3::expr& value,
           const z3::expr& guard);
  Id fence(int thread, Fence fence, const z3::expr& guard);

  /// The read of an atomic operation. `order` is that of the operation; if it `can_fail`, as
  /// cmpxchg can, it orders nothing in the executions without a write.
  Id atomic_read(int thread, Order order, const z3::expr& location, const z3::expr& guard,
                 bool can_fail);
  /// The write that goes with `read`. A read may have several of them, under exclusive guards.
  Id atomic_write(Id read, const z3::expr& value, const z3::expr& guard);

  /// spin_lock: waits until the lock is free, so executions that never get it do not count.
  Pair lock(int thread, const z3::expr& location, const z3::expr& guard);
  /// The same of a lock whose word, while it is free, says something: it is anything but `taken`
  /// that the lock was released with.
  Pair lock(int thread, const z3::expr& location, const z3::expr& taken, const z3::expr& guard);
  /// spin_trylock: the value read is zero if it got the lock, and only then the write happens.
  Pair trylock(int thread, const z3::expr& location, const z3::expr& guard);
  /// spin_is_locked: reads zero or one.
  Id is_locked(int thread, const z3::expr& location, const z3::expr& guard);
  /// Must follow a `lock` of the same location in its thread.
  Id unlock(int thread, const z3::expr& location, const z3::expr& guard) {
    return unlock(thread, location, number(0), guard);
  }
  Id unlock(int thread, const z3::expr& location, const z3::expr& value, const z3::expr& guard);

  void address(Id from, Id to) { address(from, to, always()); }
  void address(Id from, Id to, const z3::expr& when);
  void data(Id from, Id to) { data(from, to, always()); }
  void data(Id from, Id to, const z3::expr& when);
  void control(Id from, Id to) { control(from, to, always()); }
  void control(Id from, Id to, const z3::expr& when);

  /// Only executions in which `formula` holds count.
  void require(const z3::expr& formula) { required_.push_back(formula); }
  /// The value of a constant location after all threads have finished, for outcomes.
  z3::expr final_value(const z3::expr& location);

  /// Two events of one thread that no execution has both of, whatever their guards say of it.
  void set_exclusive(Id a, Id b);
  bool exclusive(Id a, Id b) const {
    return exclusive_.contains(a < b ? key(a, b) : key(b, a));
  }

  void label(Id event, std::string text) { events_.at(event).label = std::move(text); }

  std::size_t size() const { return events_.size(); }
  const Event& event(Id id) const { return events_.at(id); }
  z3::expr value(Id id) const { return events_.at(id).value; }
  z3::expr guard(Id id) const { return events_.at(id).guard; }

  const std::vector<Event>& events() const { return events_; }
  const std::vector<Dependency>& addresses() const { return address_; }
  const std::vector<Dependency>& datas() const { return data_; }
  const std::vector<Dependency>& controls() const { return control_; }
  const std::vector<z3::expr>& required() const { return required_; }
  /// Location and value, constant locations first said first.
  const std::vector<std::pair<z3::expr, z3::expr>>& initials() const { return initial_; }
  const std::vector<std::pair<z3::expr, z3::expr>>& finals() const { return final_; }

 private:
  static std::uint64_t key(Id a, Id b) { return (std::uint64_t{a} << 32U) | b; }
  Id add(Event event);
  Event access(int thread, Kind kind, Order order, const z3::expr& location,
               const z3::expr& guard) const;
  z3::expr unknown(const char* prefix) const;
  void depend(std::vector<Dependency>& list, Id from, Id to, const z3::expr& when);
  void check(const z3::expr& word) const;

  mutable Logic logic_;
  unsigned bits_;
  std::vector<Event> events_;
  std::vector<Dependency> address_;
  std::vector<Dependency> data_;
  std::vector<Dependency> control_;
  std::vector<z3::expr> required_;
  std::unordered_set<std::uint64_t> exclusive_;  ///< keys, the lesser first
  std::vector<std::pair<z3::expr, z3::expr>> initial_;
  std::vector<std::pair<z3::expr, z3::expr>> final_;
};

}  // namespace futexmc::proofs::lkmm
