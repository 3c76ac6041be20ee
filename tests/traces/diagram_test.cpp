// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/diagram.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace futexmc::checker {
namespace {

using Lines = std::vector<std::string>;

DiagramRow row(std::size_t column, const std::string& text) {
  DiagramRow row;
  row.column = column;
  row.text = text;
  return row;
}

TEST(Wrap, BreaksWhereItReadsBest) {
  EXPECT_EQ(wrap("atomic_inc(&x)  0 -> 1", 30, 4), (Lines{"atomic_inc(&x)  0 -> 1"}));
  EXPECT_EQ(wrap("atomic_inc(&x)  0 -> 1", 20, 4), (Lines{"atomic_inc(&x)", "    0 -> 1"}));
  EXPECT_EQ(wrap("one two three", 9, 0), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("WRITE_ONCE(waiter.q.lock_ptr)", 24, 2),
            (Lines{"WRITE_ONCE(", "  waiter.q.lock_ptr)"}));
  EXPECT_EQ(wrap("READ_ONCE(q.lock_ptr) = hb0.lock", 28, 4),
            (Lines{"READ_ONCE(q.lock_ptr)", "    = hb0.lock"}));
  EXPECT_EQ(wrap("atomic_dec(&x)  LONG_MAX+1 -> LONG_MAX", 24, 4),
            (Lines{"atomic_dec(&x)", "    LONG_MAX+1", "    -> LONG_MAX"}));
  EXPECT_EQ(wrap("global0.queues[0].chain.next", 20, 2),
            (Lines{"global0.queues[0]", "  .chain.next"}));
  EXPECT_EQ(wrap("abcdefghij", 4, 0), (Lines{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("", 10, 0), (Lines{""}));
}

TEST(Draw, TwoColumnsWithAnEventAcross) {
  EXPECT_EQ(draw({"waiter", "waker"}, {{0, 0, "futex_wait()", ""},
                                       {0, 1, "f == 0", ""},
                                       {1, 0, "f = 1", ""},
                                       {kAcross, 0, "--- gp_end ---", ""},
                                       {0, 1, "schedule()", "<<< deadlock"}}),
            "waiter                      waker\n"
            "futex_wait()\n"
            "  f == 0\n"
            "                            f = 1\n"
            "--- gp_end ---\n"
            "  schedule()  <<< deadlock\n");
}

TEST(Draw, AWideColumnTakesTheRoomThatANarrowOneLeaves) {
  const std::string wide(60, 'x');
  EXPECT_EQ(draw({"a", "b"}, {row(0, "y"), row(1, wide)}), "a  b\ny\n   " + wide + "\n");
}

TEST(Draw, TwoColumnsShareTheRoomSoThatNoNameIsBroken) {
  const std::string wide(50, 'x');
  const std::string text =
      draw({"a", "b"}, {row(0, "f(&fph0.queues[0].waiters)"), row(1, wide + "  0 -> 1")});
  EXPECT_NE(text.find("fph0.queues[0].waiters"), std::string::npos) << text;
}

TEST(Draw, ThreeThreadsAreToldInSequence) {
  EXPECT_EQ(draw({"waiter", "b", "c"}, {{0, 0, "futex_wait()", ""},
                                        {0, 1, "f == 0", ""},
                                        {1, 0, "f = 1", ""},
                                        {kAcross, 0, "--- gp_end ---", ""},
                                        {1, 0, "f = 2", ""},
                                        {2, 0, "f = 3", "<<< warn"}}),
            "[waiter] futex_wait()\n"
            "           f == 0\n"
            "[b]      f = 1\n"
            "--- gp_end ---\n"
            "[b]      f = 2\n"
            "[c]      f = 3  <<< warn\n");
}

TEST(Draw, NothingToDraw) { EXPECT_EQ(draw({}, {}), ""); }

/// No line is too long and no letter gets lost, whatever the rows.
TEST(Draw, KeepsToTheWidthAndLosesNothing) {
  for (std::size_t threads = 1; threads <= 12; ++threads) {
    for (std::size_t length = 1; length < 200; length += 7) {
      std::vector<std::string> columns(threads, "t");
      std::vector<DiagramRow> rows;
      for (std::size_t i = 0; i < 12; ++i) {
        rows.push_back({i % threads, i * length % 17, std::string(1 + (length * i) % 97, 'x'),
                        i == 5 ? "<<< lifetime" : ""});
      }
      std::size_t letters = 0;
      for (const DiagramRow& row : rows) letters += row.text.size();
      const std::string text = draw(columns, rows);
      EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), static_cast<long>(letters));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kDiagramWidth);
        EXPECT_FALSE(line.ends_with(' '));
      }
    }
  }
}

}  // namespace
}  // namespace futexmc::checker
