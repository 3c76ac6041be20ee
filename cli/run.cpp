// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/run.hpp"

#include <exception>
#include <functional>
#include <new>

#include <CLI/CLI.hpp>

#include "cli/failure.hpp"
#include "cli/names.hpp"
#include "cli/options.hpp"

namespace futexmc::cli {
namespace {

/// CLI11 would say that the argument was not expected; we know what it was meant to be.
void require_command(int argc, const char* const* argv, const CLI::App& app) {
  if (argc < 2 || argv[1][0] == '-') return;
  Names commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  require("command", argv[1], commands);
}

/// An option that no command has, with the one that was probably meant.
void require_options(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const std::string& rest : command->remaining()) {
      if (!rest.starts_with("--")) continue;
      Names options;
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
      }
      require("option", rest.substr(0, rest.find('=')), options);
    }
  }
}

int dispatch(int argc, const char* const* argv, Streams& streams) {
  CLI::App app("Checks the Linux futex code under every interleaving.", "futexmc");
  const std::function<int(Streams&)> command = add_commands(app);
  require_command(argc, argv, app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
      require_options(app);
    }
    const int code = app.exit(error, streams.out, streams.err);
    return code == 0 ? 0 : exit_code::kUsage;  // --help and --version are no errors
  }
  return command(streams);
}

}  // namespace

int run(int argc, const char* const* argv, std::ostream& out, std::ostream& err, bool terminal) {
  Streams streams{out, err, terminal};
  try {
    return dispatch(argc, argv, streams);
  } catch (const Failure& failure) {
    err << "futexmc: " << failure.what() << "\n";
    return failure.code();
  } catch (const std::bad_alloc&) {
    err << "futexmc: out of memory\n";
    return exit_code::kMemory;
  } catch (const std::exception& error) {
    err << "futexmc: internal error: " << error.what() << "\n";
    return exit_code::kInternal;
  }
}

}  // namespace futexmc::cli
