// SPDX-License-Identifier: GPL-2.0-or-later
//
// The minimiser's slow, obvious counterparts.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/minimize.hpp"
#include "checker/store.hpp"

namespace futexmc::checker {

using Signature = std::pair<std::string, std::string>;

/// The obvious way, to check the minimiser against: takes every schedule, merging no states, and
/// keeps the least cost of each signature.
class EverySchedule final : public Monitor {
 public:
  EverySchedule(Program& program, bool movers) : machine_(program) {
    rt.monitor = this;
    machine_.reset(movers, true);
    StateStore store(machine_, budget_);
    rt.recorder = &steps_;
    visit(store, store.save());
    rt.recorder = nullptr;
    rt.monitor = nullptr;
  }
  void violation(std::string_view property, std::string_view message) override {
    const Cost now = cost();
    const auto [at, fresh] = best.try_emplace({std::string(property), std::string(message)}, now);
    if (!fresh && now < at->second) at->second = now;
  }
  void discipline_broken(std::uint32_t /*cell*/) override { ADD_FAILURE(); }

  std::map<Signature, Cost> best;

 private:
  void visit(StateStore& store, StateStore::Snapshot snapshot) {
    const AgentMask enabled = machine_.enabled();
    machine_.program().check_state(*this);
    if (machine_.is_final(enabled)) {
      machine_.program().check_final(machine_.final_state(), *this);
    }
    for (std::size_t agent = 0; agent < machine_.agent_count(); ++agent) {
      for (unsigned i = 0; ((enabled >> agent) & 1) != 0; ++i) {
        store.restore(snapshot);
        if (i >= machine_.alternatives(agent)) break;
        const std::size_t mark = steps_.size();
        machine_.step(agent, i);
        visit(store, store.save());
        steps_.resize(mark);
      }
    }
  }

  Cost cost() const {
    Cost cost;
    std::set<int> threads;
    int last = -1;
    for (const Step& step : steps_) {
      const auto agent = static_cast<std::size_t>(step.agent);
      if (machine_.is_thread(agent)) {
        ++cost.operations;
        threads.insert(step.agent);
        if (last >= 0 && last != step.agent) ++cost.switches;
        last = step.agent;
      } else {
        ++cost.events;
        if (!machine_.events()[agent - machine_.thread_count()].owed) ++cost.optional_events;
      }
    }
    cost.threads = static_cast<std::uint32_t>(threads.size());
    return cost;
  }

  Machine machine_;
  Budget budget_{~std::size_t{0}};
  std::vector<Step> steps_;
};

/// Whether taking exactly `path` shows exactly this signature.
class Shows final : public Monitor {
 public:
  Shows(Program& program, const Path& path, bool movers, Signature wanted)
      : wanted_(std::move(wanted)) {
    rt.monitor = this;
    Machine machine(program);
    machine.reset(movers, true);
    for (const Choice choice : path) {
      EXPECT_NE((machine.enabled() >> choice.agent) & 1, 0U);
      machine.step(choice.agent, choice.alternative);
      program.check_state(*this);
    }
    if (machine.is_final(machine.enabled())) program.check_final(machine.final_state(), *this);
    rt.monitor = nullptr;
  }
  void violation(std::string_view property, std::string_view message) override {
    seen = seen || wanted_ == Signature(property, message);
  }
  void discipline_broken(std::uint32_t /*cell*/) override {}
  bool seen = false;

 private:
  Signature wanted_;
};

}  // namespace futexmc::checker
