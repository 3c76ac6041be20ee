// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/livelock.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>

#include "checker/store.hpp"

namespace futexmc::checker {
namespace {

constexpr std::uint32_t kNone = ~0U;
constexpr std::uint32_t kTicksPerClock = 1024;

struct Edge {
  std::uint32_t to;
  Choice choice;
};

/// All states that can be reached from the one at hand, numbered in the order of discovery.
class Graph {
 public:
  Graph(Machine& machine, const Options& options)
      : machine_(machine), options_(options), budget_(options.max_bytes) {}

  /// With `until_final`, ends at the first final state.
  void explore(bool until_final) {
    try {
      store_.emplace(machine_, budget_);
      arrive(kNone, {});
      while (first_edge_.size() < size() && limit == Limit::none) {
        if (until_final && any_final) break;
        expand(static_cast<std::uint32_t>(first_edge_.size()));
      }
      first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
      store_->restore(snapshots_[0]);
    } catch (const std::bad_alloc&) {
      limit = Limit::memory;
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(snapshots_.size()); }
  std::uint32_t first_edge(std::uint32_t id) const { return first_edge_[id]; }
  const Edge& edge(std::uint32_t i) const { return edges_[i]; }
  bool is_final(std::uint32_t id) const { return final_[id]; }
  const Hash128& fingerprint(std::uint32_t id) const { return fingerprints_[id]; }

  Path path(std::uint32_t id) const {
    Path path;
    for (; parents_[id] != kNone; id = parents_[id]) path.push_back(choices_[id]);
    std::reverse(path.begin(), path.end());
    return path;
  }

  Limit limit = Limit::none;
  bool any_final = false;

 private:
  void expand(std::uint32_t id) {
    store_->restore(snapshots_[id]);
    first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    const AgentMask enabled = machine_.enabled();
    for (std::size_t agent = 0; agent < machine_.agent_count(); ++agent) {
      if (((enabled >> agent) & 1) == 0) continue;
      const unsigned alternatives = machine_.alternatives(agent);
      for (unsigned i = 0; i < alternatives; ++i) {
        const Choice choice = {static_cast<std::uint8_t>(agent), static_cast<std::uint8_t>(i)};
        machine_.step(agent, i);
        edges_.push_back({arrive(id, choice), choice});
        store_->rewind(agent);
      }
    }
    check_limits();
  }

  std::uint32_t arrive(std::uint32_t from, Choice choice) {
    const auto [id, fresh] = fingerprints_.intern(machine_.fingerprint());
    if (!fresh) return id;
    snapshots_.push_back(store_->save());
    parents_.push_back(from);
    choices_.push_back(choice);
    final_.push_back(machine_.is_final(machine_.enabled()));
    any_final |= final_[id];
    return id;
  }

  void check_limits() {
    if (size() >= options_.max_states) limit = Limit::states;
    if (++ticks_ % kTicksPerClock != 0) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (elapsed.count() > options_.max_seconds) limit = Limit::time;
    const bool interrupted = options_.interrupt != nullptr && options_.interrupt->load();
    if (interrupted) limit = Limit::interrupted;
  }

  Machine& machine_;
  const Options& options_;
  Budget budget_;
  std::optional<StateStore> store_;
  Interner<Hash128> fingerprints_{budget_};
  Segments<StateStore::Snapshot> snapshots_{budget_};
  Segments<std::uint32_t> parents_{budget_};
  Segments<Choice> choices_{budget_};
  Segments<bool> final_{budget_};
  Segments<std::uint32_t> first_edge_{budget_};
  Segments<Edge> edges_{budget_};
  std::uint32_t ticks_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The states that lead to a final one.
std::vector<bool> live_states(const Graph& graph) {
  std::vector<bool> live(graph.size());
  // Transitions mostly lead to later numbers, so a few sweeps from the end will do.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t id = graph.size(); id-- > 0;) {
      if (live[id]) continue;
      bool now = graph.is_final(id);
      for (std::uint32_t i = graph.first_edge(id); !now && i < graph.first_edge(id + 1); ++i) {
        now = live[graph.edge(i).to];
      }
      live[id] = now;
      changed |= now;
    }
  }
  return live;
}

/// Who goes on for ever after a state: whatever happens, and in some executions.
struct Spinners {
  AgentMask surely = 0;
  AgentMask maybe = 0;
  auto operator<=>(const Spinners&) const = default;
};

/// The spinners of each livelocked state: the agents of the strongly connected components
/// that cannot be left (R. Tarjan, Depth-First Search and Linear Graph Algorithms, 1972).
/// Livelocked states lead to livelocked states only.
class Endless {
 public:
  Endless(const Graph& graph, const std::vector<bool>& live)
      : graph_(graph), spinners_(graph.size()), index_(graph.size()), low_(graph.size()) {
    for (std::uint32_t id = 0; id < graph.size(); ++id) {
      if (!live[id] && index_[id] == 0) walk(id);
    }
  }
  Spinners spinners(std::uint32_t id) const { return spinners_[id]; }

 private:
  static constexpr std::uint32_t kClosed = ~0U;  ///< its component is complete

  struct Call {
    std::uint32_t id;
    std::uint32_t edge;
  };

