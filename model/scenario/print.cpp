// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/scenario/print.hpp"

namespace futexmc::scenario {
namespace {

using ast::Statement;

void print_block(std::string& out, const std::vector<Statement>& block, const std::string& indent);

/// `if (...) {...}` with its else parts, without indentation in front and line feed at the end.
void print_if(std::string& out, const Statement& s, const std::string& indent) {
  out += "if (" + print(s.expr) + ") ";
  print_block(out, s.body, indent);
  if (s.otherwise.empty()) return;
  out += " else ";
  const bool chain = s.otherwise.size() == 1 && s.otherwise[0].kind == Statement::Kind::branch;
  if (chain) return print_if(out, s.otherwise[0], indent);
  print_block(out, s.otherwise, indent);
}

void print_statement(std::string& out, const Statement& s, const std::string& indent) {
  switch (s.kind) {
    case Statement::Kind::declare: out += "int " + s.name.text + " = " + print(s.expr) + ";"; break;
    case Statement::Kind::assign: out += s.name.text + " = " + print(s.expr) + ";"; break;
    case Statement::Kind::evaluate: out += print(s.expr) + ";"; break;
    case Statement::Kind::settle: out += "settle;"; break;
    case Statement::Kind::branch: print_if(out, s, indent); break;
    case Statement::Kind::loop:
      out += "while (" + print(s.expr) + ") ";
      print_block(out, s.body, indent);
      break;
    case Statement::Kind::repeat:
      out += "repeat (" + std::to_string(s.count.value) + ") ";
      print_block(out, s.body, indent);
      break;
  }
}

void print_block(std::string& out, const std::vector<Statement>& block, const std::string& indent) {
  out += "{\n";
  const std::string deeper = indent + "  ";
  for (const Statement& s : block) {
    out += deeper;
    print_statement(out, s, deeper);
    out += "\n";
  }
  out += indent + "}";
}

std::string print_hash(const ast::Hash& hash) {
  switch (hash.kind) {
    case Hash::Kind::none: return "none";
    case Hash::Kind::global: return "global";
    case Hash::Kind::private_: break;
  }
  return "private(" + std::to_string(hash.slots.value) + ")";
}

void print_settings(std::string& out, const char* keyword,
                    const std::vector<ast::Setting>& settings) {
  if (settings.empty()) return;
  std::string separator = std::string(keyword) + " ";
  for (const ast::Setting& setting : settings) {
    out += separator + setting.key.text + " " + std::to_string(setting.value.value);
    separator = ", ";
  }
  out += ";\n";
}

void print_collision(std::string& out, const std::vector<ast::Name>& names) {
  out += "collide ";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i ? ", " : "") + names[i].text;
  out += ";\n";
}

void print_thread(std::string& out, const ast::Thread& thread) {
  out += "thread " + thread.name.text;
  if (thread.cpu) out += " on cpu " + std::to_string(thread.cpu->value);
  if (thread.priority) out += " priority " + std::to_string(thread.priority->value);
  if (thread.may_sleep) out += " may_sleep";
  if (thread.cloned) out += " cloned";
  out += " ";
  print_block(out, thread.body, "");
  out += "\n";
}

const char* keyword(Condition::Kind kind) {
  switch (kind) {
    case Condition::Kind::finally: return "finally";
    case Condition::Kind::never: return "never";
    case Condition::Kind::sometimes: break;
  }
  return "sometimes";
}

const char* name_of(Mapping mapping) {
  switch (mapping) {
    case Mapping::ordinary: return "";
    case Mapping::unmapped: return " unmapped";
    case Mapping::misaligned: break;
  }
  return " misaligned";
}

const char* name_of(Signals signals) {
  switch (signals) {
    case Signals::interrupt: return "interrupt";
    case Signals::restart: return "restart";
    case Signals::stop: break;
  }
  return "stop";
}

}  // namespace

std::string print(const ast::File& file) {
  std::string out;
  if (file.title) out += "title \"" + *file.title + "\";\n";
  for (const ast::Word& word : file.words)
    out += (word.futex ? "word " : "var ") + word.name.text + " = " +
           std::to_string(word.initial.value) + name_of(word.mapping) + ";\n";
  if (file.hash) out += "hash " + print_hash(*file.hash) + ";\n";
  if (file.cpus) out += "cpus " + std::to_string(file.cpus->value) + ";\n";
  if (file.scheduling)
    out += std::string("scheduling ") + (file.scheduling->strict ? "strict" : "any") + ";\n";
  if (file.signals) out += std::string("signals ") + name_of(file.signals->kind) + ";\n";
  print_settings(out, "sizing", file.sizing);
  for (const auto& names : file.collisions) print_collision(out, names);
  print_settings(out, "budget", file.budgets);
  for (const ast::Thread& thread : file.threads) print_thread(out, thread);
  for (const ast::Condition& condition : file.conditions)
    out += std::string(keyword(condition.kind)) + " " + print(condition.expr) + ";\n";
  return out;
}

}  // namespace futexmc::scenario
