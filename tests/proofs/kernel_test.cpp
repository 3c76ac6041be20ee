// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's own litmus tests. Their files are not kept here; what herd7 says of them is. The
// tests run when FUTEXMC_KERNEL_TREE names a kernel tree (tests/litmus/kernel.sh gets one).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>

#include "properties/proofs/lkmm/litmus_events.hpp"
#include "tests/proofs/verdicts.hpp"

namespace futexmc::proofs::lkmm::litmus::testing {
namespace {

TEST(KernelLitmus, VerdictsOfAll35AreStored) {
  EXPECT_EQ(stored("kernel.txt").size(), 35U);
}

TEST(KernelLitmus, VerdictsAreHerds) {
  const char* tree = std::getenv("FUTEXMC_KERNEL_TREE");
  if (!tree) GTEST_SKIP() << "FUTEXMC_KERNEL_TREE names no kernel tree";
  for (const Stored& verdict : stored("kernel.txt")) {
    SCOPED_TRACE(verdict.name);
    const std::string path =
        std::string(tree) + "/tools/memory-model/litmus-tests/" + verdict.name + ".litmus";
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path;
    const Parsed parsed =
        parse(std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    const auto* problem = std::get_if<Problem>(&parsed);
    ASSERT_EQ(problem, nullptr) << problem->line << ':' << problem->column << problem->message;
    const auto& program = std::get<Program>(parsed);
    const Outcome outcome = run(program);
    EXPECT_EQ(spell(outcome.observation), verdict.observation) << outcome.reason;
    EXPECT_TRUE(outcome.race_known);
    EXPECT_EQ(outcome.race ? "race" : "no-race", verdict.race);
    // And what we write is what we read.
    const Parsed again = parse(print(program));
    ASSERT_TRUE(std::holds_alternative<Program>(again)) << print(program);
    EXPECT_EQ(std::get<Program>(again), program);
  }
}

}  // namespace
}  // namespace futexmc::proofs::lkmm::litmus::testing
