// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cycle visits the threads in turn. In thread t it goes from an access A of location v<t> to an
// access B of v<t+1> by some link: a fence, a dependency, a lock, nothing. From B it goes to the
// next thread's A by communication: A reads what B wrote (rf), overwrites what B read (fr), or
// overwrites what B wrote (co).
#include "tests/litmus/code.hpp"
#include "tests/litmus/generate.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {
namespace {

enum class Edge : std::uint8_t { rf, fr, co };
enum class Flavour : std::uint8_t { fences, atomics, locks, rcu, plain, dependencies };

constexpr std::array<std::string_view, 8> kReads = {
    "READ_ONCE", "READ_ONCE", "READ_ONCE", "smp_load_acquire", "atomic_read", "rcu_dereference",
    "READ_ONCE", "atomic_read_acquire"};
constexpr std::array<std::string_view, 8> kWrites = {
    "WRITE_ONCE", "WRITE_ONCE", "WRITE_ONCE", "smp_store_release", "atomic_set", "smp_store_mb",
    "WRITE_ONCE", "rcu_assign_pointer"};
constexpr std::array<std::string_view, 5> kExchanges = {"xchg_relaxed", "xchg", "xchg_acquire",
                                                        "xchg_release", "xchg_relaxed"};
constexpr std::array<std::string_view, 5> kHops = {
    "atomic_inc", "atomic_fetch_inc_relaxed", "atomic_inc_return", "atomic_inc_return_relaxed",
    "atomic_fetch_inc_acquire"};

class Cycle {
 public:
  explicit Cycle(Random& random) : random_(random) {}

  Program run() {
    flavour_ = static_cast<Flavour>(random_.below(6));
    strong_ = random_.chance(40);
    // herd7 tries every order of the locks' sections, which are two a thread.
    const std::size_t more = flavour_ == Flavour::locks ? 1 : 2;
    const std::size_t threads = random_.chance(55) ? 2 : 3 + random_.below(more);
    for (std::size_t t = 0; t < threads; ++t) edges_.push_back(static_cast<Edge>(random_.below(3)));
    if (threads == 3 && strong_ && random_.chance(40)) {
      // What the first thread wrote goes through the second's hands to the third.
      edges_ = {Edge::rf, Edge::rf, Edge::fr};
    }
    pointers_.assign(threads, false);
    hops_.assign(threads, false);
    for (std::size_t t = 0; t < threads; ++t) prepare(t);
    for (std::size_t t = 0; t < threads; ++t) program_.threads.push_back(thread(t));
    for (std::size_t t = 0; t < threads; ++t) {
      if (hops_[t]) program_.threads.push_back(hop(t));
    }
    for (std::size_t t = 0; t < threads; ++t) expect(t);
    program_.condition = all_of(std::move(parts_));
    return std::move(program_);
  }

 private:
  std::size_t size() const { return edges_.size(); }
  std::size_t before(std::size_t t) const { return (t + size() - 1) % size(); }
  static std::string place(std::size_t t) { return "v" + std::to_string(t); }
  std::string first_place(std::size_t t) const { return place(t); }
  std::string second_place(std::size_t t) const { return place((t + 1) % size()); }
  bool first_reads(std::size_t t) const { return edges_[before(t)] == Edge::rf; }
  bool second_reads(std::size_t t) const { return edges_[t] == Edge::fr; }

  /// Decides what thread `t` needs of the one before it: a pointer to follow, or an atomic
  /// operation of a further thread between write and read.
  void prepare(std::size_t t) {
    if (!first_reads(t)) return;
    if (flavour_ == Flavour::dependencies && random_.chance(45)) pointers_[t] = true;
    if (flavour_ == Flavour::atomics && random_.chance(50) && size() < 4) hops_[t] = true;
    if (pointers_[t]) {
      Initial initial;
      initial.type = "int *";
      initial.name = first_place(t);
      initial.value = std::string("d");
      program_.initials.push_back(initial);
    }
  }

  /// The value that B of the thread before `t` writes for the first access of `t`.
  Expression written(std::size_t t) const {
    return pointers_[t] ? name(second_place(t)) : number(1);
  }

  void expect(std::size_t t) {
    const std::size_t next = (t + 1) % size();
    const int thread = static_cast<int>(t);
    switch (edges_[t]) {
      case Edge::rf: {
        Constant value = hops_[next] ? 2 : 1;
        if (pointers_[next]) value = second_place(next);
        parts_.push_back(equal(static_cast<int>(next), "r0", value));
        break;
      }
      case Edge::fr:
        parts_.push_back(equal(thread, "r1", 0));
        break;
      case Edge::co:
        parts_.push_back(equal(-1, place(next), 2));
        break;
    }
  }

  Thread hop(std::size_t t) {
    Thread result;
    result.parameters.push_back({"atomic_t *", first_place(t)});
    result.body.push_back(declare("int", "r2"));
    result.body.push_back(counted(random_.pick(kHops), first_place(t)));
    return result;
  }

