// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rules of checker/story.hpp, each with a toy execution: agents 0 to 2 are threads, 3 is the
// environment. Names of cells are all that connects the steps.
#include "checker/story.hpp"

#include <gtest/gtest.h>

namespace futexmc::checker {
namespace {

constexpr std::size_t kThreads = 3;
constexpr std::size_t kEnvironment = 3;

RecordedStep step(std::size_t agent, const char* name, const char* cell) {
  RecordedStep recorded;
  recorded.agent = agent;
  recorded.step.operation = name;
  recorded.step.object = cell;
  return recorded;
}
RecordedStep read(std::size_t agent, const char* cell) {
  RecordedStep recorded = step(agent, "READ_ONCE", cell);
  recorded.step.has_result = true;
  return recorded;
}
RecordedStep write(std::size_t agent, const char* cell) {
  RecordedStep recorded = step(agent, "WRITE_ONCE", cell);
  recorded.changes.push_back({cell, "0", "1"});
  return recorded;
}
RecordedStep update(std::size_t agent, const char* cell) {
  RecordedStep recorded = write(agent, cell);
  recorded.step.has_result = true;
  return recorded;
}
RecordedStep locked(RecordedStep recorded) {
  recorded.mover = Mover::both;
  return recorded;
}
RecordedStep lock(std::size_t agent, const char* cell) {
  RecordedStep recorded = write(agent, cell);
  recorded.step.operation = "spin_lock";
  recorded.mover = Mover::right;
  recorded.guard = Guard::Kind::equal;
  return recorded;
}
RecordedStep unlock(std::size_t agent, const char* cell) {
  RecordedStep recorded = write(agent, cell);
  recorded.step.operation = "spin_unlock";
  recorded.mover = Mover::left;
  return recorded;
}
RecordedStep enter(std::size_t agent) { return step(agent, "rcu_read_lock", "depth"); }
RecordedStep leave(std::size_t agent) { return step(agent, "rcu_read_unlock", "depth"); }
RecordedStep event(const char* name) { return step(kEnvironment, name, ""); }
RecordedStep faulted(RecordedStep recorded) {
  recorded.faulted = true;
  return recorded;
}

/// "y" or "n" for each step.
std::string selected(const std::vector<RecordedStep>& steps, const Ending& ending = {}) {
  std::string text;
  for (const bool shown : select_steps(steps, kThreads, ending)) text += shown ? 'y' : 'n';
  return text;
}

TEST(Story, AReadIsToldWithTheWriteThatItSees) {
  EXPECT_EQ(selected({write(0, "x"), write(0, "y"), read(1, "x"), read(1, "z")}), "ynyn");
}

TEST(Story, AReadIsToldIfAnotherThreadChangesTheValueNext) {
  EXPECT_EQ(selected({read(0, "x"), read(0, "z"), write(1, "x"), write(1, "y")}), "ynyn");
  // Not if the reader changes it first: then nobody came in between.
  EXPECT_EQ(selected({read(0, "x"), write(0, "x"), read(0, "y"), write(1, "y")}), "nnyy");
}

TEST(Story, WritesThatNobodyReadsAreNot) {
  EXPECT_EQ(selected({write(0, "x"), write(0, "y"), write(1, "x"), read(1, "y")}), "nyny");
}

TEST(Story, OfWritesOnlyTheLastIsSeen) {
  EXPECT_EQ(selected({write(0, "x"), write(0, "x"), read(1, "x")}), "nyy");
}

TEST(Story, UpdatesReadAndWrite) {
  EXPECT_EQ(selected({update(0, "x"), update(1, "x"), read(0, "y"), write(1, "y")}), "yyyy");
}

TEST(Story, StepsThatChangeNothingAreNoWrites) {
  EXPECT_EQ(selected({step(0, "WRITE_ONCE", "x"), write(0, "y"), read(1, "x"), read(1, "y")}),
            "nyny");
}

TEST(Story, PollingIsToldOnce) {
  // The last look before another thread changes what was seen, else the first that sees it.
  EXPECT_EQ(selected({read(0, "x"), read(0, "x"), write(1, "x"), read(0, "x"), read(0, "x")}),
            "nyyyn");
}

TEST(Story, AccessesThatCommuteDoNotMeet) {
  EXPECT_EQ(selected({locked(write(0, "x")), write(0, "y"), locked(read(1, "x")), read(1, "y")}),
            "nyny");
  EXPECT_EQ(selected({locked(write(0, "x")), read(1, "x")}), "yy");
}

TEST(Story, LocksAreNotTold) {
  EXPECT_EQ(selected({lock(0, "l"), write(0, "x"), unlock(0, "l"), lock(1, "l"), read(1, "x"),
                      unlock(1, "l")}),
            "nynnyn");
}

TEST(Story, ALockIsToldIfAThreadWaitsForItInTheEnd) {
  EXPECT_EQ(selected({lock(0, "l"), unlock(0, "l"), lock(0, "l"), write(0, "x"), read(1, "x")},
                     {.violating = {}, .awaited = {"l"}, .broken_off = false}),
            "nnyyy");
}

TEST(Story, AReleaseThatIsTheViolationIsToldWithTheUseBefore) {
  EXPECT_EQ(
      selected({lock(0, "l"), unlock(0, "l"), write(0, "x"), read(1, "x"), faulted(unlock(0, "l"))},
               {.violating = 4, .awaited = {}, .broken_off = false}),
      "nyyyy");
}

TEST(Story, ASectionIsToldAroundAGracePeriodsBounds) {
  EXPECT_EQ(selected({enter(0), read(0, "x"), leave(0), write(1, "x")}), "nyny");
  EXPECT_EQ(selected({enter(0), enter(0), read(0, "x"), event("gp_end"), leave(0), leave(0),
                      write(1, "x")}),
            "ynyynyy");
  EXPECT_EQ(selected({enter(0), read(0, "x"), event("timer"), leave(0), write(1, "x")}), "nyyny");
}

TEST(Story, ASectionIsToldAroundTheViolation) {
  EXPECT_EQ(selected({write(1, "x"), enter(0), faulted(read(0, "x"))},
                     {.violating = 2, .awaited = {}, .broken_off = false}),
            "yyy");
}

TEST(Story, WhatIsOpenIsToldWhereTheExecutionBreaksOff) {
  const std::vector<RecordedStep> steps = {enter(0), read(0, "x"), write(1, "x"), write(1, "y")};
  EXPECT_EQ(selected(steps), "nyyn");
  EXPECT_EQ(selected(steps, {.violating = {}, .awaited = {}, .broken_off = true}), "yyyy");
}

TEST(Story, WaitsEventsChoicesAndTheViolationAreTold) {
  RecordedStep schedule = step(0, "schedule", "state");
  schedule.guard = Guard::Kind::call;
  RecordedStep fault = step(0, "get_user", "");
  fault.step.alternative = 1;
  EXPECT_EQ(selected({read(0, "a"), event("signal"), read(0, "a"), schedule, read(0, "a"), fault,
                      read(0, "a"), read(1, "b"), read(1, "c")},
                     {.violating = 7, .awaited = {}, .broken_off = false}),
            "nynynynyn");
}

TEST(Story, AnEventSeesWhatItChanges) {
  RecordedStep expiry = event("timer");
  expiry.changes.push_back({"armed", "1", "0"});
  EXPECT_EQ(selected({write(0, "armed"), write(0, "x"), expiry, read(1, "y")}), "ynyy");
}

TEST(Story, WhatTheReaderMustHaveSeenIsNotNews) {
  // y tells of x; had x been written after y, it would be news.
  EXPECT_EQ(selected({write(0, "x"), write(0, "y"), read(1, "y"), read(1, "x")}), "nyyn");
  EXPECT_EQ(selected({write(0, "y"), write(0, "x"), read(1, "y"), read(1, "x")}), "yyyy");
  // At second hand.
  EXPECT_EQ(selected({write(0, "x"), write(0, "y"), read(1, "y"), write(1, "z"), read(2, "z"),
                      read(2, "x")}),
            "nyyyyn");
}

TEST(Story, AWriteByOneWhoKnowsOfTheReadIsNoSurprise) {
  EXPECT_EQ(selected({read(0, "x"), write(0, "y"), read(1, "y"), write(1, "x")}), "nyyn");
  EXPECT_EQ(selected({write(0, "y"), read(0, "x"), read(1, "y"), write(1, "x")}), "yyyy");
}

TEST(Story, WhatAStepSetsOnTheSideMeetsNobody) {
  RecordedStep busy = write(0, "x");
  busy.changes.push_back({"note", "0", "1"});
  EXPECT_EQ(selected({busy, write(0, "y"), read(1, "note"), read(1, "y")}), "nyny");
}

TEST(Story, WhoFreedWhatIsUsedAfterwards) {
  RecordedStep kfree = step(0, "kfree", "");
  kfree.changes = {{"p.q liveness", "0", "2"}, {"p.q.x", "1", "0"}};
  const RecordedStep user = faulted(read(1, "p.q.y"));
  // Other fields of it went with it; that is no meeting.
  EXPECT_EQ(selected({write(0, "z"), write(1, "p.q.x"), read(1, "z"), kfree, write(0, "y"), user},
                     {.violating = 5, .awaited = {}, .broken_off = false}),
            "ynyyny");
  EXPECT_EQ(life_taken(kfree, user), "p.q");
  EXPECT_EQ(life_taken(kfree, faulted(read(1, "p.qq"))), std::nullopt);
  RecordedStep kmalloc = step(0, "kmalloc", "");
  kmalloc.changes = {{"p.q liveness", "2", "0"}};
  EXPECT_EQ(life_taken(kmalloc, user), std::nullopt);
}

TEST(Story, EachTurnHasALine) {
  EXPECT_EQ(selected({write(0, "x"), write(1, "a"), lock(1, "l"), read(2, "x"), read(2, "y")}),
            "yynyn");
  EXPECT_EQ(selected({write(0, "x"), lock(1, "l"), read(2, "x")}), "yyy");
}

TEST(Story, AThreadThatIsAloneTellsWhatItWrites) {
  EXPECT_EQ(selected({lock(0, "l"), write(0, "x"), read(0, "x"), unlock(0, "l"), read(0, "y")},
                     {.violating = 4, .awaited = {}, .broken_off = false}),
            "nynny");
}

TEST(Story, NothingHappened) { EXPECT_EQ(selected({}), ""); }

}  // namespace
}  // namespace futexmc::checker
