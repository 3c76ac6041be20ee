// SPDX-License-Identifier: GPL-2.0-or-later
//
// The registry, and what becomes of a proof that goes wrong.
#include "properties/proofs/theorem.hpp"

#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <z3++.h>

#include "properties/proofs/lkmm/model.hpp"
#include "properties/proofs/memory/subjects.hpp"
#include "properties/proofs/system/induction.hpp"

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

/// More pigeons than holes: what no solver here decides in a day.
Claim ask_the_impossible(const model::Variant& /*variant*/, const Limits& limits) {
  constexpr int kHoles = 14;
  z3::context context;
  z3::solver solver(context, "QF_FD");
  const auto sits = [&](int pigeon, int hole) {
    return context.bool_const(fmt::format("{} in {}", pigeon, hole).c_str());
  };
  for (int pigeon = 0; pigeon <= kHoles; ++pigeon) {
    z3::expr_vector any(context);
    for (int hole = 0; hole < kHoles; ++hole) {
      any.push_back(sits(pigeon, hole));
      for (int other = 0; other < pigeon; ++other) {
        solver.add(!sits(pigeon, hole) || !sits(other, hole));
      }
    }
    solver.add(z3::mk_or(any));
  }
  Claim claim;
  if (ask(solver, limits, claim.reason) == z3::unsat) claim.answer = Answer::proved;
  return claim;
}

TEST(Theorems, ALimitEndsAQuestion) {
  const Claim claim = decide(made_of(&ask_the_impossible), base(), {.seconds = 0.2});
  EXPECT_EQ(claim.answer, Answer::unknown);
  EXPECT_EQ(claim.reason, futexmc::proofs::kOutOfTime);
  EXPECT_LT(claim.seconds, 20);
}

TEST(Theorems, AnInterruptEndsAQuestion) {
  std::atomic<bool> interrupt = false;
  std::thread user([&interrupt] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    interrupt = true;
  });
  const Claim claim = decide(made_of(&ask_the_impossible), base(), {.interrupt = &interrupt});
  user.join();
  EXPECT_EQ(claim.answer, Answer::unknown);
  EXPECT_EQ(claim.reason, futexmc::proofs::kInterrupted);
  EXPECT_LT(claim.seconds, 20);
}

TEST(Theorems, ALimitEndsTheMakingOfFormulas) {
  namespace lkmm = futexmc::proofs::lkmm;
  const auto make = [](lkmm::Graph& graph) {
    for (int thread = 0; thread < 2; ++thread) {
      for (int i = 0; i < 4; ++i) {
        graph.write(thread, lkmm::Order::once, graph.number(7), graph.number(i), graph.always());
        graph.read(thread, lkmm::Order::once, graph.number(7), graph.always());
      }
    }
  };
  z3::context context;
  lkmm::Graph whole(context);
  make(whole);
  EXPECT_GT(lkmm::Model(whole).clauses(), 10U);
  std::atomic<bool> interrupt = true;
  const futexmc::proofs::Watch watch(1e9, &interrupt);
  lkmm::Graph cut(context);
  make(cut);
  lkmm::Model model(cut, {}, {.watch = &watch, .steps = 0});
  EXPECT_EQ(model.clauses(), 1U);
  const lkmm::Answer answer = model.ask(cut.always());
  EXPECT_EQ(answer.verdict, lkmm::Verdict::unknown);
  EXPECT_EQ(answer.reason, futexmc::proofs::kInterrupted);
}

TEST(Theorems, ALimitEndsARecording) {
  const futexmc::proofs::Watch watch(0, nullptr);
  EXPECT_THROW(memory::record(memory::wait_and_wake(base()), base(), &watch),
               futexmc::proofs::Stopped);
}

TEST(Watch, TheFirstReasonStays) {
  std::atomic<bool> interrupt = false;
  const futexmc::proofs::Watch late(0, &interrupt);
  EXPECT_STREQ(late.reason(), futexmc::proofs::kOutOfTime);
  interrupt = true;
  EXPECT_STREQ(late.reason(), futexmc::proofs::kOutOfTime);
  const futexmc::proofs::Watch fresh(1e9, &interrupt);
  EXPECT_STREQ(fresh.reason(), futexmc::proofs::kInterrupted);
  interrupt = false;
  EXPECT_STREQ(fresh.reason(), futexmc::proofs::kInterrupted);
  EXPECT_EQ(futexmc::proofs::reason_of(nullptr), nullptr);
}

TEST(Theorems, NameTheirVariant) {
  EXPECT_EQ(describe(model::make_variant("v7.2", {"mismatch-precheck"}, {"bias"})),
            "v7.2+mismatch-precheck+no-bias");
}

}  // namespace
}  // namespace futexmc::properties::proofs
