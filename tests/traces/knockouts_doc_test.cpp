// SPDX-License-Identifier: GPL-2.0-or-later
//
// docs/knockouts.md is the table of knock-outs with the size of each one's committed story. Where
// either changes, run this with FUTEXMC_APPROVE=1 in the environment: it writes the page anew.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checker/trace.hpp"
#include "model/variant.hpp"
#include "tests/approving.hpp"

namespace futexmc {
namespace {

namespace fs = std::filesystem;
using model::Engine;
using model::KnockoutInfo;

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string story(const KnockoutInfo& info) {
  const fs::path path = fs::path(FUTEXMC_TRACE_DIR) / ("knockout-" + info.name + ".json");
  if (!info.story) return "none";
  if (info.engine == Engine::lkmm) return "";
  const auto trace = std::get<checker::Trace>(checker::read_trace(read_file(path)));
  const auto& cost = trace.cost;
  return fmt::format("{} / {} / {} / {}", cost.threads, cost.switches, cost.events,
                     cost.operations);
}

std::string function(const KnockoutInfo& info) {
  return info.function + (info.function.ends_with(')') ? "" : "()");
}

std::string caught_row(const KnockoutInfo& info) {
  return fmt::format("| `{}` | {} (`{}`) | {} | {} | {} | {} |\n", info.name, info.title,
                     function(info), info.property, info.scenario, model::name_of(info.engine),
                     story(info));
}

std::string redundant_row(const KnockoutInfo& info) {
  std::string why = info.why;
  if (!info.together.empty()) {
    why += fmt::format("; with `{}` removed too, {} in {}", info.together, info.property,
                       info.scenario);
  }
  return fmt::format("| `{}` | {} (`{}`) | {} |\n", info.name, info.title, function(info), why);
}

std::string page() {
  std::string caught;
  std::string redundant;
  std::size_t seen = 0;
  std::size_t unseen = 0;
  for (const KnockoutInfo& info : model::knockouts()) {
    if (!info.why.empty()) {
      redundant += redundant_row(info);
      continue;
    }
    caught += caught_row(info);
    ++(info.engine == Engine::sc ? seen : unseen);
  }
  return fmt::format(
      R"(# Knock-outs

<!-- Written by the test KnockoutsPage with FUTEXMC_APPROVE=1: do not edit. -->

Each line is something that the kernel's source does on purpose, and that `--knockout NAME` removes:
an ordering, a lock, a second look, a grace period, a reference, a count, a change of state. If the
check is worth anything, what is removed is missed. Tests run the table: with the knock-out the
scenario violates the property, without it the scenario holds.

Assertions (WARN_ON, BUG_ON, lockdep) are not in it: the property `warn` watches them.

## Caught

{} of them by exploring sequentially consistent memory (`sc`). The other {} only weaken an order
that sequential consistency gives for nothing: the column says the strongest memory that shows them,
`tso` (store buffers, as x86 has them: `check --memory tso`) or `lkmm` (the kernel's own model,
which this program does not explore); tests assert that stronger ones do not. *Story* is the
shortest one, the committed trace `traces/knockout-NAME.json`: threads / context switches / events /
operations. There is *none* where no single execution shows it: something that should happen in some
never does, or a loop no longer ends, so that a final state is missing.

| name | what the kernel does (where) | property | scenario | engine | story |
|---|---|---|---|---|---|
{}
## Redundant

Nothing catches these, alone. Tests assert that they hold, and where the table names what
supplies the order instead, that without both they do not.

| name | what the kernel does (where) | why it is not missed |
|---|---|---|
{})",
      seen, unseen, caught, redundant);
}

TEST(KnockoutsPage, IsCurrent) {
  const fs::path path = fs::path(FUTEXMC_TRACE_DIR).parent_path() / "docs" / "knockouts.md";
  const std::string text = page();
  if (approving()) std::ofstream(path) << text;
  EXPECT_EQ(text, read_file(path));
}

}  // namespace
}  // namespace futexmc
