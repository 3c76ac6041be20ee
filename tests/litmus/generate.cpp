// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/litmus/generate.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace futexmc::proofs::lkmm::litmus::testing {

Program generate(unsigned number) {
  Random random(number);
  Program program = number % 4 == 3 ? generate_mix(random) : generate_cycle(random);
  const std::string text = print(program);
  program.name = fmt::format("g{:03}-{:08x}", number, XXH32(text.data(), text.size(), 0));
  return program;
}

}  // namespace futexmc::proofs::lkmm::litmus::testing
