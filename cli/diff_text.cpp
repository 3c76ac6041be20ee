// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cli/diff_report.hpp"
#include "cli/report.hpp"
#include "cli/variants.hpp"
#include "properties/compare/sentences.hpp"

namespace futexmc::cli {
namespace {

using properties::Account;
using properties::BehaviourKind;
using properties::Comparison;
using properties::Difference;
using properties::Entry;

std::string counted(std::size_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  if (noun.ends_with("ch")) return fmt::format("{} {}es", count, noun);
  if (!noun.ends_with('y')) return fmt::format("{} {}s", count, noun);
  return fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1));
}

/// "1 property, 2 outcomes"
std::string summary(const std::vector<Difference>& differences) {
  std::string text;
  for (const BehaviourKind kind : properties::kBehaviourKinds) {
    const auto count = static_cast<std::size_t>(
        std::count_if(differences.begin(), differences.end(),
                      [kind](const Difference& one) { return one.behaviour.kind == kind; }));
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + counted(count, properties::to_string(kind));
  }
  return text;
}

/// The scenarios' differences. Operations tend to be the same in many scenarios: told once.
class BehaviourText {
 public:
  std::string of(const std::vector<DiffOutcome>& outcomes) {
    std::size_t same = 0;
    for (const DiffOutcome& outcome : outcomes) {
      if (!outcome.comparison) continue;
      if (outcome.comparison->same()) {
        ++same;
      } else if (nothing_new(*outcome.comparison)) {
        nothing_new_in_.push_back(outcome.scenario);
      } else {
        scenario(outcome);
      }
    }
    if (same == outcomes.size()) return "no behaviour changed\n";
    if (!nothing_new_in_.empty()) {
      text_ += fmt::format("only operations named above, in {}\n",
                           properties::listed(nothing_new_in_));
    }
    if (same != 0) {
      text_ += fmt::format("{}: no behaviour changed\n", counted(same, "other scenario"));
    }
    return text_;
  }

 private:
  bool nothing_new(const Comparison& comparison) const {
    const auto told = [this](char sign, const std::vector<Difference>& all) {
      return std::all_of(all.begin(), all.end(), [&](const Difference& one) {
        return told_.contains(sign + one.behaviour.what);
      });
    };
    return comparison.conclusive() && told('+', comparison.gained) && told('-', comparison.lost);
  }

  void scenario(const DiffOutcome& outcome) {
    const Comparison& comparison = *outcome.comparison;
    text_ += outcome.scenario + ":";
    if (!comparison.conclusive()) text_ += " inconclusive;";
    if (!comparison.gained.empty()) text_ += " gained " + summary(comparison.gained);
    if (!comparison.lost.empty()) {
      text_ += fmt::format("{} lost {}", comparison.gained.empty() ? "" : ";",
                           summary(comparison.lost));
    }
    if (comparison.gained.empty() && comparison.lost.empty()) text_ += " no difference is certain";
    text_ += "\n";
    limit("before", comparison.before);
    limit("after", comparison.after);
    differences('+', comparison.gained, outcome.gained);
    differences('-', comparison.lost, outcome.lost);
  }

  void limit(const char* side, const properties::Observed& observed) {
    if (observed.complete()) return;
    text_ += fmt::format("  {} not searched to the end: {}{}\n", side,
                         limit_reason(observed.limit), observed.bound);
  }

  void differences(char sign, const std::vector<Difference>& all,
                   const std::vector<std::string>& files) {
    std::size_t known = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const properties::Behaviour& behaviour = all[i].behaviour;
      if (behaviour.kind == BehaviourKind::operation &&
          !told_.insert(sign + behaviour.what).second) {
        ++known;
        continue;
      }
      text_ += fmt::format("  {} {}: {}\n", sign, properties::to_string(behaviour.kind),
                           behaviour.what);
      if (!all[i].witness) continue;
      witness(*all[i].witness, behaviour.kind, i < files.size() ? files[i] : "");
    }
    if (known != 0) {
      text_ += fmt::format("  {} {} named above\n", sign, counted(known, "operation"));
    }
  }

  void witness(const checker::Trace& trace, BehaviourKind kind, const std::string& file) {
    if (kind == BehaviourKind::property) text_ += fmt::format("      {}\n", trace.message);
    const checker::TraceCost& cost = trace.cost;
    text_ += fmt::format("      by {}, {}, {}, {}{}\n", counted(cost.threads, "thread"),
                         counted(cost.switches, "switch"), counted(cost.events, "event"),
                         counted(cost.operations, "operation"), file.empty() ? "" : ": " + file);
  }

  std::string text_;
  std::set<std::string> told_;  ///< operations, with their sign
  std::vector<std::string> nothing_new_in_;
};

