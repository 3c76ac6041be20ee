// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the scenarios reach: each visible operation in the model's sources is executed by some
// scenario on some row, and each property has something to look at somewhere.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "checker/coverage.hpp"
#include "checker/search.hpp"
#include "model/scenario/scenario.hpp"
#include "properties/futex_program.hpp"
#include "properties/property.hpp"

namespace futexmc {
namespace {

namespace fs = std::filesystem;
using Place = std::pair<std::string, int>;  // file name without directory, line

/// Scenarios that together reach everything and are small.
const std::vector<std::string> kScenarios = {
    "wait-wake", "wait-wake-private", "wait-signal", "wait-again", "bitset", "first-clone",
    "wake-global", "wake-resize", "wake-resize-twice", "wait-timeout-resize",
    "wait-spurious-resize", "set-slots-race", "set-slots-global-race", "allocation-fails",
    "futex-hash-repro", "shared-key", "collision", "page-fault", "requeue", "requeue-fault",
    "requeue-resize", "wake-op-both", "wake-op-fault", "waitv", "waitv-fault", "waitv-timeout",
    "waitv-signal", "waitv-resize", "priority-requeue", "flags-refused", "wait-restart",
    "pi-lock", "pi-timeout", "pi-trylock", "pi-signal", "pi-fault", "pi-steal", "pi-chain",
    "pi-chain-timeout", "pi-timeout-resize", "pi-unlock-refused", "pi-wake-refused", "requeue-pi",
    "requeue-pi-free", "requeue-pi-timeout", "requeue-pi-signal", "requeue-pi-chain",
    "requeue-pi-steal"};

scenario::Scenario load(const std::string& name) {
  std::ifstream file(fs::path(FUTEXMC_SCENARIO_DIR) / (name + ".futex"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return *scenario::parse(text, name).scenario;
}

struct Reached {
  std::set<Place> places;
  std::set<std::string> meaningful;
};

const Reached& reached() {
  static const Reached result = [] {
    Reached found;
    checker::Coverage coverage;
    for (const char* kernel : {"v7.3", "v7.2", "v7.1"}) {
      for (const auto& patch : std::vector<std::vector<std::string>>{
               {}, {"bucket-ref-draft-1"}, {"bucket-ref-tglx"}, {"mismatch-precheck"},
               {"requeue-pi-acquire"}, {"rwsem-gate-get"}}) {
        for (const std::string& name : kScenarios) {
          if (kernel != std::string("v7.3") && (!patch.empty() || (name != "wake-resize" &&
                                                                 name != "pi-timeout-resize"))) {
            continue;
          }
          if (!patch.empty() && name != "wake-global" && name != "shared-key" &&
              name != "wait-wake-private" && name != "waitv" && name != "requeue-pi") {
            continue;
          }
          const scenario::Scenario scenario = load(name);
          const model::Variant variant = model::make_variant(kernel, patch, {});
          properties::FutexProgram program(scenario, variant);
          checker::Options options;
          options.coverage = &coverage;
          checker::depth_first(program, options);
          found.meaningful.merge(program.meaningful());
        }
      }
    }
    for (const auto& [place, site] : coverage.sites()) {
      found.places.emplace(fs::path(place.first).filename().string(), place.second);
    }
    const scenario::Scenario scenario = load("wait-wake");
    const model::Variant variant = model::make_variant("v7.3", {}, {});
    properties::FutexProgram races(scenario, variant);
    races.look_for_races();
    checker::depth_first(races, {});
    found.meaningful.merge(races.meaningful());
    return found;
  }();
  return result;
}

/// Calls of visible operations in a source file. What is knocked out by default does not count.
std::vector<Place> operations_in(const fs::path& path) {
  static const std::regex call(
      R"(\b(READ_ONCE|WRITE_ONCE|read_plain|write_plain|read_immutable|smp_load_acquire|)"
      R"(smp_store_release|rcu_assign_pointer|rcu_dereference|smp_mb|atomic_inc|atomic_dec|)"
      R"(atomic_long_\w+|spin_lock|spin_unlock|call_rcu|kvfree|kvfree_rcu|schedule|)"
      R"(set_current_state|__set_current_state|wake_up_process|hrtimer_\w+|get_user_\w+|)"
      R"(user_update_inatomic|)"
      R"(get_state_synchronize_rcu|poll_state_synchronize_rcu|signal_pending)\()");
  std::vector<Place> places;
  std::ifstream file(path);
  int number = 0;
  std::string closing;  // of a block that only runs when something is knocked out
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string indent = line.substr(0, line.find_first_not_of(' '));
    if (!closing.empty()) {
      if (line == closing) closing.clear();
      continue;
    }
    const bool knocked = line.starts_with(indent + "if (knocked(") ||
                         line.find("&& knocked(") != std::string::npos;
    if (knocked && line.back() == '{') closing = indent + "}";
    const bool comment = line.starts_with(indent + "//");
    const bool definition = indent.empty() || line.find("Loc loc") != std::string::npos;
    if (!knocked && !comment && !definition && std::regex_search(line, call)) {
      places.emplace_back(path.filename().string(), number);
    }
  }
  return places;
}

TEST(SlowCoverage, EveryOperationOfTheSubsystemIsReached) {
  const fs::path model = fs::path(FUTEXMC_SCENARIO_DIR).parent_path();
  std::string unreached;
  for (const char* directory : {"futex", "patches"}) {
    for (const auto& entry : fs::directory_iterator(model / directory)) {
      if (entry.path().extension() != ".cpp") continue;
      for (const Place& place : operations_in(entry.path())) {
        if (!reached().places.contains(place)) {
          unreached += place.first + ":" + std::to_string(place.second) + "\n";
        }
      }
    }
  }
  EXPECT_EQ(unreached, "");
}

TEST(SlowCoverage, EveryPropertyHasSomethingToLookAt) {
  for (const properties::Property& property : properties::all()) {
    EXPECT_TRUE(reached().meaningful.contains(property.id)) << property.id << " is vacuous";
  }
}

}  // namespace
}  // namespace futexmc
