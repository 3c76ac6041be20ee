// SPDX-License-Identifier: GPL-2.0-or-later
//
// C litmus tests: the language in which the kernel's memory model is asked questions, as far as
// the kernel's own tests and herd7 use it. A test has initial values, threads of straight code and
// branches, and one condition on registers and memory at the end.
//
// What is read: declarations, assignments, plain loads and stores through a name, the calls of
// litmus_functions.hpp, arithmetic, if and else. Loops are refused, as are the operators that herd7
// refuses (!, && and ||).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "properties/proofs/lkmm/litmus_functions.hpp"

namespace futexmc::proofs::lkmm::litmus {

inline constexpr std::size_t kMaxSource = std::size_t{64} * 1024;  ///< bytes
inline constexpr std::size_t kMaxDepth = 40;                       ///< of expressions and branches
inline constexpr std::size_t kMaxThreads = 16;
inline constexpr std::size_t kMaxStatements = 2000;

struct Expression {
  enum class Kind : std::uint8_t {
    number,
    name,   ///< a register's value or a location's address
    load,   ///< plain load of *name
    call,   ///< function of `arguments`
    apply,  ///< `op` of two arguments
  };
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string name;
  Operator op = Operator::add;
  Call call;
  std::vector<Expression> arguments;

  bool operator==(const Expression&) const = default;
};

struct Statement {
  enum class Kind : std::uint8_t {
    declare,  ///< type name = value, the value if there is one
    assign,   ///< name = value
    store,    ///< *name = value, plain
    perform,  ///< value, a call without a value
    branch,   ///< if (value) then else otherwise
  };
  Kind kind = Kind::perform;
  std::string type;  ///< of a declaration, with its stars: "int *"
  std::string name;
  std::vector<Expression> value;  ///< none or one
  std::vector<Statement> then;
  std::vector<Statement> otherwise;
  std::string comment = {};  ///< written after it; reading gives none

  bool operator==(const Statement&) const = default;
};

struct Parameter {
  std::string type;  ///< "int *", "spinlock_t *"
  std::string name;  ///< of the location

  bool operator==(const Parameter&) const = default;
};

struct Thread {
  std::vector<Parameter> parameters;
  std::vector<Statement> body;

  bool operator==(const Thread&) const = default;
};

/// A number or the address of a location.
using Constant = std::variant<std::int64_t, std::string>;

struct Initial {
  std::string type;  ///< as written, or empty
  int thread = -1;   ///< of a register, else -1
  std::string name;
  Constant value;

  bool operator==(const Initial&) const = default;
};

struct Condition {
  enum class Kind : std::uint8_t { truth, falsity, equal, negation, conjunction, disjunction };
  Kind kind = Kind::truth;
  int thread = -1;  ///< of `equal` on a register, else -1
  std::string name;
  Constant value;
  std::vector<Condition> parts;  ///< one of a negation, two or more of a con- or disjunction

  bool operator==(const Condition&) const = default;
};

enum class Quantifier : std::uint8_t { exists, not_exists, forall };

struct Program {
  std::string name;
  std::vector<Initial> initials;
  std::vector<Thread> threads;
  std::vector<Condition> filter;  ///< none or one
  Quantifier quantifier = Quantifier::exists;
  Condition condition;
  std::vector<std::string> comment = {};  ///< lines written after the name; reading gives none

  bool operator==(const Program&) const = default;
};

/// What is wrong with a text, and where: lines and columns (of bytes) count from 1.
struct Problem {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;
};

using Parsed = std::variant<Program, Problem>;

/// Reads a test. Never throws because of the text.
Parsed parse(std::string_view text);

/// A text that `parse` reads back as the same test and that herd7 takes.
std::string print(const Program& test);

}  // namespace futexmc::proofs::lkmm::litmus
