// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a trace is about: its scenario, source included, and its variant.
// properties::trace_subject() writes it, this reads it back.
#pragma once

#include <string>

#include "checker/trace.hpp"
#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"

namespace futexmc::cli {

struct Subject {
  scenario::Scenario scenario;
  model::Variant variant;
  bool same_model = false;  ///< made by this version of the model
};

/// A trace that can be run.
struct LoadedTrace {
  std::string path;
  checker::Trace trace;
  Subject subject;
};

/// Throws Failure: bad input, with the place, if the file is not a trace or its subject is unknown.
LoadedTrace load_trace(const std::string& path);
/// `place` names the file in messages.
Subject read_subject(const nlohmann::ordered_json& json, const std::string& place);

}  // namespace futexmc::cli
