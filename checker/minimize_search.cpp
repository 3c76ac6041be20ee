// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/minimize_search.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <new>

#include "checker/store.hpp"

namespace futexmc::checker {
namespace {

constexpr std::uint32_t kNone = ~0U;

struct Node {
  std::uint32_t state;
  std::uint32_t parent;
  Choice choice;
  std::uint8_t last;   ///< thread that ran last
  std::uint8_t ahead;  ///< switches that are certain to come
};

/// A state whatever ran last.
struct Known {
  StateStore::Snapshot snapshot;
  Cost least;             ///< of the nodes settled
  std::uint16_t settled;  ///< the `last` of nodes settled
};

class Cheapest {
 public:
  Cheapest(Machine& machine, Watch& watch, const Wanted& wanted, AgentMask agents,
           Allowance& allowance)
      : machine_(machine), watch_(watch), agents_(agents), in_final_state_(wanted.in_final_state),
        best_cost_(wanted.bound), allowance_(allowance), budget_(allowance.options.max_bytes) {}

  std::optional<Execution> run() {
    try {
      search();
    } catch (const std::bad_alloc&) {
      allowance_.limit = Limit::memory;
    }
    // What was found before a limit is an answer, if not a proved one.
    if (best_node_ == kNone) return std::nullopt;
    return Execution{path(), best_cost_, true, false};
  }

 private:
  void search() {
    store_.emplace(machine_, budget_);
    push(kNone, {}, kNoThread, Cost{});
    while (!queue_.empty() && queue_.begin()->first < best_cost_) {
      if (watch_.broken() || allowance_.exhausted()) return;
      if (budget_.used() + queued_ * sizeof(std::uint32_t) * 2 > allowance_.options.max_bytes) {
        throw std::bad_alloc();
      }
      const auto [cost, node] = pop();
      if (!dominated(states_[nodes_[node].state], nodes_[node].last, cost)) settle(node, cost);
    }
  }

  std::pair<Cost, std::uint32_t> pop() {
    const auto bucket = queue_.begin();
    std::pair<Cost, std::uint32_t> top{bucket->first, bucket->second.back()};
    top.first.switches -= nodes_[top.second].ahead;
    bucket->second.pop_back();
    --queued_;
    if (bucket->second.empty()) queue_.erase(bucket);
    return top;
  }

  static bool dominated(const Known& state, std::uint8_t last, Cost cost) {
    if (state.settled == 0) return false;
    if (((state.settled >> last) & 1) != 0) return true;
    Cost with_switch = state.least;
    ++with_switch.switches;
    return with_switch <= cost;
  }

  void settle(std::uint32_t id, Cost cost) {
    const Node node = nodes_[id];
    Known& state = states_[node.state];
    store_->restore(state.snapshot);
    if (state.settled == 0) {
      ++allowance_.states;
      if (shows_here(machine_, watch_)) return best(id, cost);
    }
    if (state.settled == 0 || cost < state.least) state.least = cost;
    state.settled = static_cast<std::uint16_t>(state.settled | (1U << node.last));
    const AgentMask enabled = machine_.enabled() & agents_;
    for (std::size_t agent = 0; agent < machine_.agent_count(); ++agent) {
      if (((enabled >> agent) & 1) == 0) continue;
      const unsigned alternatives = machine_.alternatives(agent);
      for (unsigned i = 0; i < alternatives; ++i) {
        step(id, {static_cast<std::uint8_t>(agent), static_cast<std::uint8_t>(i)}, cost);
        store_->rewind(agent);
      }
    }
  }

  void step(std::uint32_t from, Choice choice, Cost cost) {
    watch_.arm();
    machine_.step(choice.agent, choice.alternative);
    std::uint8_t last = nodes_[from].last;
    const bool seen = watch_.seen();
    cost = cost_after(machine_, cost, last, choice.agent,
                      seen ? watch_.operations() : rt.operations);
    if (!(cost < best_cost_)) return;
    if (!seen) return push(from, choice, last, cost);
    nodes_.push_back({kNone, from, choice, last, 0});
    best(static_cast<std::uint32_t>(nodes_.size() - 1), cost);
  }

  /// Queues the state at hand.
  void push(std::uint32_t parent, Choice choice, std::uint8_t last, Cost cost) {
    const auto [id, fresh] = fingerprints_.intern(machine_.fingerprint());
    if (fresh) states_.push_back({store_->save(), {}, 0});
    if (dominated(states_[id], last, cost)) return;
    const std::uint8_t ahead = switches_ahead(last);
    cost.switches += ahead;
    if (!(cost < best_cost_)) return;
    queue_[cost].push_back(static_cast<std::uint32_t>(nodes_.size()));
    ++queued_;
    nodes_.push_back({id, parent, choice, last, ahead});
  }

  /// Towards a final state, each other thread that is ready whatever happens must get its turn.
  /// Each such turn is a switch, and takes one thread off this count: the estimate is consistent.
  std::uint8_t switches_ahead(std::uint8_t last) const {
    if (!in_final_state_) return 0;
    AgentMask mask = ready_whatever_happens(machine_);
    if (last == kNoThread) {
      mask &= mask - 1;  // whoever comes first comes without a switch
    } else {
      mask &= ~(1U << last);
    }
    return static_cast<std::uint8_t>(std::popcount(mask));
  }

  void best(std::uint32_t node, Cost cost) {
    best_node_ = node;
    best_cost_ = cost;
  }

  Path path() const {
    Path path;
    for (std::uint32_t id = best_node_; nodes_[id].parent != kNone; id = nodes_[id].parent) {
      path.push_back(nodes_[id].choice);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  Machine& machine_;
  Watch& watch_;
  const AgentMask agents_;
  const bool in_final_state_;
  Cost best_cost_;
  std::uint32_t best_node_ = kNone;
  Allowance& allowance_;
  Budget budget_;
  std::optional<StateStore> store_;
  Interner<Hash128> fingerprints_{budget_};
  Segments<Known> states_{budget_};
  Segments<Node> nodes_{budget_};
  std::map<Cost, std::vector<std::uint32_t>> queue_;
  std::size_t queued_ = 0;
};

}  // namespace

bool Allowance::exhausted() {
  if (states >= options.max_states) limit = Limit::states;
  // The clock is read each time: a step down here costs many times more.
  if (std::chrono::steady_clock::now() >= deadline) limit = Limit::time;
  if (options.interrupt != nullptr && options.interrupt->load()) limit = Limit::interrupted;
  return limit != Limit::none;
}

std::optional<Execution> cheapest(Machine& machine, Watch& watch, AgentMask threads,
                                  Wanted wanted, bool movers, Allowance& allowance) {
  machine.reset(movers, allowance.options.scoped);
  if (watch.broken()) return std::nullopt;
  const AgentMask all_threads = (1U << machine.thread_count()) - 1;
  // Costs within one set of threads are compared without their number.
  wanted.bound.threads = 0;
  Cheapest search(machine, watch, wanted, threads | ~all_threads, allowance);
  return search.run();
}

}  // namespace futexmc::checker
