// SPDX-License-Identifier: GPL-2.0-or-later
//
// `futexmc prove`: theorems on a variant of the kernel, in a table.
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/places.hpp"
#include "cli/proofs.hpp"
#include "cli/units.hpp"
#include "cli/variants.hpp"

namespace futexmc::cli {

using properties::proofs::Answer;
using properties::proofs::Claim;
using properties::proofs::Limits;
using properties::proofs::Theorem;

Names theorem_names() {
  Names names;
  for (const Theorem& theorem : properties::proofs::theorems()) names.push_back(theorem.id);
  return names;
}

std::vector<const Theorem*> default_theorems(const model::Variant& variant, bool deep) {
  std::vector<const Theorem*> chosen;
  for (const Theorem& theorem : properties::proofs::theorems()) {
    if ((deep || !theorem.deep) && theorem.applies(variant)) chosen.push_back(&theorem);
  }
  return chosen;
}

int proof_exit_code(const std::vector<Claim>& claims) {
  static constexpr std::array<int, 5> kOrder = {13, 11, 10, 12, 14};
  std::size_t worst = kOrder.size();
  bool unknown = false;
  for (const Claim& claim : claims) {
    unknown |= claim.answer == Answer::unknown;
    if (claim.answer != Answer::refuted) continue;
    const int code = properties::proofs::find_theorem(claim.theorem)->exit_code;
    const auto at = std::find(kOrder.begin(), kOrder.end(), code) - kOrder.begin();
    worst = std::min(worst, static_cast<std::size_t>(at));
  }
  if (worst != kOrder.size()) return kOrder[worst];
  return unknown ? exit_code::kBound : 0;
}

namespace {

std::vector<const Theorem*> selected(const Names& names, const model::Variant& variant,
                                     bool deep) {
  if (names.empty()) return default_theorems(variant, deep);
  std::vector<const Theorem*> chosen;
  for (const std::string& name : names) {
    require("theorem", name, theorem_names());
    const Theorem* const theorem = properties::proofs::find_theorem(name);
    if (!theorem->applies(variant)) {
      throw Failure(exit_code::kUsage, fmt::format("theorem '{}' says nothing about {}", name,
                                                   properties::proofs::describe(variant)));
    }
    if (std::find(chosen.begin(), chosen.end(), theorem) == chosen.end()) chosen.push_back(theorem);
  }
  return chosen;
}

/// The files written for one theorem, or why there are none.
struct Written {
  Names files;
  std::string problem;
};

Written write_litmus(const Theorem& theorem, const model::Variant& variant, const Limits& limits,
                     const std::string& directory) {
  Written written;
  const futexmc::proofs::Watch watch(
      limits.seconds == 0 ? properties::proofs::kSeconds : limits.seconds, limits.interrupt);
  Limits watched = limits;
  watched.watch = &watch;
  std::vector<properties::proofs::LitmusTest> tests;
  try {
    tests = theorem.litmus(theorem.id, variant, watched);
  } catch (const std::exception& error) {
    written.problem = fmt::format("no litmus tests of {}: {}", theorem.id, error.what());
  }
  for (const auto& test : tests) {
    const auto path = std::filesystem::path(directory) / (test.name + ".litmus");
    write_file(path, test.text);
    written.files.push_back(path.string());
  }
  return written;
}

/// Refuted without the patches and knock-outs too.
bool is_kernels_own(const Claim& claim, const std::string& kernel, const Limits& limits) {
  if (claim.answer != Answer::refuted) return false;
  const model::Variant bare = model::make_variant(kernel, {}, {});
  const Theorem& theorem = *properties::proofs::find_theorem(claim.theorem);
  return theorem.applies(bare) &&
         properties::proofs::decide(theorem, bare, limits).answer == Answer::refuted;
}

Json to_json(const Claim& claim) {
  Json json = {{"theorem", claim.theorem},
               {"variant", claim.variant},
               {"bound", claim.bound},
               {"verdict", to_string(claim.answer)},
               {"assumptions", claim.assumptions},
               {"seconds", claim.seconds}};
  if (!claim.reason.empty()) json["reason"] = claim.reason;
  if (!claim.execution.empty()) json["execution"] = claim.execution;
  if (!claim.checks.empty()) json["checks"] = claim.checks;
  return json;
}

std::string table(const std::vector<Claim>& claims) {
  std::size_t names = 7;
  std::size_t bounds = 5;
  for (const Claim& claim : claims) {
    names = std::max(names, claim.theorem.size());
    bounds = std::max(bounds, claim.bound.size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  verdict     time\n", "theorem", names, "bound",
                                 bounds);
  for (const Claim& claim : claims) {
    text += fmt::format("{:<{}}  {:<{}}  {:<8} {:>7}\n", claim.theorem, names, claim.bound, bounds,
                        to_string(claim.answer), short_seconds(claim.seconds));
  }
  return text;
}

std::string details(const Claim& claim) {
  const Theorem& theorem = *properties::proofs::find_theorem(claim.theorem);
  if (claim.answer == Answer::unknown) {
    return fmt::format("\n{} unknown: {}\n", claim.theorem, claim.reason);
  }
  std::string text = fmt::format("\n{} {}: {}\n", claim.theorem, to_string(claim.answer),
                                 theorem.statement);
  for (const std::string& line : claim.execution) text += "    " + line + "\n";
  for (const std::string& check : claim.checks) text += "    " + check + "\n";
  return text;
}

/// Each assumption once, with the theorems that rest on it.
std::string assumptions(const std::vector<Claim>& claims) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Claim& claim : claims) {
    for (const std::string& assumption : claim.assumptions) {
      auto it = std::find_if(all.begin(), all.end(),
                             [&](const auto& one) { return one.first == assumption; });
      if (it == all.end()) it = all.insert(all.end(), {assumption, ""});
      it->second += (it->second.empty() ? "" : ", ") + claim.theorem;
    }
  }
  std::string text = all.empty() ? "" : "\nAssumed:\n";
  for (const auto& [assumption, theorems] : all) {
    text += fmt::format("  {}\n    ({})\n", assumption, theorems);
  }
  return text;
}

std::string report(const std::vector<Claim>& claims) {
  std::string text = table(claims);
  for (const Claim& claim : claims) text += details(claim);
  return text + assumptions(claims);
}

}  // namespace

