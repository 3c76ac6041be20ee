// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/scenarios.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "checker/arena.hpp"
#include "cli/failure.hpp"
#include "cli/places.hpp"
#include "model/scenario/limits.hpp"
#include "model/world.hpp"

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kExtension = ".futex";

}  // namespace

Names scenario_names() {
  Names names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scenario_directory(), ignored)) {
    if (entry.path().extension() == kExtension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string scenario_path(const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       name_or_path.ends_with(kExtension);
  if (is_path) return name_or_path;
  require("scenario", name_or_path, scenario_names());
  return shown(scenario_directory() / (name_or_path + kExtension));
}

Names each_once(const Names& names, Streams& streams) {
  Names once;
  std::set<fs::path> seen;
  for (const std::string& name : names) {
    std::error_code ignored;
    const std::string path = scenario_path(name);
    const fs::path file = fs::weakly_canonical(path, ignored);
    if (seen.insert(file.empty() ? fs::path(path) : file).second) {
      once.push_back(name);
    } else {
      streams.err << fmt::format("futexmc: scenario '{}' is named twice and counts once\n", name);
    }
  }
  return once;
}

scenario::Scenario parse_scenario(const std::string& text, const std::string& place) {
  scenario::Result parsed = scenario::parse(text, place);
  if (!parsed) {
    std::string message;
    for (const scenario::Diagnostic& one : parsed.diagnostics) message += scenario::render(one);
    while (message.ends_with('\n')) message.pop_back();
    throw Failure(exit_code::kBadInput, message);
  }
  const std::size_t agents = model::agent_count(*parsed.scenario);
  if (agents > checker::kMaxAgents) {
    throw Failure(exit_code::kBadInput,
                  fmt::format("{}: error: its threads and the events of its budgets are {} "
                              "agents, more than the {} that can be searched",
                              place, agents, checker::kMaxAgents));
  }
  return std::move(*parsed.scenario);
}

scenario::Scenario load_scenario(const std::string& name_or_path) {
  const std::string path = scenario_path(name_or_path);
  // One byte more than the language takes, so that its own diagnostic says so.
  return parse_scenario(read_file(path, scenario::kMaxSourceBytes + 1), path);
}

std::vector<scenario::Scenario> load_scenarios(const std::vector<std::string>& names) {
  std::vector<scenario::Scenario> scenarios;
  std::string malformed;
  for (const std::string& name : names.empty() ? scenario_names() : names) {
    try {
      scenarios.push_back(load_scenario(name));
    } catch (const Failure& failure) {
      if (failure.code() != exit_code::kBadInput) throw;
      malformed += (malformed.empty() ? "" : "\n") + std::string(failure.what());
    }
  }
  if (!malformed.empty()) throw Failure(exit_code::kBadInput, malformed);
  return scenarios;
}

// Each thread's buffer drains as one more agent.
void require_room(const std::vector<scenario::Scenario>& scenarios, checker::Memory memory) {
  if (memory == checker::Memory::sc) return;
  for (const scenario::Scenario& scenario : scenarios) {
    const std::size_t agents = model::agent_count(scenario) + scenario.threads.size() + 1;
    if (agents <= checker::kMaxAgents) continue;
    throw Failure(exit_code::kUsage,
                  fmt::format("scenario '{}' has {} agents with store buffers, more than the {} "
                              "that can be searched",
                              scenario.name, agents, checker::kMaxAgents));
  }
}

}  // namespace futexmc::cli
