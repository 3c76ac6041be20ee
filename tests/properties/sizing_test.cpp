// SPDX-License-Identifier: GPL-2.0-or-later
//
// The default size of the private hash, with the kernel's own constants (scenarios use small ones):
// "16 <= threads * 4 <= global hash size", rounded up to a power of two. The global hash has 256
// buckets for each possible CPU, rounded up (core.c, futex_hash_allocate_default, futex_init).
#include <gtest/gtest.h>

#include <bit>

#include "model/futex/futex.hpp"
#include "tests/properties/run.hpp"

namespace futexmc::model {
namespace {

unsigned global_size(unsigned cpus) { return std::bit_ceil(256 * cpus); }

/// futex_hash_allocate_default() for a process of `threads` on a machine of `cpus`.
unsigned slots(unsigned threads, unsigned cpus) {
  return futex_default_slots(std::min(threads, cpus), 16, 4, global_size(cpus));
}

TEST(Sizing, FollowsTheKernelsTable) {
  struct Line {
    unsigned threads;
    unsigned cpus;
    unsigned slots;
  };
  const Line table[] = {
      {1, 1, 16},       {2, 4, 16},        {4, 4, 16},     // the minimum
      {5, 4, 16},       {1000, 4, 16},                     // CPUs limit it, not threads
      {5, 8, 32},       {8, 8, 32},        {9, 16, 64},    // rounded up
      {16, 16, 64},     {17, 64, 128},     {32, 64, 128},  {33, 64, 256},
      {64, 64, 256},    {100, 128, 512},   {1000, 128, 512},
      {8192, 8192, 32768},
  };
  for (const Line& line : table) {
    EXPECT_EQ(slots(line.threads, line.cpus), line.slots)
        << line.threads << " threads, " << line.cpus << " CPUs";
  }
}

TEST(Sizing, StaysBetweenTheBounds) {
  EXPECT_EQ(global_size(3), 1024U);
  for (unsigned threads = 1; threads <= 5000; ++threads) {
    for (const unsigned maximum : {16U, 256U, 1024U}) {
      const unsigned size = futex_default_slots(threads, 16, 4, maximum);
      EXPECT_TRUE(std::has_single_bit(size));
      EXPECT_GE(size, 16U);
      EXPECT_LE(size, maximum);
      EXPECT_TRUE(size >= 4 * threads || size == maximum) << threads;
      EXPECT_TRUE(size < 8 * threads || size == 16) << threads << ": not more than it takes";
    }
  }
}

// The same formula as clone() uses it, with a scenario's constants.
TEST(Sizing, OfScenariosFollowsTheirConstants) {
  EXPECT_EQ(futex_default_slots(1, 2, 1, 4), 2U);
  EXPECT_EQ(futex_default_slots(3, 2, 1, 4), 4U);
  EXPECT_EQ(futex_default_slots(6, 2, 1, 4), 4U);
  EXPECT_EQ(futex_default_slots(3, 2, 2, 8), 8U);
}

}  // namespace
}  // namespace futexmc::model
