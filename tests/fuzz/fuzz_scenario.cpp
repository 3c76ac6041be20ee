// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer entry for the scenario language. Beyond not crashing: a text gives a scenario or
// diagnostics, and the printed form of a scenario is a fixed point that compiles to the same code.
// Built with libFuzzer by the preset `fuzz`, and with a small driver as a test.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/scenario/listing.hpp"
#include "model/scenario/parser.hpp"
#include "model/scenario/print.hpp"
#include "model/scenario/scenario.hpp"

namespace {

using namespace futexmc::scenario;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string code(const Scenario& scenario) {
  std::string text;
  for (Thread thread : scenario.threads) {
    for (Instruction& i : thread.code)
      if (i.op == Op::statement) i.value = 0;  // lines move when printed
    text += listing(scenario, thread);
  }
  for (const Condition& condition : scenario.conditions) text += listing(scenario, condition);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result result = parse(text, "fuzz.futex");
  require(result.scenario.has_value() == result.diagnostics.empty());
  for (const Diagnostic& diagnostic : result.diagnostics) require(!render(diagnostic).empty());
  Problems problems;
  const auto tree = parse_source(text, problems);
  require(tree.has_value() || !result);
  if (!tree) return 0;
  const std::string printed = print(*tree);
  const auto again = parse_source(printed, problems);
  // Canonical text can be longer than the source, and so be the first to exceed a bound.
  require(again.has_value() || printed.size() > size);
  if (!again) return 0;
  require(*again == *tree && print(*again) == printed);
  if (result) require(code(*result.scenario) == code(*parse(printed, "fuzz.futex").scenario));
  return 0;
}