  Thread thread(std::size_t t) {
    Thread result;
    for (std::size_t i = 0; i < size(); ++i) result.parameters.push_back({"int *", place(i)});
    result.parameters.push_back({"int *", "w" + std::to_string(t)});
    for (const char* extra : {"a", "d"}) result.parameters.push_back({"int *", extra});
    for (const char* lock : {"l", "m"}) result.parameters.push_back({"spinlock_t *", lock});
    result.body.push_back(declare(pointers_[t] ? "int *" : "int", "r0"));
    for (const char* reg : {"r1", "r2"}) result.body.push_back(declare("int", reg));
    append(result.body, linked(t));
    return result;
  }

  Statement first(std::size_t t) {
    const std::string x = first_place(t);
    if (first_reads(t)) return reading("r0", x);
    // The last write of the location if the cycle says so.
    const std::int64_t value = edges_[before(t)] == Edge::co ? 2 : 1;
    return writing(x, number(value));
  }

  Statement second(std::size_t t) { return second(t, written((t + 1) % size())); }
  Statement second(std::size_t t, Expression value) {
    const std::string pointer = pointers_[t] ? "r0" : second_place(t);
    if (second_reads(t)) return reading("r1", pointer);
    return writing(pointer, std::move(value));
  }

  /// Plain accesses go mostly to locations that carry data, and less to those that are read to
  /// know that the data is there.
  bool plainly(const std::string& pointer) {
    if (flavour_ != Flavour::plain) return false;
    for (std::size_t t = 0; t < size(); ++t) {
      if (second_place(t) == pointer) return random_.chance(edges_[t] == Edge::rf ? 12 : 70);
    }
    return false;
  }

  Statement reading(const char* reg, const std::string& pointer) {
    if (plainly(pointer)) return assign(reg, load(pointer));
    if (flavour_ == Flavour::atomics && random_.chance(30)) {
      // Fails whatever it reads, and so orders nothing.
      if (random_.chance(50)) {
        return assign(reg, invoke("cmpxchg", {name(pointer), number(7), number(8)}));
      }
      return assign(reg, invoke("atomic_fetch_add_relaxed", {name(pointer), number(0)}));
    }
    return assign(reg, invoke(random_.pick(kReads), {name(pointer)}));
  }

  Statement writing(const std::string& pointer, Expression value) {
    if (plainly(pointer)) return store(pointer, std::move(value));
    if (flavour_ == Flavour::atomics && random_.chance(35)) {
      return assign("r2", invoke(random_.pick(kExchanges), {name(pointer), std::move(value)}));
    }
    return perform(random_.pick(kWrites), {name(pointer), std::move(value)});
  }

  /// An atomic operation without operand; herd7 wants a result to go somewhere.
  static Statement counted(std::string_view function, std::string place) {
    Expression call = invoke(function, {name(std::move(place))});
    return has_value(call.call) ? assign("r2", std::move(call)) : perform(std::move(call));
  }

  /// A, the link, and B.
  Code linked(std::size_t t) {
    switch (flavour_) {
      case Flavour::fences:
      case Flavour::plain: return fenced(t);
      case Flavour::atomics: return around_atomic(t);
      case Flavour::locks: return locked(t);
      case Flavour::rcu: return rcu(t);
      case Flavour::dependencies: return dependent(t);
    }
    return {};
  }

  Code fenced(std::size_t t) {
    static constexpr std::array<std::string_view, 8> kFences = {
        "smp_mb", "smp_mb", "smp_rmb", "smp_wmb", "smp_wmb", "smp_rmb", "barrier",
        "synchronize_rcu"};
    Code code = {first(t)};
    if (strong_ || (flavour_ == Flavour::plain && random_.chance(60))) return ordered(t);
    if (random_.chance(85)) code.push_back(perform(random_.pick(kFences)));
    code.push_back(second(t));
    return code;
  }

  /// By a fence that orders what the thread does, or by a release.
  Code ordered(std::size_t t) {
    const bool reads = first_reads(t) || second_reads(t);
    const bool both = first_reads(t) && second_reads(t);
    Code code = {first(t)};
    if (!second_reads(t) && random_.chance(60) && flavour_ != Flavour::plain) {
      const std::string pointer = second_place(t);
      code.push_back(
          perform("smp_store_release", {name(pointer), written((t + 1) % size())}));
      return code;
    }
    code.push_back(perform(both ? "smp_rmb" : reads ? "smp_mb" : "smp_wmb"));
    code.push_back(second(t));
    return code;
  }

