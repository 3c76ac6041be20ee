// SPDX-License-Identifier: GPL-2.0-or-later
//
// Litmus tests from the command line, for comparing with herd7 (see verdicts.sh).
//
//   litmus run FILE...    a line for each: name, observation, race or no-race, events, seconds
//   litmus write DIR [FIRST LAST]
//                         generated tests as files: those of generated.txt, or others by number
//   litmus knockouts      for each part of the model the generated tests that miss it, by number
//
// Exit: 0; 1 if a file could not be read, or an answer is not known; 64 for a wrong command line.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "properties/proofs/lkmm/litmus_events.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/knockouts.hpp"

namespace {

namespace fs = std::filesystem;
using namespace futexmc::proofs::lkmm;
using namespace futexmc::proofs::lkmm::litmus;

bool run_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Parsed parsed = parse(text);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    fmt::print(stderr, "{}:{}:{}: {}\n", path.string(), problem->line, problem->column,
               problem->message);
    return false;
  }
  const auto& program = std::get<Program>(parsed);
  const Outcome outcome = run(program);
  fmt::print("{} {} {} {} {:.3f} {}\n", program.name, spell(outcome.observation),
             outcome.race ? "race" : "no-race", outcome.events, outcome.seconds, outcome.reason);
  std::fflush(stdout);
  return outcome.observation != Observation::unknown && outcome.race_known;
}

void write_all(const fs::path& directory, unsigned first, unsigned last) {
  fs::create_directories(directory);
  for (unsigned number = first; number <= last; ++number) {
    const Program program = testing::generate(number);
    std::ofstream file(directory / (program.name + ".litmus"));
    file << print(program);
  }
}

void knockouts() {
  for (const testing::Knockout& knockout : testing::knockouts()) {
    fmt::print("{}:", knockout.name);
    for (unsigned number = 0; number < testing::kGenerated; ++number) {
      const Program program = testing::generate(number);
      const Outcome whole = run(program);
      const Outcome less = run(program, knockout.omitted);
      if (whole.observation != less.observation) fmt::print(" {}", number);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "run" && argc > 2) {
    bool good = true;
    for (int i = 2; i < argc; ++i) good = run_file(argv[i]) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (command == "write" && (argc == 3 || argc == 5)) {
    const bool given = argc == 5;
    write_all(argv[2], given ? static_cast<unsigned>(std::atoi(argv[3])) : 0,
              given ? static_cast<unsigned>(std::atoi(argv[4])) : testing::kGenerated - 1);
    return EXIT_SUCCESS;
  }
  if (command == "knockouts") {
    knockouts();
    return EXIT_SUCCESS;
  }
  fmt::print(stderr,
             "usage: litmus run FILE... | write DIRECTORY [FIRST LAST] | knockouts\n");
  return 64;
}
