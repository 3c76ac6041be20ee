// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/wording.hpp"

#include <gtest/gtest.h>

namespace futexmc::checker {
namespace {

struct Inode {
  Cell<std::uint64_t> next;
  Cell<std::uint64_t> unnamed;
};

/// An arena with a word of one cell and an object with a pointer.
class Words : public testing::Test {
 protected:
  Words() {
    arena.map();
    arena.layout.clear();
    Builder builder;
    word_ = &builder.make<Cell<std::uint64_t>>("f", "word");
    inode_ = &builder.make<Inode>("inode", "inode");
    builder.name(inode_->next, "next");
  }
  ~Words() override { arena.layout.clear(); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(inode_); }
  static RecordedStep step(const char* name, const char* cell, std::uint64_t before,
                           std::uint64_t after) {
    RecordedStep recorded;
    recorded.step.operation = name;
    recorded.step.object = cell;
    recorded.step.before = before;
    recorded.step.after = after;
    recorded.before = before > 99 ? "inode" : std::to_string(before);
    recorded.after = after > 99 ? "inode" : std::to_string(after);
    return recorded;
  }
  static std::string said(const RecordedStep& recorded) { return Wording({recorded}).of(recorded); }

  Cell<std::uint64_t>* word_ = nullptr;
  Inode* inode_ = nullptr;
};

TEST_F(Words, AnObjectOfOneCellGoesByItsName) {
  EXPECT_EQ(said(step("load", "f[0]", 1, 1)), "f == 1");
  EXPECT_EQ(said(step("store", "f[0]", 0, 1)), "f = 1");
  EXPECT_EQ(said(step("get_user", "f[0]", 0, 0)), "get_user(&f) = 0");
  EXPECT_EQ(said(step("load", "inode[1]", 1, 1)), "inode[1] == 1");
}

TEST_F(Words, PointersHaveNames) {
  EXPECT_EQ(said(step("WRITE_ONCE", "inode.next", address(), 0)), "WRITE_ONCE(inode.next, NULL)");
  EXPECT_EQ(said(step("rcu_dereference", "inode.next", 0, 0)),
            "rcu_dereference(inode.next) = NULL");
  EXPECT_EQ(said(step("READ_ONCE", "inode.next", 0, 0)), "READ_ONCE(inode.next) = 0");
  RecordedStep alloc = step("kvzalloc", "", 0, 0);
  alloc.step.has_result = true;
  alloc.step.result = address();
  EXPECT_EQ(said(alloc), "kvzalloc() = inode");
}

TEST_F(Words, WhatOneStepShowsToBeAPointerIsOneEverywhere) {
  const RecordedStep first = step("READ_ONCE", "inode.next", 0, 0);
  const Wording wording({first, step("store", "inode.next", 0, address())});
  EXPECT_EQ(wording.of(first), "READ_ONCE(inode.next) = NULL");
}

TEST_F(Words, WhatCameBackIfItIsNotTheValue) {
  RecordedStep poll = step("poll_state_synchronize_rcu", "inode[1]", 0, 0);
  poll.step.has_result = true;
  poll.step.result = 1;
  EXPECT_EQ(said(poll), "poll_state_synchronize_rcu(&inode[1]) = 1");
}

TEST_F(Words, CallsTakeWhatTheKernelsTake) {
  EXPECT_EQ(said(step("set_current_state", "waiter.state", 0, 1)), "set_current_state(1)");
  EXPECT_EQ(said(step("wake_up_process", "waiter.state", 1, 0)), "wake_up_process(waiter)");
  EXPECT_EQ(said(step("atomic_inc", "hb.waiters", 0, 1)), "atomic_inc(&hb.waiters)  0 -> 1");
  EXPECT_EQ(said(step("schedule", "waiter.state", 1, 0)), "schedule()");
  EXPECT_EQ(said(step("invoke callback", "rcu[2]", 1, 0)), "invoke callback");
}

}  // namespace
}  // namespace futexmc::checker
