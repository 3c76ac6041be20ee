// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/exit_codes.hpp"
#include "cli/names.hpp"
#include "cli/proofs.hpp"
#include "cli/scenarios.hpp"
#include "cli/variants.hpp"
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

TEST(List, NamesAndTitlesAreAligned) {
  const Ran ran = run_cli({"list", "kernels"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "v6.12    Linux 6.12: the global hash only\n"
            "v6.18    Linux 6.18: private hash, back pointer in every bucket\n"
            "v7.1     Linux 7.1: as v6.18 for threads\n"
            "v7.2     Linux 7.2.6: the grace-period cookie is sampled before the new table is "
            "published\n"
            "v7.2.13  Linux 7.2.13: the cookie after the publish; as v7.3 for threads\n"
            "v7.3     Linux 7.3.4: the base of the model\n");
  EXPECT_EQ(ran.err, "");
}

TEST(List, EachKindHasALineForEachName) {
  EXPECT_EQ(lines_in(run_cli({"list", "patches"}).out), patch_names().size());
  EXPECT_EQ(lines_in(run_cli({"list", "rows"}).out), row_names().size());
  EXPECT_GT(row_names().size(), kernel_names().size() + patch_names().size());  // NAME@posted
  EXPECT_EQ(lines_in(run_cli({"list", "scenarios"}).out), scenario_names().size());
  EXPECT_EQ(lines_in(run_cli({"list", "properties"}).out), all_property_names().size());
  EXPECT_EQ(lines_in(run_cli({"list", "knockouts"}).out), knockout_names().size());
  EXPECT_EQ(lines_in(run_cli({"list", "theorems"}).out), theorem_names().size());
  EXPECT_GE(scenario_names().size(), 12U);
}

TEST(List, Json) {
  const Json json = run_cli({"list", "rows", "--format", "json"}).json();
  EXPECT_EQ(json.at("kind"), "rows");
  EXPECT_EQ(json.at("entries").at(0).at("name"), "v6.12");
  EXPECT_EQ(json.at("entries").back().at("name"), "bucket-ref@posted");
  EXPECT_EQ(json.at("entries").back().at("kernel"), "v7.1");
  EXPECT_EQ(json.at("entries").back().at("patches"), Json({"bucket-ref"}));
  const Json properties = run_cli({"list", "properties", "--format", "json"}).json();
  EXPECT_EQ(properties.at("entries").at(0).at("exit_code"), 11);
}

TEST(Help, HasEveryExitCode) {
  const Ran ran = run_cli({"--help"});
  EXPECT_EQ(ran.code, 0);
  for (const ExitCode& entry : exit_codes()) {
    EXPECT_TRUE(contains(ran.out, entry.meaning)) << entry.code;
  }
  for (const char* command : {"list", "check", "matrix", "diff", "prove", "replay", "minimize",
                              "explain"}) {
    EXPECT_EQ(run_cli({command, "--help"}).code, 0) << command;
  }
  EXPECT_EQ(run_cli({"--version"}).out.substr(0, 8), "futexmc ");
}

TEST(Names, Distance) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("wake", "wkae"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Names, OfEquallyNearOnesTheLast) {
  EXPECT_EQ(nearest("v7.9", {"v7.2", "v7.3"}), "v7.3");
  EXPECT_EQ(nearest("v7.9", {}), "");
  EXPECT_EQ(unknown("kernel", "v7.9", kernel_names()),
            "unknown kernel 'v7.9'; did you mean 'v7.3'?");
}

TEST(Variants, HaveNamesFitForFiles) {
  EXPECT_EQ(variant_name(named_variant("v7.3", {}, {})), "v7.3");
  EXPECT_EQ(variant_name(named_variant("v7.3", {"bucket-ref-tglx"}, {})), "bucket-ref-tglx");
  EXPECT_EQ(variant_name(named_variant("v7.2", {"mismatch-precheck"}, {"unqueue-rcu"})),
            "v7.2+mismatch-precheck+no-unqueue-rcu");
  EXPECT_EQ(variant_options(named_variant("v7.2", {}, {"bias"})), "--kernel v7.2 --knockout bias");
}

}  // namespace
}  // namespace futexmc::cli
