// SPDX-License-Identifier: GPL-2.0-or-later
//
// The source-level tree of a scenario: what the author wrote, before any name is looked up.
//
// Nodes are plain values. Two trees compare equal when they mean the same text up to white space,
// comments, redundant parentheses and the order of top-level items: places never take part in a
// comparison (see Mark), so `parse_source(print(tree)) == tree` is a property worth testing.
//
// Whoever builds a tree by hand keeps to what the parser gives: constants are never negative (use
// Unary::negate), and a title has no quote and no line break.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario/program.hpp"

namespace futexmc::scenario::ast {

/// A place that is equal to every other, so that trees compare by meaning.
struct Mark : Place {
  constexpr Mark() = default;
  // Implicit, as a Mark is a Place. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Mark(Place place) : Place(place) {}
  friend constexpr bool operator==(const Mark&, const Mark&) { return true; }
};

struct Name {
  std::string text{};
  Mark at{};
  bool operator==(const Name&) const = default;
};

/// A constant operand of a declaration or setting; may be negative here, and is then refused.
struct Constant {
  std::int64_t value = 0;
  Mark at{};
  bool operator==(const Constant&) const = default;
};

enum class Unary : std::uint8_t { negate, logical_not };

/// In the order of kOperators (vocabulary.hpp).
enum class Binary : std::uint8_t {
  logical_or, logical_and, bit_or, bit_xor, bit_and, equal, not_equal,
  less, less_equal, greater, greater_equal, add, subtract, multiply,
};

/// A trailing word of a call's argument list: `timeout`, `shared`, `bitset N`, `flags N` or a
/// memory order.
struct Option {
  enum class Kind : std::uint8_t { timeout, shared, bitset, flags, order } kind = Kind::timeout;
  Constant number{};  ///< of Kind::bitset and Kind::flags; of Kind::timeout 1 if it is invalid
  UserOrder order = UserOrder::full;   ///< of Kind::order
  /// In a call of pairs, how many arguments stand before it; 0 in others, where that is all.
  std::uint8_t after = 0;
  Mark at{};
  bool operator==(const Option&) const = default;
};

struct Expr {
  enum class Kind : std::uint8_t { constant, name, member, unary, binary, call };
  Kind kind = Kind::constant;
  Mark at{};                      ///< of a binary expression: its operator
  std::int64_t value = 0;       ///< of a constant
  Name name{};                    ///< name, function, thread of a member, or a constant's own name
  Name member{};                  ///< the register in `thread.register`
  Unary unary = Unary::negate;
  Binary binary = Binary::add;
  std::vector<Expr> operands{};
  std::vector<Option> options{};  ///< of a call
  bool operator==(const Expr&) const = default;
};

struct Statement {
  enum class Kind : std::uint8_t { declare, assign, evaluate, branch, loop, repeat, settle };
  Kind kind = Kind::settle;
  Mark at{};
  Name name{};                         ///< of declare and assign
  Expr expr{};                         ///< value or condition
  Constant count{};                    ///< of repeat
  std::vector<Statement> body{};
  std::vector<Statement> otherwise{};  ///< the `else` part; an empty one is none
  bool operator==(const Statement&) const = default;
};

struct Word {
  Name name{};
  Constant initial{};
  bool futex = true;  ///< `word` rather than `var`
  Mapping mapping = Mapping::ordinary;
  bool operator==(const Word&) const = default;
};

/// One `key value` of `sizing` or `budget`.
struct Setting {
  Name key{};
  Constant value{};
  bool operator==(const Setting&) const = default;
};

struct Hash {
  scenario::Hash::Kind kind = scenario::Hash::Kind::none;
  Constant slots{};
  bool operator==(const Hash&) const = default;
};

struct Thread {
  Name name{};
  std::optional<Constant> cpu{};
  std::optional<Constant> priority{};
  bool may_sleep = false;
  bool cloned = false;
  std::vector<Statement> body{};
  bool operator==(const Thread&) const = default;
};

struct Condition {
  scenario::Condition::Kind kind = scenario::Condition::Kind::finally;
  Expr expr{};
  Mark at{};
  bool operator==(const Condition&) const = default;
};

/// `scheduling strict` or `scheduling any`.
struct Scheduling {
  bool strict = false;
  bool operator==(const Scheduling&) const = default;
};

/// `signals interrupt`, `restart` or `stop`.
struct Signals {
  scenario::Signals kind = scenario::Signals::interrupt;
  bool operator==(const Signals&) const = default;
};

/// A whole scenario file.
struct File {
  std::optional<std::string> title{};
  std::vector<Word> words{};
  std::optional<Hash> hash{};
  std::optional<Constant> cpus{};
  std::optional<Scheduling> scheduling{};
  std::optional<Signals> signals{};
  std::vector<Setting> sizing{};
  std::vector<std::vector<Name>> collisions{};  ///< each at least two names
  std::vector<Setting> budgets{};
  std::vector<Thread> threads{};
  std::vector<Condition> conditions{};
  bool operator==(const File&) const = default;
};

}  // namespace futexmc::scenario::ast
