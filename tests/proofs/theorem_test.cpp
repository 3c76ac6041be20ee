// SPDX-License-Identifier: GPL-2.0-or-later
//
// The registry, and what becomes of a proof that goes wrong.
#include "properties/proofs/theorem.hpp"

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>
#include <z3++.h>

namespace futexmc::properties::proofs {
namespace {

model::Variant base() { return model::make_variant("v7.3", {}, {}); }

Theorem made_of(Claim (*prove)(const model::Variant&, const Limits&)) {
  return {"made-up", "made up", "Made up.", 13, false,
          [](const model::Variant&) { return true; }, prove};
}

TEST(Theorems, HaveNamesAndStatementsOfTheirOwn) {
  std::set<std::string> ids;
  for (const Theorem& theorem : theorems()) {
    EXPECT_TRUE(ids.insert(theorem.id).second) << theorem.id;
    EXPECT_FALSE(theorem.title.empty());
    EXPECT_TRUE(theorem.statement.ends_with(".")) << theorem.id;
    EXPECT_EQ(find_theorem(theorem.id), &theorem);
  }
  EXPECT_EQ(find_theorem("count"), nullptr);
}

TEST(Theorems, WhatIsThrownIsUnknownWithItsReason) {
  const Claim by_solver = decide(made_of([](const model::Variant&, const Limits&) -> Claim {
    z3::context context;
    return {.bound = (context.int_const("a") && context.bool_val(true)).to_string()};
  }), base(), {});
  EXPECT_EQ(by_solver.answer, Answer::unknown);
  EXPECT_TRUE(by_solver.reason.starts_with("the solver: ")) << by_solver.reason;
  const Claim by_us = decide(made_of([](const model::Variant&, const Limits&) -> Claim {
    throw std::runtime_error("broken");
  }), base(), {});
  EXPECT_EQ(by_us.answer, Answer::unknown);
  EXPECT_EQ(by_us.reason, "internal: broken");
  const Claim by_memory = decide(made_of([](const model::Variant&, const Limits&) -> Claim {
    throw std::bad_alloc();
  }), base(), {});
  EXPECT_EQ(by_memory.reason, "out of memory");
}

TEST(Theorems, AnAnswerWithoutEvidenceIsUnknown) {
  const auto proved = made_of([](const model::Variant&, const Limits&) {
    return Claim{.answer = Answer::proved};
  });
  EXPECT_EQ(decide(proved, base(), {}).reason, "nothing shows it meaningful");
  const auto refuted = made_of([](const model::Variant&, const Limits&) {
    return Claim{.answer = Answer::refuted};
  });
  EXPECT_EQ(decide(refuted, base(), {}).answer, Answer::unknown);
}

TEST(Theorems, ALimitMakesThemUnknown) {
  std::atomic<bool> interrupt = true;
  for (const Theorem& theorem : theorems()) {
    const Claim claim = decide(theorem, base(), {.interrupt = &interrupt});
    EXPECT_EQ(claim.answer, Answer::unknown) << theorem.id;
    EXPECT_EQ(claim.reason, "interrupted") << theorem.id;
  }
}

TEST(Theorems, NameTheirVariant) {
  EXPECT_EQ(describe(model::make_variant("v7.2", {"mismatch-precheck"}, {"bias"})),
            "v7.2+mismatch-precheck+no-bias");
}

}  // namespace
}  // namespace futexmc::properties::proofs
