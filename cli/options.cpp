// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/places.hpp"

namespace futexmc::cli {
namespace {

/// What is parsed; lives as long as the function that uses it.
struct Parsed {
  ListOptions list;
  CheckOptions check;
  SampleOptions sample;
  MatrixOptions matrix;
  DiffOptions diff;
  ProveOptions prove;
  ReplayOptions replay;
  MinimizeOptions minimize;
  std::string explain;
  std::function<int(Streams&)> command;
};

/// An option that may be given several times, one value each time.
void add_repeated(CLI::App& app, const char* name, Names& values, const char* help) {
  app.add_option(name, values, help)->allow_extra_args(false);
}

constexpr const char* kTextOrJson = "text or json (default: text)";

struct FormatName {
  const char* name;
  Format format;
};
constexpr std::array<FormatName, 4> kFormats = {{{"text", Format::text},
                                                 {"json", Format::json},
                                                 {"junit", Format::junit},
                                                 {"sarif", Format::sarif}}};

/// The first `count` formats.
void add_format(CLI::App& app, Format& format, std::size_t count, const char* help) {
  const auto formats = std::span(kFormats).first(count);
  Names names;
  std::string type;
  for (const FormatName& one : formats) {
    names.emplace_back(one.name);
    type += (type.empty() ? "" : "|") + names.back();
  }
  std::sort(names.begin(), names.end());
  app.add_option_function<std::string>(
         "--format",
         [&format, formats, names](const std::string& word) {
           require("format", word, names);
           for (const FormatName& one : formats) {
             if (word == one.name) format = one.format;
           }
         },
         help)
      ->type_name(type);
}

void add_max_memory(CLI::App& app, LimitOptions& limits) {
  app.add_option("--max-memory", limits.max_memory,
                 "Bytes of one search's tables, with K, M or G behind it (default: three quarters "
                 "of the machine's memory, shared among the jobs)")
      ->type_name("BYTES");
}

void add_limits(CLI::App& app, LimitOptions& limits, const char* time_help) {
  app.add_option("--max-states", limits.max_states, "States of one search (default: no limit)")
      ->type_name("N");
  app.add_option("--max-time", limits.max_time, time_help)->type_name("SECONDS");
  add_max_memory(app, limits);
}

void add_running(CLI::App& app, bool& quiet, std::string& jobs) {
  app.add_flag("--quiet,-q", quiet, "No progress line");
  app.add_option("--jobs,-j", jobs, "Searches at a time (default: one a processor)")
      ->type_name("N");
}

void add_list(CLI::App& app, Parsed& parsed) {
  CLI::App& command = *app.add_subcommand("list", "What there is, one name a line");
  command.add_option("KIND", parsed.list.kind,
                     "kernels, patches, rows, scenarios, properties, knockouts or theorems")
      ->required();
  add_format(command, parsed.list.format, 2, kTextOrJson);
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return list(parsed.list, streams); };
  });
}

void add_memory(CLI::App& app, std::string& memory) {
  app.add_option("--memory", memory,
                 "sc: sequentially consistent; tso: with store buffers, as x86 has them, and "
                 "without reduction (default: sc)")
      ->type_name("sc|tso");
}

/// What is checked, for which properties.
void add_subject(CLI::App& command, CheckOptions& check) {
  command.add_option("SCENARIO", check.scenarios, "Names or files (default: all that are listed)");
  command.add_option("--kernel", check.kernel, "The kernel (default: v7.3)");
  add_repeated(command, "--patch", check.patches, "A patch on top; may be repeated");
  add_repeated(command, "--knockout", check.knockouts, "A thing to remove; may be repeated");
  add_repeated(command, "--property", check.properties,
               "A property that counts; may be repeated. By default all but progress, which is "
               "looked for only on request, as is race in scenarios of more than 10,000 states and "
               "in samples: each takes a search of its own. Never race where threads share a CPU "
               "or migrate, nor with --memory tso");
  add_memory(command, check.memory);
}

/// What is to come of it.
void add_answer(CLI::App& command, CheckOptions& check, std::size_t formats,
                const char* verdicts) {
  command.add_option("--trace-dir", check.trace_dir,
                     "Write each trace to VARIANT-PROPERTY-SCENARIO.json in this directory")
      ->type_name("DIR");
  command.add_option("--expect", check.expect, verdicts)->type_name("VERDICT");
  add_format(command, check.format, formats,
             formats == 2 ? kTextOrJson
                          : "text; json; junit: XML for the table of tests of a CI system; sarif: "
                            "SARIF 2.1.0, for code scanning (default: text)");
  add_running(command, check.quiet, check.jobs);
}

