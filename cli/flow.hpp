// SPDX-License-Identifier: GPL-2.0-or-later
//
// An execution step by step, for programs that show it beside the code: every step, in the words of
// the story, with the place in the model that it comes from.
#pragma once

#include <string>
#include <vector>

#include "checker/replay.hpp"
#include "cli/streams.hpp"

namespace futexmc::cli {

struct FlowStep {
  std::string agent;  ///< thread or event
  bool event = false;
  std::string text;                ///< "atomic_inc(&hb0.waiters)  0 -> 1"
  std::vector<std::string> calls;  ///< functions of the kernel's it is in, outermost first
  std::string file;                ///< of the operation in the model; empty where it is nowhere
  int line = 0;
  bool told = false;       ///< the story has it
  bool violating = false;  ///< this is where it goes wrong
};
using Flow = std::vector<FlowStep>;

/// Replays the trace. After the last step comes, if everybody is stuck, what each would do next.
Flow flow_of(checker::Program& program, const checker::Trace& trace);

Json to_json(const Flow& flow);
Flow flow_from(const Json& json);

}  // namespace futexmc::cli
