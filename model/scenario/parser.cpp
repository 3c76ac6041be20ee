// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/parser.hpp"

#include <string>
#include <utility>

#include "model/scenario/lexer.hpp"
#include "model/scenario/vocabulary.hpp"

namespace futexmc::scenario {
namespace {

/// Stores a setting that may be given once.
template <class T>
void set_once(Cursor& cursor, std::optional<T>& slot, T value, const Token& keyword) {
  if (slot) cursor.fail(keyword.at, quoted(keyword.text) + " is set twice");
  slot = std::move(value);
}

void parse_title(Cursor& cursor, ast::File& file, const Token& keyword) {
  if (cursor.peek().kind != TokenKind::string) cursor.fail_expected("a title in quotes");
  set_once(cursor, file.title, std::string(cursor.take().text), keyword);
}

void parse_word(Cursor& cursor, ast::File& file, const Token& keyword) {
  ast::Word word{.futex = keyword.is("word")};
  word.name = cursor.expect_name("a name after " + quoted(keyword.text));
  cursor.expect("=", "(a " + std::string(keyword.text) + " needs a first value)");
  word.initial = cursor.expect_constant("a number");
  if (word.futex && cursor.accept("unmapped")) word.mapping = Mapping::unmapped;
  else if (word.futex && cursor.accept("misaligned")) word.mapping = Mapping::misaligned;
  file.words.push_back(std::move(word));
}

void parse_hash(Cursor& cursor, ast::File& file, const Token& keyword) {
  ast::Hash hash;
  if (cursor.accept("private")) {
    hash.kind = Hash::Kind::private_;
    cursor.expect("(", "after 'private'");
    hash.slots = cursor.expect_constant("a number of slots");
    cursor.expect(")", "after the number of slots");
  } else if (cursor.accept("global")) {
    hash.kind = Hash::Kind::global;
  } else if (!cursor.accept("none")) {
    cursor.fail_expected("'none', 'global' or 'private(n)'");
  }
  set_once(cursor, file.hash, hash, keyword);
}

void parse_scheduling(Cursor& cursor, ast::File& file, const Token& keyword) {
  const bool strict = cursor.accept("strict");
  if (!strict && !cursor.accept("any")) cursor.fail_expected("'any' or 'strict'");
  set_once(cursor, file.scheduling, {strict}, keyword);
}

void parse_signals(Cursor& cursor, ast::File& file, const Token& keyword) {
  ast::Signals signals;
  if (cursor.accept("restart")) signals.kind = Signals::restart;
  else if (cursor.accept("stop")) signals.kind = Signals::stop;
  else if (!cursor.accept("interrupt")) cursor.fail_expected("'interrupt', 'restart' or 'stop'");
  set_once(cursor, file.signals, signals, keyword);
}

/// `key value, key value...`
void parse_settings(Cursor& cursor, std::vector<ast::Setting>& settings) {
  do {
    if (cursor.peek().kind != TokenKind::identifier) return cursor.fail_expected("a setting");
    const Token key = cursor.take();
    const auto value = cursor.expect_constant("a number after " + quoted(key.text));
    settings.push_back({{std::string(key.text), key.at}, value});
  } while (cursor.accept(","));
}

void parse_collide(Cursor& cursor, ast::File& file) {
  auto& names = file.collisions.emplace_back();
  names.push_back(cursor.expect_name("a word"));
  cursor.expect(",", "and a second word");
  do names.push_back(cursor.expect_name("a word"));
  while (cursor.accept(","));
}

void parse_condition(Cursor& cursor, ast::File& file, const Token& keyword) {
  using Kind = Condition::Kind;
  const Kind kind = keyword.is("finally") ? Kind::finally
                    : keyword.is("never") ? Kind::never
                                          : Kind::sometimes;
  file.conditions.push_back({kind, parse_expression(cursor), keyword.at});
}

void parse_attribute(Cursor& cursor, ast::Thread& thread) {
  if (cursor.peek().kind != TokenKind::identifier)
    return cursor.fail_expected("'{' or a thread attribute");
  const Token word = cursor.take();
  const bool twice = (word.is("on") && thread.cpu) || (word.is("may_sleep") && thread.may_sleep) ||
                     (word.is("cloned") && thread.cloned) ||
                     (word.is("priority") && thread.priority);
  if (twice) return cursor.fail(word.at, quoted(word.text) + " is given twice");
  if (word.is("on")) {
    cursor.expect("cpu", "after 'on'");
    thread.cpu = cursor.expect_constant("a CPU number");
  } else if (word.is("priority")) {
    thread.priority = cursor.expect_constant("a priority");
  } else if (word.is("may_sleep")) {
    thread.may_sleep = true;
  } else if (word.is("cloned")) {
    thread.cloned = true;
  } else {
    cursor.fail(word.at, "unknown thread attribute " + quoted(word.text) +
                             suggestion(word.text, {"on", "priority", "may_sleep", "cloned"}));
  }
}

void parse_thread(Cursor& cursor, ast::File& file) {
  ast::Thread thread;
  thread.name = cursor.expect_name("a name after 'thread'");
  while (!cursor.at_end() && !cursor.peek().is("{")) parse_attribute(cursor, thread);
  thread.body = parse_block(cursor, "after the thread's name and attributes");
  file.threads.push_back(std::move(thread));
}

void parse_item(Cursor& cursor, ast::File& file) {
  const Token& next = cursor.peek();
  if (next.kind != TokenKind::identifier) return cursor.fail_expected("a declaration or setting");
  if (!starts_item(next.text))
    return cursor.fail(next.at, "unknown declaration or setting " + quoted(next.text) +
                                    suggestion(next.text, item_words()));
  const Token keyword = cursor.take();
  if (keyword.is("thread")) return parse_thread(cursor, file);  // has no ';' after it
  if (keyword.is("title")) parse_title(cursor, file, keyword);
  else if (keyword.is("word") || keyword.is("var")) parse_word(cursor, file, keyword);
  else if (keyword.is("hash")) parse_hash(cursor, file, keyword);
  else if (keyword.is("cpus")) set_once(cursor, file.cpus, cursor.expect_constant("a number"),
                                        keyword);
  else if (keyword.is("scheduling")) parse_scheduling(cursor, file, keyword);
  else if (keyword.is("signals")) parse_signals(cursor, file, keyword);
  else if (keyword.is("sizing")) parse_settings(cursor, file.sizing);
  else if (keyword.is("budget")) parse_settings(cursor, file.budgets);
  else if (keyword.is("collide")) parse_collide(cursor, file);
  else parse_condition(cursor, file, keyword);
  cursor.expect(";", "after " + quoted(keyword.text));
}

}  // namespace

std::optional<ast::File> parse_source(std::string_view text, Problems& problems) {
  std::vector<Token> tokens = tokenize(text, problems);
  if (!problems.empty()) return std::nullopt;
  Cursor cursor(std::move(tokens), problems);
  ast::File file;
  while (!cursor.at_end()) {
    const Place start = cursor.peek().at;
    parse_item(cursor, file);
    if (cursor.failed()) cursor.recover(start);
  }
  if (!problems.empty()) return std::nullopt;
  return file;
}

}  // namespace futexmc::scenario
