// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/units.hpp"

#include <gtest/gtest.h>

#include "cli/failure.hpp"

namespace futexmc::cli {
namespace {

TEST(Units, Bytes) {
  EXPECT_EQ(parse_bytes("--m", "512"), 512U);
  EXPECT_EQ(parse_bytes("--m", "1k"), 1024U);
  EXPECT_EQ(parse_bytes("--m", "3M"), 3U << 20);
  EXPECT_EQ(parse_bytes("--m", "2G"), 2ULL << 30);
  for (const char* bad : {"", "0", "M", "1.5M", "-1", "1MB", "1 M", "99999999999G", "x"}) {
    EXPECT_THROW(parse_bytes("--m", bad), Failure) << bad;
  }
}

TEST(Units, CountsAndSeconds) {
  EXPECT_EQ(parse_count("--n", "18446744073709551615"), ~0ULL);
  EXPECT_DOUBLE_EQ(parse_seconds("--s", "0.5"), 0.5);
  for (const char* bad : {"", "0", "-3", "1e3", "+1", "18446744073709551616", "4x"}) {
    EXPECT_THROW(parse_count("--n", bad), Failure) << bad;
  }
  for (const char* bad : {"", "0", "-3", "nan", "inf", "1e30", "4s"}) {
    EXPECT_THROW(parse_seconds("--s", bad), Failure) << bad;
  }
}

TEST(Units, AreShort) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1000), "1.00k");
  EXPECT_EQ(short_count(12'345), "12.3k");
  EXPECT_EQ(short_count(999'600), "1.00M");
  EXPECT_EQ(short_count(4'560'000'000.0), "4.56G");
  EXPECT_EQ(short_bytes(1023), "1023 B");
  EXPECT_EQ(short_bytes(35 << 20), "35.0 MB");
  EXPECT_EQ(short_seconds(0.123), "0.12 s");
  EXPECT_EQ(short_seconds(312.4), "312 s");
}

}  // namespace
}  // namespace futexmc::cli