void add_check(CLI::App& app, Parsed& parsed) {
  CheckOptions& check = parsed.check;
  CLI::App& command = *app.add_subcommand("check", "Checks scenarios on a variant of the kernel");
  add_subject(command, check);
  command.add_option("--search", check.search,
                     "dfs: depth first; bfs: breadth first (default: dfs)")
      ->type_name("dfs|bfs");
  command.add_flag("--no-reduction", check.no_reduction,
                   "Every interleaving of single operations: the reference");
  command.add_flag("--audit", check.audit,
                   "Also compare states that are taken for equal; a difference is an internal "
                   "error");
  command.add_flag("--stop-at-first", check.stop_at_first,
                   "End each search at its first violation");
  add_limits(command, check.limits, "Seconds of one search (default: no limit)");
  command.add_flag("--new-only", check.new_only,
                   "What the kernel violates without the patches and knock-outs, in the same "
                   "scenario, does not count");
  add_answer(command, check, 4,
             "Exit with 0 if this is the verdict, else with 15: holds, violated, "
             "violated:PROPERTY or inconclusive");
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::check(parsed.check, streams); };
  });
}

void add_scheduling(CLI::App& command, SampleOptions& sample) {
  command.add_option("--scheduler", sample.scheduler,
                     "pct: random priorities, changed at random points; random: anyone who can go "
                     "(default: pct)")
      ->type_name("pct|random");
  command.add_option("--depth", sample.depth,
                     "Of the violations that pct looks for, in ordering constraints (default: 3)")
      ->type_name("D");
  command.add_option("--runs", sample.runs,
                     "Runs of each scenario (default: 10000, or with --max-time as many as fit)")
      ->type_name("N");
  command.add_option("--seed", sample.seed, "The same seed makes the same runs (default: 1)")
      ->type_name("S");
  command.add_option("--max-steps", sample.max_steps,
                     "Transitions after which a run is cut (default: 10000)")
      ->type_name("N");
}

void add_sample(CLI::App& app, Parsed& parsed) {
  SampleOptions& sample = parsed.sample;
  CLI::App& command = *app.add_subcommand(
      "sample", "Runs scenarios at random: for those too big to check; never says that one holds");
  add_subject(command, sample.check);
  add_scheduling(command, sample);
  command.add_option("--max-time", sample.check.limits.max_time,
                     "Seconds for each scenario (default: no limit)")
      ->type_name("SECONDS");
  add_max_memory(command, sample.check.limits);
  command.add_flag("--stop-at-first", sample.check.stop_at_first,
                   "End each scenario at its first violation");
  add_answer(command, sample.check, 2,
             "Exit with 0 if this is the verdict, else with 15: violated, violated:PROPERTY or "
             "inconclusive");
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::sample(parsed.sample, streams); };
  });
}

void add_matrix(CLI::App& app, Parsed& parsed) {
  MatrixOptions& matrix = parsed.matrix;
  CLI::App& command =
      *app.add_subcommand("matrix", "Checks every kernel and patch: one table of verdicts");
  add_repeated(command, "--row", matrix.rows, "A row; may be repeated (default: all)");
  add_repeated(command, "--scenario", matrix.scenarios,
               "A scenario; may be repeated (default: all that are listed)");
  add_memory(command, matrix.memory);
  command.add_flag("--proofs", matrix.proofs,
                   "Also prove the theorems on each row: a column of how many are proved, refuted, "
                   "unknown");
  add_limits(command, matrix.limits, "Seconds of one search, a row's on a scenario (default: 60)");
  add_format(command, matrix.format, 3,
             "text; json; junit: XML for the table of tests of a CI system (default: text)");
  add_running(command, matrix.quiet, matrix.jobs);
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::matrix(parsed.matrix, streams); };
  });
}

void add_diff(CLI::App& app, Parsed& parsed) {
  DiffOptions& diff = parsed.diff;
  CLI::App& command = *app.add_subcommand(
      "diff", "Compares two variants: behaviours, the shared cells that are touched, cache lines");
  command.add_option("SCENARIO", diff.scenarios, "Names or files (default: all that are listed)");
  command.add_option("--kernel", diff.kernel, "The kernel (default: v7.3)");
  add_repeated(command, "--patch", diff.patches, "A patch on top; may be repeated");
  add_repeated(command, "--knockout", diff.knockouts, "A thing to remove; may be repeated");
  command.add_option("--against", diff.against,
                     "What to compare it with: a kernel, patches, knock-outs with no- before "
                     "them, joined by + (default: the kernel alone)")
      ->type_name("VARIANT");
  add_memory(command, diff.memory);
  add_limits(command, diff.limits, "Seconds of one search (default: 60)");
  command.add_option("--trace-dir", diff.trace_dir,
                     "Write an execution for each difference to this directory")
      ->type_name("DIR");
  add_format(command, diff.format, 2, kTextOrJson);
  add_running(command, diff.quiet, diff.jobs);
  command.footer(
      "Exit code 0 says that the comparison is complete, whatever differs.\n"
      "  futexmc diff --patch mismatch-precheck      v7.3 without and with the patch\n"
      "  futexmc diff --against v7.2                 from v7.2 to v7.3\n"
      "  futexmc diff --against v7.2+mismatch-precheck --kernel v7.2 --knockout bias\n");
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::diff(parsed.diff, streams); };
  });
}

