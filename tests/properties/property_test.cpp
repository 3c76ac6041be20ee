// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of properties, and the exit code when several are violated.
#include "properties/property.hpp"

#include <gtest/gtest.h>

#include <set>

namespace futexmc::properties {
namespace {

TEST(PropertyTable, IsComplete) {
  const std::set<int> codes = {10, 11, 12, 13, 14};
  std::set<std::string> ids;
  for (const Property& property : all()) {
    EXPECT_TRUE(ids.insert(property.id).second) << property.id;
    EXPECT_EQ(find(property.id), &property);
    EXPECT_FALSE(property.title.empty()) << property.id;
    EXPECT_FALSE(property.source.empty()) << property.id;
    EXPECT_TRUE(codes.contains(property.exit_code)) << property.id;
  }
  for (const Property& property : on_request()) {
    EXPECT_TRUE(ids.insert(property.id).second) << property.id;
    EXPECT_EQ(find(property.id), &property);
    EXPECT_TRUE(codes.contains(property.exit_code)) << property.id;
  }
  EXPECT_EQ(listed().size(), ids.size());
  EXPECT_EQ(find("lifetimes"), nullptr);
}

TEST(PropertyTable, KnowsWhatTheKernelItselfViolates) {
  EXPECT_TRUE(is_known("size-policy",
                       "the user's choice is given up for a default, which was installed"));
  EXPECT_FALSE(is_known("size-policy", "the global hash is given up, which was installed"));
  EXPECT_FALSE(is_known("lifetime",
                        "the user's choice is given up for a default, which was installed"));
}

TEST(PropertyTable, PutsTheWorstExitCodeFirst) {
  EXPECT_EQ(exit_code({}), 0);
  EXPECT_EQ(exit_code({"warn"}), 10);
  EXPECT_EQ(exit_code({"lost-wakeup"}), 11);
  EXPECT_EQ(exit_code({"condition", "deadlock"}), 11);
  EXPECT_EQ(exit_code({"deadlock", "waiter-count", "refcount"}), 13);
  EXPECT_EQ(exit_code({"lifetime", "lost-wakeup", "queued-sleeper"}), 13);
}

}  // namespace
}  // namespace futexmc::properties
