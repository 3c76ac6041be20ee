// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a user may get wrong, each with the exit code and what the message must say.
#include "tests/cli/cli.hpp"

namespace futexmc::cli {
namespace {

struct Case {
  std::vector<std::string> arguments;  ///< "@NAME" is a file in the test's directory
  int code;
  std::string message;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> table = {
      {{}, 64, "subcommand is required"},
      {{"chek"}, 64, "unknown command 'chek'; did you mean 'check'?"},
      {{"list"}, 64, "KIND"},
      {{"list", "kernel"}, 64, "unknown list 'kernel'; did you mean 'kernels'?"},
      {{"list", "kernels", "--format", "jsn"}, 64, "unknown format 'jsn'; did you mean 'json'?"},
      {{"list", "kernels", "--format", "junit"}, 64, "unknown format 'junit'; known: json, text"},
      {{"check", "--format", "junti"}, 64, "unknown format 'junti'; did you mean 'junit'?"},
      {{"check", "--format", "sarf"}, 64, "unknown format 'sarf'; did you mean 'sarif'?"},
      {{"matrix", "--format", "xunit"}, 64, "unknown format 'xunit'; did you mean 'junit'?"},
      {{"check", "wait-wke"}, 64, "unknown scenario 'wait-wke'; did you mean 'wait-wake'?"},
      {{"check", "--kernel", "v7.9"}, 64, "unknown kernel 'v7.9'; did you mean 'v7.3'?"},
      {{"check", "--patch", "bucket-ref-txgl"}, 64, "did you mean 'bucket-ref-tglx'?"},
      {{"check", "--patch", "bucket-ref-tglx", "--patch", "bucket-ref-draft-1"}, 64,
       "patches 'bucket-ref-tglx' and 'bucket-ref-draft-1' both replace futex_hash()"},
      {{"check", "--new-only"}, 64, "--new-only needs a --patch or a --knockout"},
      {{"check", "--patch", "bucket-ref", "--patch", "bucket-ref-tglx"}, 64,
       "patches 'bucket-ref' and 'bucket-ref-tglx' both replace futex_hash()"},
      {{"check", "--kernel", "v6.12", "--patch", "bucket-ref"}, 64,
       "patch 'bucket-ref' changes the private hash, which kernel 'v6.12' has not"},
      {{"check", "--kernel", "v6.12", "wake-resize"}, 64,
       "scenario 'wake-resize' uses the private hash, which kernel 'v6.12' has not"},
      {{"matrix", "--row", "v6.12", "--scenario", "wake-resize"}, 64,
       "row 'v6.12': none of the scenarios can run on it"},
      {{"diff", "--against", "v7.1+v7.2"}, 64, "variant 'v7.1+v7.2' has two kernels"},
      {{"diff", "--against", "v7.1+"}, 64, "unknown kernel or patch ''"},
      {{"check", "--patch", "mismatch-precheck", "--patch", "mismatch-precheck"}, 64,
       "patch 'mismatch-precheck' is given twice"},
      {{"check", "--knockout", "bais"}, 64, "unknown knock-out 'bais'; did you mean 'bias'?"},
      {{"check", "--property", "lifetme"}, 64, "unknown property 'lifetme'; did you mean 'lifet"},
      {{"check", "--search", "bsf"}, 64, "unknown search 'bsf'; did you mean 'bfs'?"},
      {{"check", "--expect", "hold"}, 64, "unknown verdict 'hold'; did you mean 'holds'?"},
      {{"check", "--expect", "violated:wran"}, 64, "unknown property 'wran'; did you mean 'warn'?"},
      {{"check", "--expect", "holds:warn"}, 64, "verdict with a property 'holds'; known: violated"},
      {{"check", "--property", "conformity"}, 64, "unknown property 'conformity'\n"},
      {{"matrix", "--memory", "weak"}, 64, "unknown memory model 'weak'; known: sc, tso"},
      {{"sample", "--property", "progress"}, 64, "no sample shows it"},
      {{"check", "--max-sates", "5"}, 64, "unknown option '--max-sates'; did you mean '--max-sta"},
      {{"check", "--max-states", "0"}, 64, "--max-states '0': expected a whole number above 0"},
      {{"check", "--max-states", "many"}, 64, "--max-states 'many'"},
      {{"check", "--max-time", "-1"}, 64, "--max-time '-1': expected a number of seconds"},
      {{"check", "--max-time", "nan"}, 64, "--max-time 'nan'"},
      {{"check", "--max-memory", "12Q"}, 64, "--max-memory '12Q': expected a number of bytes"},
      {{"check", "--jobs", "0"}, 64, "--jobs '0'"},
      {{"check", "--audit", "--search", "bfs"}, 64, "--audit needs --search dfs"},
      {{"prvoe"}, 64, "unknown command 'prvoe'; did you mean 'prove'?"},
      {{"prove", "--theorem", "count-gte"}, 64, "unknown theorem 'count-gte'; did you mean 'cou"},
      {{"prove", "--kernel", "v6.12", "--theorem", "count-get"}, 64,
       "theorem 'count-get' says nothing about v6.12"},
      {{"prove", "--kernel", "v7.9"}, 64, "unknown kernel 'v7.9'; did you mean 'v7.3'?"},
      {{"prove", "--knockout", "bais"}, 64, "unknown knock-out 'bais'; did you mean 'bias'?"},
      {{"prove", "--max-time", "0"}, 64, "--max-time '0': expected a number of seconds"},
      {{"prove", "--depe"}, 64, "unknown option '--depe'; did you mean '--deep'?"},
      {{"prove", "--format", "junit"}, 64, "unknown format 'junit'"},
      {{"prove", "--theorem", "count-get", "--litmus", "@tests"}, 64,
       "--litmus: no theorem asked for has litmus tests"},
      {{"prove", "--theorem", "memory-dead", "--litmus", "@empty.trace"}, 64, "cannot make '"},
      {{"prove", "--litmsu", "tests"}, 64, "unknown option '--litmsu'; did you mean '--litmus'?"},
      {{"sampel"}, 64, "unknown command 'sampel'; did you mean 'sample'?"},
      {{"sample", "wait-wke"}, 64, "unknown scenario 'wait-wke'; did you mean 'wait-wake'?"},
      {{"sample", "--scheduler", "ptc"}, 64, "unknown scheduler 'ptc'; did you mean 'pct'?"},
      {{"sample", "--shceduler", "pct"}, 64, "unknown option '--shceduler'; did you mean '--sched"},
      {{"sample", "--knockout", "bais"}, 64, "unknown knock-out 'bais'; did you mean 'bias'?"},
      {{"sample", "--depth", "0"}, 64, "--depth '0': expected a whole number above 0"},
      {{"sample", "--depth", "101"}, 64, "--depth '101': at most 100"},
      {{"sample", "--depth", "2", "--scheduler", "random"}, 64, "--depth needs --scheduler pct"},
      {{"sample", "--runs", "none"}, 64, "--runs 'none': expected a whole number above 0"},
      {{"sample", "--runs", "16"}, 64, "--runs '16': the first 16 are random"},
      {{"sample", "--seed", "-1"}, 64, "--seed '-1': expected a whole number above 0"},
      {{"sample", "--max-steps", "50001"}, 64, "--max-steps '50001': at most 50000"},
      {{"sample", "--max-time", "0"}, 64, "--max-time '0': expected a number of seconds"},
      {{"sample", "--expect", "holds"}, 64, "--expect 'holds': no sample shows that"},
      {{"sample", "--audit"}, 64, "unknown option '--audit'"},
      {{"check", "@missing.futex"}, 64, "missing.futex': No such file or directory"},
      {{"check", "@"}, 64, "Is a directory"},
      {{"check", "@empty.futex"}, 65, "empty.futex:1:1: error: "},
      {{"check", "@malformed.futex"}, 65, "malformed.futex:2:"},
      {{"check", "wait-wake", "@malformed.futex", "@empty.futex"}, 65, "empty.futex:1:1"},
      {{"matrix", "--row", "bucket-ref-draft-3"}, 64, "did you mean 'bucket-ref-draft-"},
      {{"matrix", "--max-time", "0"}, 64, "--max-time '0'"},
      {{"matrix", "v7.3"}, 64, "v7.3"},
      {{"diff"}, 64, "there is nothing to compare: give --patch, --knockout or --against"},
      {{"diff", "--against", "v7.9"}, 64, "unknown kernel or patch 'v7.9'"},
      {{"diff", "--against", "v7.2+no-bais"}, 64, "unknown knock-out 'bais'; did you mean 'bias'?"},
      {{"diff", "@malformed.futex", "--patch", "bucket-ref-tglx"}, 65, "malformed.futex:2:"},
      {{"replay"}, 64, "TRACE"},
      {{"replay", "@missing.json"}, 64, "missing.json': No such file or directory"},
      {{"replay", "@"}, 64, "no traces in"},
      {{"replay", "@empty.trace"}, 65, "empty.trace: line 1, column 1"},
      {{"replay", "@foreign.trace"}, 65, "foreign.trace: "},
      {{"replay", "@empty.trace", "--patch", "tglx"}, 64, "unknown patch 'tglx'"},
      {{"explain", "@missing.json"}, 64, "No such file"},
      {{"explain", "@empty.trace"}, 65, "line 1"},
      {{"minimize", "@"}, 64, "Is a directory"},
      {{"minimize", "@foreign.trace"}, 65, "foreign.trace: "},
  };
  return table;
}

class BadInput : public InDirectory {};

TEST_F(BadInput, HasItsCodeAndMessage) {
  write("empty.futex", "");
  write("malformed.futex", "word f = 0;\nthread t { futex_wait(g, 0); }\n");
  write("empty.trace", "");
  write("foreign.trace", R"({"format": "another", "version": 1})");
  for (const Case& one : cases()) {
    std::vector<std::string> arguments;
    std::string shown;
    for (const std::string& argument : one.arguments) {
      arguments.push_back(argument.starts_with("@") ? path(argument.substr(1)) : argument);
      shown += argument + " ";
    }
    const Ran ran = run_cli(arguments);
    EXPECT_EQ(ran.code, one.code) << shown << "\n" << ran.err;
    EXPECT_TRUE(contains(ran.err, one.message)) << shown << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << shown;
  }
}

TEST_F(BadInput, AScenarioWithTooManyAgentsIsRefused) {
  std::string text = "word f = 0;\nhash private(2);\n"
                     "budget spurious 4, signal 4, fault 4, migrate 4, alloc_fail 4, reuse 4;\n";
  for (int i = 0; i < 6; ++i) {
    text += "thread t" + std::to_string(i) + " may_sleep { futex_wait(f, 0, timeout); }\n";
  }
  const Ran ran = run_cli({"check", write("many.futex", text), "--max-states", "10"});
  EXPECT_EQ(ran.code, 65) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.err, "can be searched")) << ran.err;
}

}  // namespace
}  // namespace futexmc::cli