  Code around_atomic(std::size_t t) {
    static constexpr std::array<std::string_view, 6> kBetween = {
        "atomic_inc", "atomic_fetch_inc", "atomic_inc_return_relaxed", "atomic_dec",
        "atomic_fetch_inc_acquire", "atomic_inc_return_release"};
    Code code = {first(t)};
    switch (random_.below(6)) {
      case 0: code.push_back(perform("smp_mb")); break;
      case 1: code.push_back(perform("smp_wmb")); break;
      case 2: code.push_back(perform("smp_rmb")); break;
      default:
        if (random_.chance(45)) code.push_back(perform("smp_mb__before_atomic"));
        if (random_.chance(80)) code.push_back(counted(random_.pick(kBetween), "a"));
        if (random_.chance(45)) code.push_back(perform("smp_mb__after_atomic"));
        break;
    }
    code.push_back(second(t));
    return code;
  }

  Code section(const char* lock, Statement inside, bool spin_fence) {
    Code code = {perform("spin_lock", {name(lock)})};
    if (spin_fence) code.push_back(perform("smp_mb__after_spinlock"));
    code.push_back(std::move(inside));
    code.push_back(perform("spin_unlock", {name(lock)}));
    return code;
  }

  /// Locks with the fences that make them full barriers.
  Code strongly_locked(std::size_t t, const char* lock) {
    Code code;
    switch (random_.below(3)) {
      case 0:
        code = {first(t)};
        append(code, section(lock, second(t), true));
        return code;
      case 1:
        code = section("l", first(t), false);
        append(code, {perform("spin_lock", {name(lock)}), perform("smp_mb__after_unlock_lock"),
                      second(t), perform("spin_unlock", {name(lock)})});
        return code;
      default:
        code = {first(t), perform("smp_mb"), second(t)};
        return code;
    }
  }

  Code locked(std::size_t t) {
    const char* lock = random_.chance(50) ? "l" : "m";
    Code code;
    if (strong_) return strongly_locked(t, lock);
    switch (random_.below(6)) {
      case 0:
        code = {first(t)};
        append(code, section(lock, second(t), random_.chance(50)));
        return code;
      case 1:
        code = section(lock, first(t), random_.chance(30));
        code.push_back(second(t));
        return code;
      case 2:
      case 3: {
        code = section("l", first(t), false);
        code.push_back(perform("spin_lock", {name(lock)}));
        if (random_.chance(35)) code.push_back(perform("smp_mb__after_unlock_lock"));
        code.push_back(second(t));
        code.push_back(perform("spin_unlock", {name(lock)}));
        return code;
      }
      case 4: {
        code = {perform("spin_lock", {name("l")}), first(t), second(t),
                perform("spin_unlock", {name("l")})};
        return code;
      }
      default: return fenced(t);
    }
  }

  Code rcu(std::size_t t) {
    Code code = {first(t)};
    switch (random_.below(5)) {
      case 0:
      case 1:
        code.insert(code.begin(), perform("rcu_read_lock"));
        code.push_back(second(t));
        code.push_back(perform("rcu_read_unlock"));
        return code;
      case 2:
      case 3:
        code.push_back(perform("synchronize_rcu"));
        break;
      default:
        code = {perform("rcu_read_lock"), code[0], perform("rcu_read_unlock"),
                perform("rcu_read_lock"), second(t), perform("rcu_read_unlock")};
        return code;
    }
    code.push_back(second(t));
    return code;
  }

  Code dependent(std::size_t t) {
    if (pointers_[t]) {
      Code code = {assign("r0", invoke("READ_ONCE", {name(first_place(t))}))};
      if (random_.chance(25)) code.push_back(perform("barrier"));
      code.push_back(second(t));
      return code;
    }
    if (!first_reads(t) || second_reads(t)) return fenced(t);
    Code code = {first(t)};
    std::string reg = "r0";
    if (random_.chance(35)) {
      // Through memory of its own, plainly.
      const std::string own = "w" + std::to_string(t);
      code.push_back(store(own, name("r0")));
      code.push_back(assign("r2", load(own)));
      reg = "r2";
    }
    Expression wanted = written((t + 1) % size());
    if (random_.chance(50) || wanted.kind == Expression::Kind::name) {
      Statement body = second(t, wanted);
      if (random_.chance(25)) {
        code.push_back(branch(apply(Operator::equal, name(reg), number(1)), {perform("barrier")}));
        code.push_back(std::move(body));
      } else {
        code.push_back(branch(apply(Operator::equal, name(reg), number(1)), {std::move(body)}));
      }
    } else {
      Expression zero = apply(Operator::bit_and, name(reg), number(0));
      code.push_back(second(t, apply(Operator::add, std::move(zero), std::move(wanted))));
    }
    return code;
  }

  Random& random_;
  Program program_;
  Flavour flavour_ = Flavour::fences;
  bool strong_ = false;  ///< fences and locks that order all that they are between
  std::vector<Edge> edges_;
  std::vector<bool> pointers_;  ///< per thread: its first access reads the pointer it follows
  std::vector<bool> hops_;      ///< per thread: an atomic operation before its first access
  std::vector<Condition> parts_;
};

}  // namespace

Program generate_cycle(Random& random) { return Cycle(random).run(); }

}  // namespace futexmc::proofs::lkmm::litmus::testing
