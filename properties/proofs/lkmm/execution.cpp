// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/lkmm/execution.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace futexmc::proofs::lkmm {
namespace {

std::string name(Fence fence) {
  switch (fence) {
    case Fence::mb: return "smp_mb";
    case Fence::rmb: return "smp_rmb";
    case Fence::wmb: return "smp_wmb";
    case Fence::barrier: return "barrier";
    case Fence::before_atomic: return "smp_mb__before_atomic";
    case Fence::after_atomic: return "smp_mb__after_atomic";
    case Fence::after_spinlock: return "smp_mb__after_spinlock";
    case Fence::after_unlock_lock: return "smp_mb__after_unlock_lock";
    case Fence::rcu_lock: return "rcu_read_lock";
    case Fence::rcu_unlock: return "rcu_read_unlock";
    case Fence::sync_rcu: return "synchronize_rcu";
  }
  return "fence";
}

std::string name(Order order) {
  switch (order) {
    case Order::plain: return " plain";
    case Order::once: return "";
    case Order::acquire: return " acquire";
    case Order::release: return " release";
    case Order::full: return " full";
    case Order::noreturn: return " noreturn";
  }
  return "";
}

std::string what(const Event& event) {
  if (event.kind == Kind::fence) return name(event.fence);
  switch (event.lock) {
    case LockPart::none: break;
    case LockPart::take: return "lock, reading";
    case LockPart::hold: return "lock, writing";
    case LockPart::release: return "unlock";
    case LockPart::observe: return "look at lock";
  }
  const char* kind = event.kind == Kind::read ? "read" : "write";
  return fmt::format("{}{}{}", event.atomic ? "atomic " : "", kind, name(event.order));
}

class Reader {
 public:
  Reader(const Graph& graph, const Communication& communication, const z3::model& model)
      : graph_(graph), com_(communication), model_(model) {}

  Execution read() const {
    std::vector<std::vector<Happened>> threads;
    for (Id id = 0; id < graph_.size(); ++id) {
      if (!holds(graph_.guard(id))) continue;
      const auto thread = static_cast<std::size_t>(std::max(0, graph_.event(id).thread));
      if (threads.size() <= thread) threads.resize(thread + 1);
      threads[thread].push_back(happened(id));
    }
    return interleave(threads);
  }

 private:
  bool holds(const z3::expr& e) const { return model_.eval(e, true).is_true(); }
  std::uint64_t number(const z3::expr& e) const {
    std::uint64_t result = 0;
    model_.eval(e, true).is_numeral_u64(result);
    return result;
  }

  Happened happened(Id id) const {
    const Event& event = graph_.event(id);
    Happened h;
    h.event = id;
    h.thread = event.thread;
    h.what = what(event);
    h.label = event.label;
    h.access = event.kind != Kind::fence;
    h.reads = event.kind == Kind::read;
    h.location = number(event.location);
    h.value = number(event.value);
    for (const auto& [write, when] : com_.rfs.row(id)) {
      if (holds(when)) h.source = write;
    }
    return h;
  }

  /// Takes the first event of the first thread whose source is there already, else of any thread.
  static Execution interleave(const std::vector<std::vector<Happened>>& threads) {
    std::vector<std::size_t> next(threads.size(), 0);
    Execution result;
    const auto there = [&](Id id) {
      return std::any_of(result.begin(), result.end(),
                         [&](const Happened& h) { return h.event == id; });
    };
    for (;;) {
      std::optional<std::size_t> chosen;
      bool ready = false;
      for (std::size_t t = 0; t < threads.size() && !ready; ++t) {
        if (next[t] == threads[t].size()) continue;
        const auto& source = threads[t][next[t]].source;
        ready = !source || there(*source);
        if (ready || !chosen) chosen = t;
      }
      if (!chosen) return result;
      result.push_back(threads[*chosen][next[*chosen]++]);
    }
  }

  const Graph& graph_;
  const Communication& com_;
  const z3::model& model_;
};

}  // namespace

Execution read_execution(const Graph& graph, const Communication& communication,
                         const z3::model& model) {
  return Reader(graph, communication, model).read();
}

std::string print(const Execution& execution) {
  std::string text;
  for (const Happened& h : execution) {
    text += fmt::format("P{} e{}: {}", h.thread, h.event, h.what);
    if (h.access) text += fmt::format(" [{:#x}] {}", h.location, h.value);
    if (h.reads) {
      text += h.source ? fmt::format(" from e{}", *h.source) : std::string(" from the start");
    }
    if (!h.label.empty()) text += "  " + h.label;
    text += '\n';
  }
  return text;
}

}  // namespace futexmc::proofs::lkmm
