// SPDX-License-Identifier: GPL-2.0-or-later
//
// One run of each thread as a C litmus test: the events of the graph as calls of the kernel's
// primitives, one after another.
//
//   values         the test's condition says what each register that the runs depend on is
//   control        what a branch controls is in an `if` on the register
//   address, data  by adding (r ^ r)
//   locks          mutexes are spinlocks, too
//
// Numbers are those of the model where they are small; pointers and LONG_MAX are replaced.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/proofs/lkmm/litmus.hpp"
#include "properties/proofs/memory/events.hpp"

namespace futexmc::properties::proofs::memory {

/// Writes the threads one by one. Throws std::runtime_error for an event that has no such form.
class LitmusCode {
 public:
  /// `events` are those of `paths` in `recording`. All must outlive this.
  LitmusCode(const Recording& recording, const std::vector<Path>& paths, const Events& events);

  /// Without a name and comments on the whole. The condition: every thread takes its path, with the
  /// end that it has, and the outcome holds, which is about final values.
  futexmc::proofs::lkmm::litmus::Program program(const z3::expr& outcome);
  /// What the numbers of the printed program stand for that are not the model's, a line each.
  std::vector<std::string> legend(const std::string& text) const;
  /// What the path says of a value that is read, in words; empty if it may be any.
  std::string choice(std::size_t thread, const Step& step) const;

 private:
  using Expression = futexmc::proofs::lkmm::litmus::Expression;
  using Statement = futexmc::proofs::lkmm::litmus::Statement;
  using Condition = futexmc::proofs::lkmm::litmus::Condition;
  using Id = futexmc::proofs::lkmm::Id;
  /// What a register is on the path: one of the values, or none of them.
  struct Test {
    bool equal = true;
    std::vector<std::int64_t> values;
  };
  /// A statement, and what it depends on.
  struct Line {
    Statement statement;
    std::vector<Id> control;
    bool anywhere = false;  ///< branches make no difference to it
  };

  [[noreturn]] void fail(const char* what) const;
  void write_thread(std::size_t thread);
  void write_node(std::size_t at, std::optional<std::size_t> group);
  void write_event(Id id, std::optional<std::size_t> group);
  void write_read(Id id);
  void write_write(Id id, std::optional<std::size_t> group);
  void write_update(Id read, std::optional<std::size_t> group);
  Expression conditional_update(const Node& node, Id id);
  Expression update(const Group& group, Id id, bool silent);
  std::optional<Test> test_of(const Node& node, std::optional<std::size_t> group) const;
  void keep_path(Id read, std::optional<std::size_t> group);
  void add(Statement statement, Id id, bool anywhere = false);
  std::vector<Statement> nested(const std::vector<Line>& lines);
  Expression test(Id read) const;

  std::string new_register(Id read);
  std::string place(Id id);
  std::string location(std::uint32_t cell);
  bool is_atomic(std::uint32_t cell) const { return atomics_.contains(cell); }
  Condition condition(const z3::expr& outcome);
  Condition final_equality(const z3::expr& a, const z3::expr& b);
  void add_numbers(std::uint64_t word, std::vector<std::int64_t>& to) const;
  std::int64_t shown(std::uint64_t word) const;
  std::int64_t number(Id id) const;
  const Node& node() const { return recording_.threads[thread_].nodes[at_]; }

  const Recording& recording_;
  const std::vector<Path>& paths_;
  const Events& events_;
  std::set<std::uint32_t> atomics_;
  std::set<std::uint32_t> locks_;
  std::map<Id, std::set<Id>> control_;  ///< by event: the reads whose branches it is in
  std::map<Id, std::set<Id>> address_;
  std::map<Id, std::set<Id>> data_;
  std::map<std::uint32_t, std::string> names_;  ///< of locations
  mutable std::map<std::uint64_t, std::int64_t> replaced_;
  std::vector<Condition> conditions_;
  std::set<std::uint32_t> asked_;  ///< cells that the outcome speaks of

  // Of the thread being written.
  std::size_t thread_ = 0;
  std::size_t at_ = 0;
  std::string function_;
  std::vector<Line> lines_;
  std::vector<Statement> declared_;
  std::set<std::uint32_t> used_;
  std::map<Id, std::string> registers_;
  std::map<Id, Test> tests_;
  std::set<Id> said_;  ///< updates whose register says whether they were done
};

}  // namespace futexmc::properties::proofs::memory