int prove(const ProveOptions& options, Streams& streams) {
  const model::Variant variant = named_variant(
      options.kernel.empty() ? kBaseKernel : options.kernel, options.patches, options.knockouts);
  if (options.new_only && options.patches.empty() && options.knockouts.empty()) {
    throw Failure(exit_code::kUsage, "--new-only needs a --patch or a --knockout");
  }
  Limits limits;
  if (!options.max_time.empty()) {
    limits.seconds = parse_seconds("--max-time", options.max_time);
  }
  limits.interrupt = &interrupted();
  const auto theorems = selected(options.theorems, variant, options.deep);
  if (!options.litmus.empty()) {
    const bool some = std::any_of(theorems.begin(), theorems.end(),
                                  [](const Theorem* one) { return one->litmus != nullptr; });
    if (!some) throw Failure(exit_code::kUsage, "--litmus: no theorem asked for has litmus tests");
    make_directory(options.litmus);
  }
  std::vector<Claim> claims;
  std::vector<Written> written;
  std::set<std::string> shared;  // by the kernel alone
  for (const Theorem* const theorem : theorems) {
    claims.push_back(properties::proofs::decide(*theorem, variant, limits));
    if (options.new_only && is_kernels_own(claims.back(), variant.kernel, limits)) {
      shared.insert(theorem->id);
    }
    const bool writes = !options.litmus.empty() && theorem->litmus != nullptr;
    written.push_back(writes ? write_litmus(*theorem, variant, limits, options.litmus) : Written{});
  }
  if (options.format == Format::json) {
    Json all = Json::array();
    for (std::size_t i = 0; i < claims.size(); ++i) {
      all.push_back(to_json(claims[i]));
      if (!written[i].files.empty()) all.back()["litmus"] = written[i].files;
      if (options.new_only) all.back()["shared_with_base"] = shared.contains(claims[i].theorem);
    }
    streams.out << dump({{"theorems", all}}) << "\n";
  } else {
    streams.out << report(claims);
    for (const std::string& theorem : shared) {
      streams.out << fmt::format("\n{} is refuted on {} without anything, and does not count\n",
                                 theorem, variant.kernel);
    }
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (written[i].files.empty()) continue;
      streams.out << fmt::format("{} litmus tests of {} written to {}\n", written[i].files.size(),
                                 claims[i].theorem, options.litmus);
    }
  }
  bool unwritten = false;
  for (const Written& one : written) {
    if (one.problem.empty()) continue;
    streams.err << fmt::format("futexmc: {}\n", one.problem);
    unwritten = true;
  }
  std::erase_if(claims, [&](const Claim& claim) { return shared.contains(claim.theorem); });
  const int code = proof_exit_code(claims);
  if (code == 0 && unwritten) return exit_code::kBound;
  const bool timed = std::any_of(claims.begin(), claims.end(), [](const Claim& claim) {
    return claim.answer == Answer::unknown && (claim.reason == futexmc::proofs::kOutOfTime ||
                                               claim.reason == futexmc::proofs::kInterrupted);
  });
  return code == exit_code::kBound && timed ? exit_code::kTime : code;
}

}  // namespace futexmc::cli
