// SPDX-License-Identifier: GPL-2.0-or-later
//
// A search that is cut says so, whatever cuts it, and never ends the process.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "tests/checker/searching.hpp"
#include "tests/models/semaphore.hpp"

namespace futexmc::checker {
namespace {

models::SemaphoreParameters large() { return {3, 3, 3, 3}; }

TEST(Limits, States) {
  models::Semaphore program(large());
  Options options = testing::with(true, true);
  options.max_states = 1'000;
  const Result result = depth_first(program, options);
  EXPECT_EQ(result.limit, Limit::states);
  EXPECT_EQ(result.states, 1'000U);
  EXPECT_FALSE(result.complete());
}

TEST(Limits, Time) {
  models::Semaphore program(large());
  Options options = testing::with(true, true);
  options.max_seconds = 0.05;
  EXPECT_EQ(depth_first(program, options).limit, Limit::time);
}

TEST(Limits, Interrupt) {
  models::Semaphore program(large());
  const std::atomic<bool> interrupt = true;
  Options options = testing::with(true, true);
  options.interrupt = &interrupt;
  EXPECT_EQ(depth_first(program, options).limit, Limit::interrupted);
}

TEST(Limits, Memory) {
  models::Semaphore program(large());
  for (const bool sleep_sets : {false, true}) {
    Options options = testing::with(true, sleep_sets);
    for (const std::uint64_t max : {0ULL, 1ULL, 100'000ULL, 1'000'000ULL, 8'000'000ULL}) {
      options.max_bytes = max;
      const Result result = depth_first(program, options);
      EXPECT_EQ(result.limit, Limit::memory) << max;
      // The smallest tables are there before anything is asked, and the state at hand is finished.
      EXPECT_LE(result.bytes, max + 300'000) << max;
    }
  }
}

TEST(Limits, ASearchThatFitsIsComplete) {
  models::Semaphore program({1, 1, 1, 1});
  Options options = testing::with(true, true);
  options.max_bytes = 1'000'000;
  EXPECT_TRUE(depth_first(program, options).complete());
}

#if !defined(__SANITIZE_ADDRESS__)  // which reserves more address space than any limit allows
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(Limits, AddressSpaceThatRunsOut) {
  models::Semaphore program(large());
  depth_first(program, [] {
    Options options = testing::with(true, true);
    options.max_states = 10'000;
    return options;
  }());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = address_space() + (16U << 20);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  const Result result = depth_first(program, testing::with(true, true));
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(result.limit, Limit::memory);
  EXPECT_GT(result.states, 10'000U);
}
#endif

}  // namespace
}  // namespace futexmc::checker
