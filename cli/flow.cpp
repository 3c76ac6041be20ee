// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/flow.hpp"

#include <algorithm>
#include <optional>

#include "checker/story.hpp"
#include "checker/wording.hpp"

namespace futexmc::cli {
namespace {

using checker::Replay;
using checker::Step;

/// The calls, without the thread's own code, which is no function.
std::vector<std::string> kernel_calls(std::vector<std::string> calls) {
  calls.erase(std::remove(calls.begin(), calls.end(), "user"), calls.end());
  return calls;
}

const checker::Violation* violation_of(const Replay& replay, const checker::Trace& trace) {
  for (const checker::Violation& violation : replay.violations) {
    if (violation.property == trace.property && violation.message == trace.message) {
      return &violation;
    }
  }
  return nullptr;
}

FlowStep flow_step(const Replay& replay, std::size_t agent, const Step& step, std::string text) {
  FlowStep made;
  made.agent = replay.agents[agent];
  made.event = agent >= replay.threads;
  made.text = std::move(text);
  made.calls = kernel_calls(step.calls);
  if (step.line > 0) {  // user space is not in the model's sources
    made.file = step.file;
    made.line = step.line;
  }
  return made;
}

/// A violation that no step is to blame for.
FlowStep between_steps(const char* text) {
  FlowStep made;
  made.event = made.told = made.violating = true;
  made.text = text;
  return made;
}

}  // namespace

Flow flow_of(checker::Program& program, const checker::Trace& trace) {
  const Replay replay = checker::replay(program, trace);
  const checker::Wording wording(replay.steps);
  const checker::Violation* const violation = violation_of(replay, trace);
  const bool at_end = violation != nullptr && violation->at_end;
  checker::Ending ending;
  if (violation != nullptr && !at_end && violation->step > 0) {
    ending.violating = violation->step - 1;
  }
  for (const checker::Blocked& blocked : replay.blocked) {
    ending.awaited.push_back(blocked.next.object);
  }
  const std::vector<bool> told = checker::select_steps(replay.steps, replay.threads, ending);

  Flow flow;
  if (violation != nullptr && !at_end && violation->step == 0) {
    flow.push_back(between_steps("initial state"));
  }
  for (std::size_t i = 0; i < replay.steps.size(); ++i) {
    const checker::RecordedStep& step = replay.steps[i];
    const bool event = step.agent >= replay.threads;
    flow.push_back(flow_step(replay, step.agent, step.step,
                             event ? wording.of_event(step) : wording.of(step)));
    flow.back().told = told[i];
    flow.back().violating = ending.violating == i;
  }
  if (!at_end) return flow;
  bool blamed = false;
  for (const checker::Blocked& blocked : replay.blocked) {
    flow.push_back(flow_step(replay, blocked.thread, blocked.next, wording.of(blocked.next)));
    flow.back().told = true;
    flow.back().violating = trace.message.find(flow.back().agent) != std::string::npos;
    if (!flow.back().violating) flow.back().text += "  /* waits */";
    blamed |= flow.back().violating;
  }
  if (!blamed) flow.push_back(between_steps("end"));
  return flow;
}

Json to_json(const Flow& flow) {
  Json json = Json::array();
  for (const FlowStep& step : flow) {
    json.push_back({step.agent, step.event, step.text, step.calls, step.file, step.line, step.told,
                    step.violating});
  }
  return json;
}

Flow flow_from(const Json& json) {
  Flow flow;
  for (const Json& step : json) {
    flow.push_back({step.at(0), step.at(1), step.at(2), step.at(3).get<std::vector<std::string>>(),
                    step.at(4), step.at(5), step.at(6), step.at(7)});
  }
  return flow;
}

}  // namespace futexmc::cli