/// "2r 1w*": reads and writes, and whether another thread writes it.
std::string uses(const Entry* entry) {
  if (entry == nullptr) return "-";
  std::string text;
  if (entry->reads.count != 0) text += fmt::format("{}r ", entry->reads.count);
  if (entry->writes.count != 0) text += fmt::format("{}w ", entry->writes.count);
  text.pop_back();
  return text + (entry->contended ? "*" : "");
}

std::string account_text(const Account& before, const Account& after, const std::string& name,
                         const std::string& other) {
  const std::size_t width = std::max<std::size_t>(name.size(), 8);
  std::string text = fmt::format("\n{:<26} {:<{}} {}\n", before.operation, name, width, other);
  std::vector<std::string> roles;
  for (const Account* account : {&before, &after}) {
    for (const Entry& entry : account->entries) {
      if (std::find(roles.begin(), roles.end(), entry.role.name) == roles.end()) {
        roles.push_back(entry.role.name);
      }
    }
  }
  for (const std::string& role : roles) {
    text += fmt::format("  {:<24} {:<{}} {}\n", role, uses(before.find(role)), width,
                        uses(after.find(role)));
  }
  return text;
}

std::string sentences_text(const DiffReport& report) {
  const auto all = properties::all_sentences(report.before.accounts, report.after.accounts);
  if (all.empty()) return "every operation touches what it did\n";
  std::string text;
  for (const properties::Sentence& sentence : all) {
    text += sentence.text;
    const bool everywhere = sentence.subjects.size() == report.before.accounts.size();
    if (!sentence.subjects.empty() && !everywhere) {
      text += fmt::format(" ({})", properties::listed(sentence.subjects));
    }
    text += "\n";
  }
  return text;
}

std::string lines_text(const DiffSide& side) {
  const properties::LinesReport& report = side.lines;
  const auto each = [&report](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(report.operations);
  };
  std::string text = fmt::format("\n{}\n", variant_name(side.variant));
  if (report.lines.empty()) text += "  no line moves\n";
  for (const properties::LineReport& line : report.lines) {
    text += fmt::format("  {:<54} {:>7.2f}\n", line.line, each(line.transfers));
    for (const properties::Touch& touch : line.touches) {
      const std::string where = fmt::format("{} in {}()", touch.operation, touch.function);
      text += fmt::format("    {:<15} {:<36} {:>7.2f} {}\n", touch.member, where,
                          each(touch.transfers()), touch.write ? "ownership" : "HITM load");
    }
  }
  return text;
}

}  // namespace

std::string diff_text(const DiffReport& report) {
  const std::string before = variant_name(report.before.variant);
  const std::string after = variant_name(report.after.variant);
  std::string text = fmt::format("{} -> {}\n\n== behaviours\n", before, after);
  text += BehaviourText().of(report.outcomes);
  if (!report.not_compared.empty()) {
    text += fmt::format("not compared, because they use the private hash: {}\n",
                        properties::listed(report.not_compared));
  }
  text += "\n== shared cells: reads and writes of one operation alone; *: others write it\n";
  text += sentences_text(report);
  for (std::size_t i = 0; i < report.before.accounts.size(); ++i) {
    text += account_text(report.before.accounts[i], report.after.accounts[i], before, after);
  }
  text += fmt::format("\n== cache lines: transfers for each of {} refused waits of {} threads\n",
                      report.before.lines.operations, report.before.lines.threads);
  for (const std::string& sentence :
       properties::line_sentences(report.before.lines, report.after.lines)) {
    text += sentence + "\n";
  }
  return text + lines_text(report.before) + lines_text(report.after);
}

}  // namespace futexmc::cli
