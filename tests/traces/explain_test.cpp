// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explanations against approved texts in approved/. Where one changes on purpose, run the tests
// with FUTEXMC_APPROVE=1 in the environment and look at the difference.
#include "checker/explain.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/approving.hpp"
#include "tests/traces/programs.hpp"

namespace futexmc::checker {
namespace {

using traces::Copy;
using traces::Freed;
using traces::OneBucket;
using traces::schedule;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_ready_to_paste(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 75U) << line;
    EXPECT_EQ(line.find('\t'), std::string::npos) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

void expect_approved(const std::string& text, const std::string& name) {
  expect_ready_to_paste(text);
  const auto path = std::filesystem::path(__FILE__).parent_path() / "approved" / (name + ".txt");
  if (approving()) std::ofstream(path) << text;
  EXPECT_EQ(text, read_file(path)) << "not as approved in " << path;
}

/// A sleeper whose entry lives as long as its call, and a waker that uses it too long. Both are
/// called from code of their own, and what they call does nothing but call.
class Entry final : public Program {
 public:
  void build(Builder& builder) override {
    self_ = this;
    entry_ = &builder.make<Cell<int>>("waiter.q", "futex_q");
    builder.name(*entry_, "state");
    builder.thread({"waiter", [](std::uint64_t) { self_->wait(); }, 0, false});
    builder.thread({"waker", [](std::uint64_t) { self_->wake(); }, 0, false});
    for (const char* name : {"tick", "timer of waiter"}) {
      builder.event({name, false, [](std::uint64_t) { return true; }, [](std::uint64_t) {}});
    }
  }

 private:
  void wait() {
    Scope user("user");
    Scope call("futex_wait");
    Scope between("__futex_wait");
    {
      Scope inner("futex_unqueue");
      load(*entry_, Order::once, Loc::here(), "READ_ONCE");
      const std::uint32_t liveness = arena.layout.object_of(entry_->index()).liveness;
      arena.write_cell(liveness, to_word(Liveness::freed), true);
    }
  }
  void wake() {
    Scope user("user");
    Scope call("futex_wake");
    store(*entry_, 1, Order::once, Loc::here(), "WRITE_ONCE");
    load(*entry_, Order::plain, Loc::here(), "read");
  }

  static inline Entry* self_ = nullptr;
  Cell<int>* entry_ = nullptr;
};

/// The trace of the first violation that the path shows.
Trace trace_of(Program& program, const Path& path) {
  Trace trace = make_trace(program, path, "", "");
  const Replay seen = replay(program, trace);
  if (seen.violations.empty()) throw std::logic_error("the path shows no violation");
  trace.property = seen.violations.front().property;
  trace.message = seen.violations.front().message;
  return trace;
}

Trace lost_wakeup() {
  OneBucket late(1, 1, OneBucket::Count::late);
  return trace_of(late, schedule({{0, 2}, {1, 2}, {0, 6}}));
}

TEST(Explain, LostWakeupOfTwoThreads) {
  OneBucket late(1, 1, OneBucket::Count::late);
  Trace trace = lost_wakeup();
  trace.minimal = Minimal::proved;
  expect_approved(explain(late, trace), "lost_wakeup");
}

TEST(Explain, SaysThatTheTraceNowPasses) {
  OneBucket early(1, 1, OneBucket::Count::early);
  expect_approved(explain(early, lost_wakeup()), "now_passes");
}

TEST(Explain, ThreeThreadsAreToldInSequence) {
  OneBucket late(2, 1, OneBucket::Count::late);
  const Trace trace = trace_of(late, schedule({{0, 2}, {2, 2}, {0, 6}, {1, 3}}));
  expect_approved(explain(late, trace), "three_threads");
}

TEST(Explain, MoreThreadsToo) {
  OneBucket late(2, 2, OneBucket::Count::late);
  const Trace trace = trace_of(late, schedule({{0, 2}, {2, 2}, {3, 2}, {0, 6}, {1, 3}}));
  expect_approved(explain(late, trace), "four_threads");
}

TEST(Explain, UseAfterFreeWithAGracePeriod) {
  Freed bare(false);
  expect_approved(explain(bare, trace_of(bare, schedule({{0, 1}, {1, 2}, {2, 1}, {0, 1}}))),
                  "use_after_free");
}

TEST(Explain, ALifeThatEndsWithACall) {
  Entry entry;
  const Path path = schedule({{1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 1}});
  expect_approved(explain(entry, trace_of(entry, path)), "call_ends");
}

TEST(Explain, SaysWhereItDiverges) {
  Freed bare(false);
  Freed guarded(true);
  const Trace trace = trace_of(bare, schedule({{0, 1}, {1, 2}, {2, 1}, {0, 1}}));
  expect_approved(explain(guarded, trace), "diverges");
}

TEST(Explain, AnOutcomeThatTheSearchChose) {
  Copy copy(true);
  expect_approved(explain(copy, trace_of(copy, {{1, 1}, {1, 0}})), "chosen_outcome");
}

TEST(Explain, SaysWhoWaitsForWhomWhereItDiverges) {
  OneBucket early(1, 1, OneBucket::Count::early);
  OneBucket late(1, 1, OneBucket::Count::late);
  const Trace trace =
      make_trace(early, schedule({{0, 1}, {1, 3}}), "deadlock", "waiter0 never wakes");
  expect_approved(explain(late, trace), "blocked");
}

}  // namespace
}  // namespace futexmc::checker