void add_prove(CLI::App& app, Parsed& parsed) {
  ProveOptions& prove = parsed.prove;
  CLI::App& command = *app.add_subcommand(
      "prove", "Proves theorems on a variant of the kernel, or refutes them with an execution");
  command.add_option("--kernel", prove.kernel, "The kernel (default: v7.3)");
  add_repeated(command, "--patch", prove.patches, "A patch on top; may be repeated");
  add_repeated(command, "--knockout", prove.knockouts, "A thing to remove; may be repeated");
  add_repeated(command, "--theorem", prove.theorems,
               "A theorem; may be repeated (default: all that apply, but for the deep ones)");
  command.add_flag("--deep", prove.deep, "Also the theorems that take long");
  command.add_flag("--new-only", prove.new_only,
                   "What is refuted without the patches and knock-outs does not count");
  command.add_option("--max-time", prove.max_time,
                     "Seconds for one theorem (default: 300; 1800 for one that --deep adds)")
      ->type_name("SECONDS");
  command.add_option("--litmus", prove.litmus,
                     "Also write the events of the theorems on the kernel's memory model there, as "
                     "C litmus tests")
      ->type_name("DIR");
  add_format(command, prove.format, 2, kTextOrJson);
  command.footer(
      "Verdicts: proved, within the bound and what is assumed; refuted, with an execution; "
      "unknown, with the reason.\n"
      "  futexmc list theorems\n"
      "  futexmc prove --kernel v7.2 --theorem count-get\n"
      "  futexmc prove --theorem memory-dead --litmus tests\n");
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::prove(parsed.prove, streams); };
  });
}

void add_replay(CLI::App& app, Parsed& parsed) {
  ReplayOptions& replay = parsed.replay;
  CLI::App& command = *app.add_subcommand(
      "replay", "Runs traces again: reproduces (0), now passes (1) or diverges (2)");
  command.add_option("TRACE", replay.traces, "Trace files, or directories of them")->required();
  command.add_option("--kernel", replay.variant.kernel,
                     "Replaces the trace's kernel, patches and knock-outs, as --patch does");
  add_repeated(command, "--patch", replay.variant.patches, "A patch, on v7.3 without --kernel");
  add_repeated(command, "--knockout", replay.variant.knockouts,
               "Alone, replaces the trace's knock-outs only; none for no knock-out");
  command.add_option("--memory", replay.variant.memory,
                     "Another memory than the trace's: sc or tso, as for check")
      ->type_name("sc|tso");
  add_format(command, replay.format, 2, kTextOrJson);
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::replay(parsed.replay, streams); };
  });
}

void add_minimize(CLI::App& app, Parsed& parsed) {
  MinimizeOptions& minimize = parsed.minimize;
  CLI::App& command =
      *app.add_subcommand("minimize", "Makes the simplest trace that shows the same violation");
  command.add_option("TRACE", minimize.trace, "A trace file")->required();
  command.add_option("-o,--output", minimize.output, "Write there (default: standard output)")
      ->type_name("FILE");
  add_limits(command, minimize.limits, "Seconds to look for it (default: 60)");
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& s) { return cli::minimize(parsed.minimize, s); };
  });
}

void add_explain(CLI::App& app, Parsed& parsed) {
  CLI::App& command = *app.add_subcommand("explain", "Tells a trace's story as a race diagram");
  command.add_option("TRACE", parsed.explain, "A trace file")->required();
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return explain(parsed.explain, streams); };
  });
}

}  // namespace

std::function<int(Streams&)> add_commands(CLI::App& app) {
  const auto parsed = std::make_shared<Parsed>();
  add_list(app, *parsed);
  add_check(app, *parsed);
  add_sample(app, *parsed);
  add_matrix(app, *parsed);
  add_diff(app, *parsed);
  add_prove(app, *parsed);
  add_replay(app, *parsed);
  add_minimize(app, *parsed);
  add_explain(app, *parsed);
  app.require_subcommand(1);
  app.set_version_flag("--version", "futexmc " + version());
  app.footer(exit_code_table());
  return [parsed](Streams& streams) { return parsed->command(streams); };
}

}  // namespace futexmc::cli
