// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pool.hpp"

#include <unistd.h>

#include <csignal>
#include <map>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace futexmc::cli {
namespace {

struct Seen {
  std::map<std::size_t, std::string> lines;
  std::map<std::size_t, std::string> ends;
  Pool pool;
  Seen() {
    pool.line = [this](std::size_t task, const std::string& line) { lines[task] += line + ";"; };
    pool.ended = [this](std::size_t task, const std::string& crash) { ends[task] = crash; };
  }
};

TEST(Pool, EveryTaskSendsItsLines) {
  for (const bool in_process : {false, true}) {
    Seen seen;
    seen.pool.jobs = 3;
    seen.pool.in_process = in_process;
    const std::string big(200'000, 'x');  // more than a pipe holds
    run_pool(7, [&](std::size_t task, const Send& send) {
      send(std::to_string(task));
      send(big);
    }, seen.pool);
    ASSERT_EQ(seen.lines.size(), 7U);
    EXPECT_EQ(seen.lines[6], "6;" + big + ";");
    ASSERT_EQ(seen.ends.size(), 7U);
    for (const auto& [task, crash] : seen.ends) EXPECT_EQ(crash, "") << task;
  }
}

TEST(Pool, ACrashIsNoticedAndHurtsNobodyElse) {
  Seen seen;
  seen.pool.jobs = 2;
  run_pool(4, [](std::size_t task, const Send& send) {
    send("begun");
    if (task == 1) raise(SIGKILL);
    if (task == 2) _exit(70);
    if (task == 3) throw std::runtime_error("thrown on purpose");
  }, seen.pool);
  EXPECT_EQ(seen.ends[0], "");
  EXPECT_EQ(seen.ends[1], "killed by signal 9");
  EXPECT_EQ(seen.ends[2], "ended with code 70");
  EXPECT_EQ(seen.ends[3], "ended with code 70");
}

TEST(Pool, InterruptedItStartsNothingAndStopsWhatRuns) {
  std::atomic<bool> interrupt{false};
  Seen seen;
  seen.pool.jobs = 2;
  seen.pool.interrupt = &interrupt;
  seen.pool.line = [&](std::size_t, const std::string&) { interrupt.store(true); };
  run_pool(10, [](std::size_t, const Send& send) {
    send("begun");
    while (true) pause();
  }, seen.pool);
  EXPECT_TRUE(seen.ends.empty());
}

}  // namespace
}  // namespace futexmc::cli
