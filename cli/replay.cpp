// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc replay`: whether traces still show what they were made to show.
#include "checker/replay.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/scenarios.hpp"
#include "cli/subject.hpp"
#include "cli/variants.hpp"
#include "properties/futex_program.hpp"
#include "properties/run.hpp"

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

/// The files that are meant, those of a directory in the order of their names.
Names files_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  Names files;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  if (files.empty()) throw Failure(exit_code::kUsage, fmt::format("no traces in '{}'", path));
  std::sort(files.begin(), files.end());
  return files;
}

bool replaced(const ReplacedVariant& given) {
  return !given.kernel.empty() || !given.patches.empty() || !given.knockouts.empty() ||
         !given.memory.empty();
}

model::Variant replace(const model::Variant& own, const ReplacedVariant& given) {
  const bool whole = !given.kernel.empty() || !given.patches.empty();
  Names knockouts = given.knockouts.empty() && !whole ? own.knockouts : given.knockouts;
  knockouts.erase(std::remove(knockouts.begin(), knockouts.end(), "none"), knockouts.end());
  const std::string kernel = given.kernel.empty() ? kBaseKernel : given.kernel;
  model::Variant made = whole ? named_variant(kernel, given.patches, knockouts)
                              : named_variant(own.kernel, own.patches, knockouts);
  made.memory = given.memory.empty() ? own.memory : named_memory(given.memory);
  return made;
}

struct Replayed {
  LoadedTrace loaded;
  model::Variant variant;
  checker::Replay replay;
};

Replayed replay_one(const std::string& file, const ReplacedVariant& given) {
  Replayed one{load_trace(file), {}, {}};
  const Subject& subject = one.loaded.subject;
  one.variant = replaced(given) ? replace(subject.variant, given) : subject.variant;
  require_room({subject.scenario}, one.variant.memory);
  properties::FutexProgram program(subject.scenario, one.variant);
  program.look_for_shown(one.loaded.trace.property, one.loaded.trace.message);
  checker::ReplayOptions options;
  options.same_model = subject.same_model && !replaced(given);
  one.replay = checker::replay(program, one.loaded.trace, options);
  return one;
}

std::string describe(const Replayed& one) {
  const checker::Replay& replay = one.replay;
  std::string text = checker::to_string(replay.outcome);
  const checker::Memory own = one.loaded.subject.variant.memory;
  if (one.variant.memory != own) {
    text = fmt::format("with memory {}, not the trace's {}: {}",
                       properties::to_string(one.variant.memory), properties::to_string(own), text);
  }
  if (replay.outcome == checker::Outcome::diverges) {
    text += fmt::format(" at step {}", replay.at);
  } else if (replay.outcome == checker::Outcome::reproduces) {
    text += fmt::format(" {}: {}", one.loaded.trace.property, one.loaded.trace.message);
  }
  if (replay.because.empty()) return text;
  if (replay.outcome != checker::Outcome::reproduces) return text + ": " + replay.because;
  // It is the same failure; what else the execution violates is an aside.
  const std::size_t more = replay.because.find("; ");
  text += "\n    and " + replay.because.substr(0, more);
  if (more != std::string::npos) text += ", and others";
  return text;
}

Json to_json(const Replayed& one) {
  const checker::Replay& replay = one.replay;
  Json json;
  json["trace"] = one.loaded.path;
  json["scenario"] = one.loaded.subject.scenario.name;
  json["kernel"] = one.variant.kernel;
  json["patches"] = one.variant.patches;
  json["knockouts"] = one.variant.knockouts;
  json["memory"] = properties::to_string(one.variant.memory);
  json["property"] = one.loaded.trace.property;
  json["message"] = one.loaded.trace.message;
  json["outcome"] = checker::to_string(replay.outcome);
  json["step"] = replay.at;
  json["because"] = replay.because;
  json["extra"] = replay.extra;
  json["skipped"] = replay.skipped;
  return json;
}

}  // namespace

int replay(const ReplayOptions& options, Streams& streams) {
  // Unknown names are said once, before any trace is read.
  if (replaced(options.variant)) replace(named_variant(kBaseKernel, {}, {}), options.variant);
  Names files;
  for (const std::string& path : options.traces) {
    const Names more = files_of(path);
    files.insert(files.end(), more.begin(), more.end());
  }
  int code = 0;
  Json json = Json::array();
  for (const std::string& file : files) {
    try {
      const Replayed one = replay_one(file, options.variant);
      code = std::max(code, static_cast<int>(one.replay.outcome));
      json.push_back(to_json(one));
      if (options.format == Format::text) {
        streams.out << fmt::format("{}: {}\n", file, describe(one)) << std::flush;
      }
    } catch (const Failure& failure) {  // the other traces still count
      code = std::max(code, failure.code());
      json.push_back({{"trace", file}, {"error", failure.what()}});
      streams.err << "futexmc: " << failure.what() << "\n";
    }
  }
  if (options.format == Format::json) {
    streams.out << dump({{"exit_code", code}, {"replays", json}}) << "\n";
  }
  return code;
}

}  // namespace futexmc::cli
