// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs small enough to know everything about, for tests of searches and of the minimiser.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "checker/lock.hpp"
#include "checker/program.hpp"

namespace futexmc::toys {

using checker::Cell;
using checker::Loc;
using checker::Order;

inline Cell<int>& cell_of(std::uint64_t address) {
  return *reinterpret_cast<Cell<int>*>(address);  // NOLINT(performance-no-int-to-ptr)
}
inline std::uint64_t address_of(const void* object) {
  return reinterpret_cast<std::uint64_t>(object);
}

/// Each thread adds one to a counter with a load and a store.
class LostUpdate final : public checker::Program {
 public:
  explicit LostUpdate(int threads) : threads_(threads) {}
  void build(checker::Builder& builder) override {
    counter_ = &builder.make<Cell<int>>("counter", "word");
    for (int i = 0; i < threads_; ++i) {
      builder.thread({"adder" + std::to_string(i), &add, address_of(counter_), false});
    }
  }
  void check_final(const checker::FinalState& /*state*/, checker::Monitor& monitor) override {
    if (counter_->peek() < threads_) monitor.violation("condition", "an update was lost");
  }

 private:
  static void add(std::uint64_t counter) {
    const int value = checker::load(cell_of(counter), Order::once);
    checker::store(cell_of(counter), value + 1, Order::once);
  }
  int threads_;
  Cell<int>* counter_ = nullptr;
};

/// Two threads take two locks in opposite order; a third only passes by.
class LockOrder final : public checker::Program {
 public:
  void build(checker::Builder& builder) override {
    self_ = this;
    locks_ = &builder.make<std::array<checker::Lock, 2>>("locks", "locks");
    word_ = &builder.make<Cell<int>>("word", "word");
    builder.thread({"ab", &take_both, 0, false});
    builder.thread({"ba", &take_both, 1, false});
    builder.thread({"bystander", &pass_by, address_of(word_), false});
  }

 private:
  static void take_both(std::uint64_t first) {
    auto& locks = *self_->locks_;
    locks[first].acquire("lock", Loc::here());
    locks[1 - first].acquire("lock", Loc::here());
    locks[1 - first].release("unlock", "lock", Loc::here());
    locks[first].release("unlock", "lock", Loc::here());
  }
  static void pass_by(std::uint64_t word) {
    checker::store(cell_of(word), 1, Order::once);
    checker::store(cell_of(word), 2, Order::once);
  }
  static inline LockOrder* self_ = nullptr;
  std::array<checker::Lock, 2>* locks_ = nullptr;
  Cell<int>* word_ = nullptr;
};

/// A reader faults if a word changes between two loads. A writer, an optional event and, if asked
/// for, an owed one change it.
class Changed final : public checker::Program {
 public:
  explicit Changed(bool owed) : owed_(owed) {}
  void build(checker::Builder& builder) override {
    Cell<int>& word = builder.make<Cell<int>>("word", "word");
    builder.thread({"reader", &read_twice, address_of(&word), false});
    builder.thread({"writer", &write, address_of(&word), false});
    builder.event({.name = "poke", .owed = false, .enabled = &is_zero, .fire = &poke,
                   .argument = address_of(&word)});
    if (!owed_) return;
    builder.event({.name = "tick", .owed = true, .enabled = &is_zero, .fire = &poke,
                   .argument = address_of(&word)});
  }

 private:
  static bool is_zero(std::uint64_t word) { return cell_of(word).peek() == 0; }
  static void poke(std::uint64_t word) { cell_of(word).poke(2); }
  static void write(std::uint64_t word) { checker::store(cell_of(word), 1, Order::once); }
  static void read_twice(std::uint64_t word) {
    const int first = checker::load(cell_of(word), Order::once);
    const int second = checker::load(cell_of(word), Order::once);
    if (first != second) checker::fault("race", {"the word changed"});
  }
  bool owed_;
};

/// Declares a word protected by a lock that it does not take, and faults if the word is overwritten
/// between its store and its second load.
class Undisciplined final : public checker::Program {
 public:
  void build(checker::Builder& builder) override {
    self_ = this;
    lock_ = &builder.make<checker::Lock>("lock", "lock");
    word_ = &builder.make<Cell<int>>("word", "word");
    builder.name(*word_, "value");
    builder.thread({"one", &run, 1, false});
    builder.thread({"other", &run, 2, false});
  }

