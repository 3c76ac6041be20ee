// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads everything of a litmus test but the code.
#include <set>

#include <fmt/format.h>

#include "properties/proofs/lkmm/litmus_cursor.hpp"

namespace futexmc::proofs::lkmm::litmus {
namespace {

class Parser {
 public:
  explicit Parser(Lexed lexed) : at_(std::move(lexed.tokens)) { test_.name = lexed.name; }

  Program run() {
    initials();
    while (starts_thread()) thread();
    if (test_.threads.empty()) at_.fail("expected a thread 'P0(...)', " + at_.found());
    check_initials();
    skip_locations();
    if (at_.accept("filter")) test_.filter.push_back(condition());
    quantifier();
    test_.condition = condition();
    if (at_.peek().kind != TokenKind::end) at_.fail("expected the end, " + at_.found());
    return std::move(test_);
  }

 private:
  void initials() {
    at_.expect("{", "before the initial values");
    while (!at_.accept("}")) {
      if (at_.accept(";")) continue;
      initial();
      if (!at_.sees("}")) at_.expect(";", "after an initial value");
    }
  }

  void initial() {
    Initial result;
    const Token& start = at_.peek();
    if (start.kind == TokenKind::number) {
      result.thread = thread_number();
    } else if (begins_type(start.text)) {
      result.type = read_type(at_);
    }
    const Token& name = at_.word("the name of a location");
    result.name = name.text;
    if (result.thread < 0) locations_.insert(result.name);
    if (!initialized_.emplace(result.thread, result.name).second) {
      Cursor::fail(name, fmt::format("'{}' has two initial values", result.name));
    }
    if (result.thread >= 0) registers_set_.push_back(&start);
    if (at_.accept("=")) result.value = initial_value();
    test_.initials.push_back(std::move(result));
  }

  Constant initial_value() {
    const bool atomic = at_.accept("ATOMIC_INIT");
    if (atomic) at_.expect("(", "after ATOMIC_INIT");
    Constant value = constant();
    if (atomic) at_.expect(")", "after a value");
    // A location may be known by its address alone.
    if (const auto* name = std::get_if<std::string>(&value)) locations_.insert(*name);
    return value;
  }

  /// number or [&] location
  Constant constant() {
    const bool minus = at_.accept("-");
    if (at_.peek().kind == TokenKind::number) {
      return minus ? -at_.take().value : at_.take().value;
    }
    if (minus) at_.fail("expected a number after '-', " + at_.found());
    at_.accept("&");
    const Token& name = at_.word("a number or a location");
    last_name_ = &name;
    return std::string(name.text);
  }

  int thread_number() {
    const Token& number = at_.take();
    if (number.value >= static_cast<std::int64_t>(kMaxThreads)) {
      Cursor::fail(number, fmt::format("there is no thread {}", number.text));
    }
    at_.expect(":", "after the number of a thread");
    return static_cast<int>(number.value);
  }

  bool starts_thread() const {
    return at_.peek().text == fmt::format("P{}", test_.threads.size()) &&
           at_.peek(1).text == "(";
  }

  void thread() {
    if (test_.threads.size() == kMaxThreads) at_.fail("too many threads");
    at_.take();
    Thread result;
    Names names;
    at_.expect("(", "after the name of a thread");
    for (bool first = true; !at_.accept(")"); first = false) {
      if (!first) at_.expect(",", "between parameters");
      result.parameters.push_back(parameter(names));
    }
    for (const Initial& initial : test_.initials) {
      if (initial.thread != static_cast<int>(test_.threads.size())) continue;
      if (!names.emplace(initial.name, Name::reg).second) {
        at_.fail(fmt::format("'{}' is a location and a register", initial.name));
      }
    }
    result.body = read_block(at_, names, statements_);
    names_.push_back(std::move(names));
    test_.threads.push_back(std::move(result));
  }

  Parameter parameter(Names& names) {
    Parameter result;
    result.type = read_type(at_);
    const Token& name = at_.word("the name of a location");
    result.name = name.text;
    if (result.type.back() != '*') Cursor::fail(name, "a parameter is a pointer");
    if (!names.emplace(result.name, Name::location).second) {
      Cursor::fail(name, fmt::format("'{}' is declared twice", result.name));
    }
    locations_.insert(result.name);
    return result;
  }

