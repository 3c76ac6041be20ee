// SPDX-License-Identifier: GPL-2.0-or-later
//
// libFuzzer entry for litmus tests. A text gives a program or a problem with its place; the printed
// form of a program is read back as the same program; and small programs can be made events of.
// Built with libFuzzer by the preset `fuzz`, and with a small driver as a test.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "properties/proofs/lkmm/litmus_events.hpp"

namespace {

using namespace futexmc::proofs::lkmm;
using namespace futexmc::proofs::lkmm::litmus;

// Making formulas costs far more than reading text.
constexpr std::size_t kSmall = 400;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Parsed parsed = parse(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    require(problem->line > 0 && problem->column > 0 && !problem->message.empty());
    return 0;
  }
  const auto& program = std::get<Program>(parsed);
  const std::string printed = print(program);
  const Parsed again = parse(printed);
  if (const auto* same = std::get_if<Program>(&again)) {
    require(*same == program && print(*same) == printed);
  } else {
    // Canonical text can be longer, and its parentheses deeper, than the source.
    require(printed.size() > size);
  }
  if (size > kSmall) return 0;
  z3::context context;
  Graph graph(context);
  require(add_events(program, graph).is_bool());
  return 0;
}
