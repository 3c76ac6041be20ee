// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/compare/account.hpp"

#include <algorithm>
#include <set>

#include "checker/assert.hpp"
#include "checker/recording.hpp"
#include "properties/futex_program.hpp"

namespace futexmc::properties {
namespace {

constexpr std::size_t kMaxSteps = 10'000;  ///< a variant that spins is cut there

struct Kind {
  const char* operation;
  const char* subject;
  const char* function;
  std::size_t thread;  ///< of the scenario, whose account it is
  const char* text;
};

// Two threads, so that each has somebody who writes what it uses.
constexpr const char* kRefused =
    "word f = 1; hash private(2);\n"
    "thread one { futex_wait(f, 0); } thread other { futex_wait(f, 0); }";
constexpr const char* kNobody =
    "word f = 0; hash private(2);\n"
    "thread one { futex_wake(f, 1); } thread other { futex_wake(f, 1); }";
constexpr const char* kPair =
    "word f = 0; hash private(2);\n"
    "thread waiter { futex_wait(f, 0); } thread waker { futex_wake(f, 1); }";
constexpr Kind kKinds[] = {
    {"refused wait", "refused waits", "futex_wait", 0, kRefused},
    {"wake with nobody waiting", "wakes with nobody waiting", "futex_wake", 0, kNobody},
    {"wait that is woken", "waits that are woken", "futex_wait", 0, kPair},
    {"wake of a waiter", "wakes of a waiter", "futex_wake", 1, kPair},
};

/// One access to a cell that counts.
struct Access {
  std::size_t thread;
  std::uint32_t cell;
  Place place;
  std::string phase;
  bool wrote;
};

bool within(const checker::Step& step, std::string_view function) {
  return std::find(step.calls.begin(), step.calls.end(), function) != step.calls.end();
}

/// Runs each thread as far as it goes, one after the other, until nobody can go on.
std::vector<Access> record(const scenario::Scenario& scenario, const model::Variant& variant) {
  FutexProgram program(scenario, variant);
  checker::Recording run(program);
  std::vector<Access> accesses;
  const std::size_t threads = scenario.threads.size();
  for (bool moved = true; moved && run.steps.size() < kMaxSteps;) {
    moved = false;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      while (((run.machine.enabled() >> thread) & 1) != 0 && run.steps.size() < kMaxSteps) {
        run.go(thread, 0);
        moved = true;
        const std::uint32_t cell = checker::rt.recorded_cell;
        const checker::Step& step = run.steps.back().step;
        const bool futex = within(step, "futex_wait") || within(step, "futex_wake");
        if (!futex || cell == checker::kNoCell) continue;
        Place place = place_of(cell);
        if (!counts(place)) continue;
        accesses.push_back({thread, cell, std::move(place), phase_of(step.calls), step.wrote});
      }
    }
  }
  return accesses;
}

Entry& entry_of(Account& account, const Role& role) {
  for (Entry& entry : account.entries) {
    if (entry.role.name == role.name) return entry;
  }
  account.entries.push_back({role, {}, {}, false});
  return account.entries.back();
}

void add(Uses& uses, const std::string& phase) {
  ++uses.count;
  const auto at = std::find(uses.phases.begin(), uses.phases.end(), phase);
  if (at == uses.phases.end()) uses.phases.push_back(phase);
}

Account account_of(const Kind& kind, const std::vector<Access>& accesses) {
  Account account{kind.operation, kind.subject, kind.function, {}};
  std::set<std::uint32_t> written_by_others;
  for (const Access& access : accesses) {
    if (access.thread != kind.thread && access.wrote) written_by_others.insert(access.cell);
  }
  for (const Access& access : accesses) {
    if (access.thread != kind.thread) continue;
    Entry& entry = entry_of(account, role_of(access.place));
    add(access.wrote ? entry.writes : entry.reads, access.phase);
    entry.contended |= written_by_others.contains(access.cell);
  }
  return account;
}

}  // namespace

const Entry* Account::find(const std::string& role) const {
  for (const Entry& entry : entries) {
    if (entry.role.name == role) return &entry;
  }
  return nullptr;
}

std::vector<Account> accounts(const model::Variant& variant) {
  std::vector<Account> all;
  for (const Kind& kind : kKinds) {
    all.push_back(account_of(kind, record(built_in(kind.text, kind.operation), variant)));
  }
  return all;
}

scenario::Scenario built_in(const std::string& text, const std::string& name) {
  scenario::Result parsed = scenario::parse(text, name);
  FUTEXMC_ASSERT(parsed.scenario.has_value(), "a built-in scenario is malformed");
  return std::move(*parsed.scenario);
}

}  // namespace futexmc::properties
