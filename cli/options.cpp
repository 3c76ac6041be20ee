// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/options.hpp"

#include <memory>

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
  MatrixOptions matrix;
  DiffOptions diff;
  ReplayOptions replay;
  MinimizeOptions minimize;
  std::string explain;
  std::function<int(Streams&)> command;
};

/// An option that may be given several times, one value each time.
void add_repeated(CLI::App& app, const char* name, Names& values, const char* help) {
  app.add_option(name, values, help)->allow_extra_args(false);
}

void add_format(CLI::App& app, Format& format) {
  app.add_option_function<std::string>(
         "--format",
         [&format](const std::string& word) {
           require("format", word, {"json", "text"});
           format = word == "json" ? Format::json : Format::text;
         },
         "text or json (default: text)")
      ->type_name("text|json");
}

void add_limits(CLI::App& app, LimitOptions& limits, const char* time_help) {
  app.add_option("--max-states", limits.max_states, "States of one search (default: no limit)")
      ->type_name("N");
  app.add_option("--max-time", limits.max_time, time_help)->type_name("SECONDS");
  app.add_option("--max-memory", limits.max_memory,
                 "Bytes of one search's tables, with K, M or G behind it (default: three quarters "
                 "of the machine's memory, shared among the jobs)")
      ->type_name("BYTES");
}

void add_running(CLI::App& app, bool& quiet, std::string& jobs) {
  app.add_flag("--quiet,-q", quiet, "No progress line");
  app.add_option("--jobs,-j", jobs, "Searches at a time (default: one a processor)")
      ->type_name("N");
}

void add_list(CLI::App& app, Parsed& parsed) {
  CLI::App& command = *app.add_subcommand("list", "What there is, one name a line");
  command.add_option("KIND", parsed.list.kind,
                     "kernels, patches, rows, scenarios, properties or knockouts")->required();
  add_format(command, parsed.list.format);
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return list(parsed.list, streams); };
  });
}

void add_check(CLI::App& app, Parsed& parsed) {
  CheckOptions& check = parsed.check;
  CLI::App& command = *app.add_subcommand("check", "Checks scenarios on a variant of the kernel");
  command.add_option("SCENARIO", check.scenarios, "Names or files (default: all that are listed)");
  command.add_option("--kernel", check.kernel, "The kernel (default: v7.3)");
  add_repeated(command, "--patch", check.patches, "A patch on top; may be repeated");
  add_repeated(command, "--knockout", check.knockouts, "A thing to remove; may be repeated");
  add_repeated(command, "--property", check.properties,
               "A property that counts; may be repeated (default: all)");
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
  command.add_option("--trace-dir", check.trace_dir,
                     "Write each trace to VARIANT-PROPERTY-SCENARIO.json in this directory")
      ->type_name("DIR");
  command.add_option("--expect", check.expect,
                     "Exit with 0 if this is the verdict, else with 15: holds, violated, "
                     "violated:PROPERTY or inconclusive")
      ->type_name("VERDICT");
  add_format(command, check.format);
  add_running(command, check.quiet, check.jobs);
  command.callback([&parsed] {
    parsed.command = [&parsed](Streams& streams) { return cli::check(parsed.check, streams); };
  });
}

void add_matrix(CLI::App& app, Parsed& parsed) {
  MatrixOptions& matrix = parsed.matrix;
  CLI::App& command =
      *app.add_subcommand("matrix", "Checks every kernel and patch: one table of verdicts");
  add_repeated(command, "--row", matrix.rows, "A row; may be repeated (default: all)");
  add_repeated(command, "--scenario", matrix.scenarios,
               "A scenario; may be repeated (default: all that are listed)");
  add_limits(command, matrix.limits, "Seconds of one search, a row's on a scenario (default: 60)");
  add_format(command, matrix.format);
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
  add_limits(command, diff.limits, "Seconds of one search (default: 60)");
  command.add_option("--trace-dir", diff.trace_dir,
                     "Write an execution for each difference to this directory")
      ->type_name("DIR");
  add_format(command, diff.format);
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
  add_format(command, replay.format);
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
  add_matrix(app, *parsed);
  add_diff(app, *parsed);
  add_replay(app, *parsed);
  add_minimize(app, *parsed);
  add_explain(app, *parsed);
  app.require_subcommand(1);
  app.set_version_flag("--version", "futexmc " + version());
  app.footer(exit_code_table());
  return [parsed](Streams& streams) { return parsed->command(streams); };
}

}  // namespace futexmc::cli
