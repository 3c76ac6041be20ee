// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes litmus tests. Operands of operators are in parentheses, so no precedence matters.
#include <fmt/format.h>

#include "properties/proofs/lkmm/litmus.hpp"

namespace futexmc::proofs::lkmm::litmus {
namespace {

std::string text(const Expression& e);

std::string operand(const Expression& e) {
  return e.kind == Expression::Kind::apply ? "(" + text(e) + ")" : text(e);
}

std::string call_text(const Expression& e) {
  const Function& function = *e.call.function;
  std::string arguments;
  const auto append = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  const bool last = function.shape == Shape::last;
  if (!last && !e.arguments.empty()) {
    append((function.shape == Shape::lvalue ? "*" : "") + e.arguments[0].name);
  }
  for (std::size_t i = 1; i < e.arguments.size(); ++i) append(text(e.arguments[i]));
  if (last) append(e.arguments[0].name);
  return fmt::format("{}({})", spell(e.call), arguments);
}

std::string text(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::number: return std::to_string(e.number);
    case Expression::Kind::name: return e.name;
    case Expression::Kind::load: return "*" + e.name;
    case Expression::Kind::call: return call_text(e);
    case Expression::Kind::apply: break;
  }
  return fmt::format("{} {} {}", operand(e.arguments.at(0)), spell(e.op),
                     operand(e.arguments.at(1)));
}

std::string typed(const std::string& type, const std::string& name) {
  return type + (type.ends_with('*') ? "" : " ") + name;
}

void write(const std::vector<Statement>& block, const std::string& indent, std::string& out);

void write(const Statement& s, const std::string& indent, std::string& out) {
  const std::string value = s.value.empty() ? "" : text(s.value[0]);
  const std::string end = s.comment.empty() ? ";\n" : fmt::format("; // {}\n", s.comment);
  switch (s.kind) {
    case Statement::Kind::declare:
      out += indent + typed(s.type, s.name) + (value.empty() ? "" : " = " + value) + end;
      break;
    case Statement::Kind::assign:
      out += fmt::format("{}{} = {}{}", indent, s.name, value, end);
      break;
    case Statement::Kind::store:
      out += fmt::format("{}*{} = {}{}", indent, s.name, value, end);
      break;
    case Statement::Kind::perform:
      out += fmt::format("{}{}{}", indent, value, end);
      break;
    case Statement::Kind::branch:
      out += fmt::format("{}if ({}) {{\n", indent, value);
      write(s.then, indent + "\t", out);
      if (!s.otherwise.empty()) {
        out += indent + "} else {\n";
        write(s.otherwise, indent + "\t", out);
      }
      out += indent + "}\n";
      break;
  }
}

void write(const std::vector<Statement>& block, const std::string& indent, std::string& out) {
  for (const Statement& s : block) write(s, indent, out);
}

std::string text(const Constant& constant) {
  if (const auto* name = std::get_if<std::string>(&constant)) return *name;
  return std::to_string(std::get<std::int64_t>(constant));
}

std::string text(const Condition& c) {
  const auto joined = [&](const char* sign) {
    std::string result;
    for (const Condition& part : c.parts) result += (result.empty() ? "" : sign) + text(part);
    return "(" + result + ")";
  };
  switch (c.kind) {
    case Condition::Kind::truth: return "true";
    case Condition::Kind::falsity: return "false";
    case Condition::Kind::negation: return "~(" + text(c.parts.at(0)) + ")";
    case Condition::Kind::conjunction: return joined(" /\\ ");
    case Condition::Kind::disjunction: return joined(" \\/ ");
    case Condition::Kind::equal: break;
  }
  const std::string where =
      c.thread >= 0 ? fmt::format("{}:{}", c.thread, c.name) : fmt::format("[{}]", c.name);
  return fmt::format("{}={}", where, text(c.value));
}

std::string initial(const Initial& i) {
  const bool atomic = i.type.starts_with("atomic_t");
  const std::string value = atomic ? fmt::format("ATOMIC_INIT({})", text(i.value)) : text(i.value);
  const std::string name = i.thread >= 0 ? fmt::format("{}:{}", i.thread, i.name) : i.name;
  return fmt::format("{}={};", i.type.empty() ? name : typed(i.type, name), value);
}

std::string_view spell(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::exists: return "exists";
    case Quantifier::not_exists: return "~exists";
    case Quantifier::forall: return "forall";
  }
  return "exists";
}

}  // namespace

std::string print(const Program& test) {
  std::string out = fmt::format("C {}\n\n", test.name);
  if (!test.comment.empty()) {
    out += "(*\n";
    for (const std::string& line : test.comment) out += line.empty() ? " *\n" : " * " + line + "\n";
    out += " *)\n\n";
  }
  out += "{\n";
  for (const Initial& i : test.initials) out += fmt::format("\t{}\n", initial(i));
  out += "}\n";
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    std::string parameters;
    for (const Parameter& p : test.threads[t].parameters) {
      parameters += (parameters.empty() ? "" : ", ") + typed(p.type, p.name);
    }
    out += fmt::format("\nP{}({})\n{{\n", t, parameters);
    write(test.threads[t].body, "\t", out);
    out += "}\n";
  }
  out += '\n';
  if (!test.filter.empty()) out += fmt::format("filter ({})\n", text(test.filter[0]));
  out += fmt::format("{} ({})\n", spell(test.quantifier), text(test.condition));
  return out;
}

}  // namespace futexmc::proofs::lkmm::litmus