 private:
  static void run(std::uint64_t by) {
    const int before = checker::load(*self_->word_, Order::once);
    checker::store_under(*self_->lock_, *self_->word_, static_cast<int>(by));
    if (before != 0) return;
    if (checker::load(*self_->word_, Order::once) != static_cast<int>(by)) {
      checker::fault("race", {"the word was overwritten"});
    }
  }
  static inline Undisciplined* self_ = nullptr;
  checker::Lock* lock_ = nullptr;
  Cell<int>* word_ = nullptr;
};

/// Three threads of two random instructions each on two words and a lock, and two events.
class Random final : public checker::Program {
 public:
  explicit Random(unsigned seed) {
    std::mt19937 random(seed);
    for (auto& thread : code_) {
      for (Instruction& instruction : thread) instruction = draw(random);
    }
    event_on_ = random() % 2;
    bad_ = static_cast<int>(random() % 2);
  }
  void build(checker::Builder& builder) override {
    self_ = this;
    words_ = &builder.make<std::array<Cell<int>, 2>>("words", "words");
    lock_ = &builder.make<checker::Lock>("lock", "lock");
    for (std::uint64_t i = 0; i < code_.size(); ++i) {
      builder.thread({"thread" + std::to_string(i), &run, i, false});
    }
    const std::uint64_t word = address_of(&(*words_)[event_on_]);
    builder.event({.name = "signal", .owed = false, .enabled = &is_one, .fire = &clear,
                   .argument = word});
    builder.event({.name = "timer", .owed = true, .enabled = &is_two, .fire = &clear,
                   .argument = word});
  }
  void check_state(checker::Monitor& monitor) override {
    if ((*words_)[0].peek() == 2 && (*words_)[1].peek() == bad_) {
      monitor.violation("invariant", "the words disagree");
    }
  }
  void check_final(const checker::FinalState& state, checker::Monitor& monitor) override {
    Program::check_final(state, monitor);
    if ((*words_)[1].peek() == 1) monitor.violation("condition", "the second word is one");
  }

 private:
  enum class Kind : std::uint8_t { load, store, choose, locked, wait };
  struct Instruction {
    Kind kind = Kind::load;
    std::size_t word = 0;
    int value = 0;
  };

  static Instruction draw(std::mt19937& random) {
    return {static_cast<Kind>(random() % 5), random() % 2, static_cast<int>(1 + random() % 2)};
  }
  static bool is_one(std::uint64_t word) { return cell_of(word).peek() == 1; }
  static bool is_two(std::uint64_t word) { return cell_of(word).peek() == 2; }
  static void clear(std::uint64_t word) { cell_of(word).poke(0); }

  static void run(std::uint64_t id) {
    int seen = 0;
    for (const Instruction& instruction : self_->code_[id]) seen += self_->execute(instruction);
    if (seen == 3) checker::fault("sum", {"a thread saw three"});
  }
  int execute(const Instruction& instruction) {
    Cell<int>& word = (*words_)[instruction.word];
    switch (instruction.kind) {
      case Kind::load: return checker::load(word, Order::once);
      case Kind::store: checker::store(word, instruction.value, Order::once); return 0;
      case Kind::choose: return choose(word);
      case Kind::locked: return locked(word);
      case Kind::wait: wait(word); return 0;
    }
    return 0;
  }
  static int choose(Cell<int>& word) {
    auto op = checker::operation("choose", word, checker::Access::read, Order::once, Loc::here());
    op.alternatives = 2;
    checker::announce(op);
    return checker::remember(static_cast<int>(checker::chosen()));
  }
  int locked(Cell<int>& word) {
    lock_->acquire("lock", Loc::here());
    const int value = checker::load(word, Order::once);
    checker::store(word, value + 1, Order::once);
    lock_->release("unlock", "lock", Loc::here());
    return value;
  }
  static void wait(Cell<int>& word) {
    auto op = checker::operation("wait", word, checker::Access::read, Order::once, Loc::here());
    op.guard = {.value = 0, .cell = word.index(), .kind = checker::Guard::Kind::equal};
    checker::announce(op);
    checker::remember_done();
  }

  static inline Random* self_ = nullptr;
  std::array<std::array<Instruction, 2>, 3> code_{};
  std::size_t event_on_ = 0;
  int bad_ = 0;
  std::array<Cell<int>, 2>* words_ = nullptr;
  checker::Lock* lock_ = nullptr;
};

}  // namespace futexmc::toys