  void walk(std::uint32_t root) {
    open(root);
    while (!calls_.empty()) {
      Call& call = calls_.back();
      if (call.edge < graph_.first_edge(call.id + 1)) {
        follow(call.id, graph_.edge(call.edge++).to);
        continue;
      }
      const std::uint32_t id = call.id;
      calls_.pop_back();
      if (!calls_.empty()) low_[calls_.back().id] = std::min(low_[calls_.back().id], low_[id]);
      if (low_[id] == index_[id]) close(id);
    }
  }
  void open(std::uint32_t id) {
    index_[id] = low_[id] = ++counter_;
    stack_.push_back(id);
    calls_.push_back({id, graph_.first_edge(id)});
  }
  void follow(std::uint32_t from, std::uint32_t to) {
    if (index_[to] == 0) return open(to);
    if (index_[to] != kClosed) low_[from] = std::min(low_[from], index_[to]);
  }

  /// Of the components that this one leads to, all are complete.
  void close(std::uint32_t root) {
    const auto first = std::find(stack_.rbegin(), stack_.rend(), root).base() - 1;
    AgentMask inside = 0;
    Spinners after{~AgentMask{0}, 0};
    for (auto at = first; at != stack_.end(); ++at) {
      for (std::uint32_t i = graph_.first_edge(*at); i < graph_.first_edge(*at + 1); ++i) {
        const Edge& edge = graph_.edge(i);
        inside |= 1U << edge.choice.agent;
        if (index_[edge.to] != kClosed) continue;
        after.surely &= spinners_[edge.to].surely;
        after.maybe |= spinners_[edge.to].maybe;
      }
    }
    for (auto at = first; at != stack_.end(); ++at) {
      spinners_[*at] = after.maybe != 0 ? after : Spinners{inside, inside};
      index_[*at] = kClosed;
    }
    stack_.erase(first, stack_.end());
  }

  const Graph& graph_;
  std::vector<Spinners> spinners_;
  std::vector<std::uint32_t> index_;  ///< 0: not seen
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> stack_;
  std::vector<Call> calls_;
  std::uint32_t counter_ = 0;
};

/// Events count where no thread takes part.
std::string message_of(const Machine& machine, Spinners spinners) {
  const AgentMask all_threads = (1U << machine.thread_count()) - 1;
  const bool decided = (spinners.surely & all_threads) != 0;
  const AgentMask agents = decided ? spinners.surely : spinners.maybe;
  const AgentMask threads = agents & all_threads;
  std::vector<std::string> names;
  for (std::size_t agent = 0; agent < machine.agent_count(); ++agent) {
    const AgentMask shown = threads != 0 ? threads : agents;
    if (((shown >> agent) & 1) != 0) names.push_back(machine.agent_name(agent));
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* const last = decided ? " and " : " or ";
    if (i != 0) text += i + 1 == names.size() ? last : ", ";
    text += names[i];
  }
  text += names.size() == 1 || !decided ? " spins" : " spin";
  return "no final state can be reached any more: " + text;
}

bool comes_before(const Hash128& one, const Hash128& other) {
  return one.a != other.a ? one.a < other.a : one.b < other.b;
}

/// Hears nothing.
class Silence final : public Monitor {
 public:
  Silence() : before_(rt.monitor) { rt.monitor = this; }
  ~Silence() override { rt.monitor = before_; }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  void violation(std::string_view /*property*/, std::string_view /*message*/) override {}
  void discipline_broken(std::uint32_t /*cell*/) override {}
  void bound_reached(std::string_view /*what*/) override { reached = true; }

  bool reached = false;  ///< a bound of the program's own

 private:
  Monitor* before_;
};

}  // namespace

Livelocks find_livelocks(Program& program, const Options& options) {
  Machine machine(program);
  const Silence silence;
  machine.reset(false, options.scoped);
  Graph graph(machine, options);
  graph.explore(false);
  Livelocks result;
  result.states = graph.size();
  result.limit = silence.reached ? Limit::model : graph.limit;
  if (result.limit != Limit::none) return result;
  const std::vector<bool> live = live_states(graph);
  const Endless endless(graph, live);
  std::map<std::string, std::size_t> numbers;
  for (std::uint32_t id = 0; id < graph.size(); ++id) {
    if (live[id]) continue;
    const auto [at, fresh] = numbers.try_emplace(message_of(machine, endless.spinners(id)),
                                                 result.found.size());
    if (fresh) result.found.push_back({at->first, graph.path(id), {}});
    result.found[at->second].states.push_back(graph.fingerprint(id));
  }
  for (Livelock& livelock : result.found) {
    std::sort(livelock.states.begin(), livelock.states.end(), comes_before);
  }
  return result;
}

bool Livelock::has(const Hash128& fingerprint) const {
  return std::binary_search(states.begin(), states.end(), fingerprint, comes_before);
}

std::optional<std::string> livelock_here(Machine& machine, const Options& options, Limit& limit) {
  const Silence silence;
  Graph graph(machine, options);
  graph.explore(true);
  limit = silence.reached ? Limit::model : graph.limit;
  if (graph.any_final) limit = Limit::none;
  if (graph.any_final || limit != Limit::none) return std::nullopt;
  const Endless endless(graph, std::vector<bool>(graph.size()));
  return message_of(machine, endless.spinners(0));
}

}  // namespace futexmc::checker