  /// Registers with initial values are those of threads that exist.
  void check_initials() {
    std::size_t next = 0;
    for (const Initial& initial : test_.initials) {
      if (initial.thread < 0) continue;
      const Token& at = *registers_set_[next++];
      check_register(at, initial.thread, initial.name);
    }
  }

  void check_register(const Token& at, int thread, const std::string& name) const {
    const auto index = static_cast<std::size_t>(thread);
    if (index >= names_.size()) Cursor::fail(at, fmt::format("there is no thread {}", thread));
    const auto found = names_[index].find(name);
    if (found == names_[index].end() || found->second != Name::reg) {
      Cursor::fail(at, fmt::format("thread {} has no register '{}'", thread, name));
    }
  }

  void check_location(const Token& name) const {
    if (locations_.count(std::string(name.text)) == 0) {
      Cursor::fail(name, fmt::format("there is no location '{}'", name.text));
    }
  }

  void skip_locations() {
    if (!at_.accept("locations")) return;
    at_.expect("[", "after 'locations'");
    while (!at_.accept("]")) {
      if (at_.peek().kind == TokenKind::end) at_.fail("expected ']', found the end");
      at_.take();
    }
  }

  void quantifier() {
    if (at_.accept("exists")) {
      test_.quantifier = Quantifier::exists;
    } else if (at_.accept("forall")) {
      test_.quantifier = Quantifier::forall;
    } else if (at_.accept("~")) {
      at_.expect("exists", "after '~'");
      test_.quantifier = Quantifier::not_exists;
    } else {
      at_.fail("expected a thread or 'exists', '~exists' or 'forall', " + at_.found());
    }
  }

  Condition condition() { return chain("\\/", Condition::Kind::disjunction, true); }

  /// Operands joined by one sign, those of a disjunction being conjunctions.
  Condition chain(std::string_view sign, Condition::Kind kind, bool of_conjunctions) {
    const Cursor::Level nested(at_);
    const auto operand = [&] {
      return of_conjunctions ? chain("/\\", Condition::Kind::conjunction, false) : atom();
    };
    Condition first = operand();
    if (at_.sees("&&") || at_.sees("||")) {
      at_.fail("'&&' and '||' are not read, as herd7 does not: use '/\\' and '\\/'");
    }
    if (!at_.sees(sign)) return first;
    Condition result;
    result.kind = kind;
    result.parts.push_back(std::move(first));
    while (at_.accept(sign)) result.parts.push_back(operand());
    return result;
  }

  Condition atom() {
    const Cursor::Level nested(at_);
    Condition result;
    if (at_.accept("(")) {
      result = condition();
      at_.expect(")", "after a condition");
    } else if (at_.accept("~") || at_.accept("not")) {
      result.kind = Condition::Kind::negation;
      result.parts.push_back(atom());
    } else if (at_.accept("true")) {
      result.kind = Condition::Kind::truth;
    } else if (at_.accept("false")) {
      result.kind = Condition::Kind::falsity;
    } else {
      result = comparison();
    }
    return result;
  }

  Condition comparison() {
    Condition result;
    result.kind = Condition::Kind::equal;
    const Token& start = at_.peek();
    if (start.kind == TokenKind::number) result.thread = thread_number();
    const bool brackets = result.thread < 0 && at_.accept("[");
    const Token& name = at_.word("a register or a location");
    result.name = name.text;
    if (brackets) at_.expect("]", "after a location");
    if (result.thread >= 0) {
      check_register(start, result.thread, result.name);
    } else {
      check_location(name);
    }
    const bool differs = at_.accept("!=");
    if (!differs && !at_.accept("==")) at_.expect("=", "in a condition");
    result.value = constant();
    if (std::holds_alternative<std::string>(result.value)) check_location(*last_name_);
    if (!differs) return result;
    Condition negation;
    negation.kind = Condition::Kind::negation;
    negation.parts.push_back(std::move(result));
    return negation;
  }

  Cursor at_;
  Program test_;
  std::set<std::string> locations_;
  std::set<std::pair<int, std::string>> initialized_;
  std::vector<const Token*> registers_set_;  ///< where, in the order of the initial values
  const Token* last_name_ = nullptr;         ///< of the last constant that is a location
  std::vector<Names> names_;
  std::size_t statements_ = 0;
};

}  // namespace

Parsed parse(std::string_view text) {
  try {
    return Parser(tokenize(text)).run();
  } catch (const Failure& failure) {
    return failure.problem;
  }
}

}  // namespace futexmc::proofs::lkmm::litmus
