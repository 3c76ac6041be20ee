// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/events.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/arena.hpp"
#include "properties/proofs/memory/meeting.hpp"

namespace futexmc::properties::proofs::memory {
namespace {

using checker::Operation;
using futexmc::proofs::lkmm::Fence;
using futexmc::proofs::lkmm::Id;
using Mark = futexmc::proofs::lkmm::Order;

constexpr std::uint8_t kRcu =
    checker::kSectionBegin | checker::kSectionEnd | checker::kGracePeriod;

Fence rcu_of(const Operation& op) {
  if ((op.access & checker::kGracePeriod) != 0) return Fence::sync_rcu;
  return (op.access & checker::kSectionBegin) != 0 ? Fence::rcu_lock : Fence::rcu_unlock;
}

}  // namespace

Events::Events(const Recording& recording, z3::context& context,
               const futexmc::proofs::Watch* watch)
    : recording_(recording), graph_(context, 16), watch_(watch) {
  add_threads();
}

Events::Events(const Recording& recording, z3::context& context, const std::vector<Path>& paths)
    : recording_(recording), graph_(context, 16) {
  for (std::size_t thread = 0; thread < paths.size(); ++thread) {
    paths_.emplace_back(paths[thread], recording.threads.at(thread).nodes.size());
  }
  add_threads();
}

void Events::add_threads() {
  number(kAtFirst);
  find_shared();
  for (std::uint32_t cell = 0; cell < shared_.size(); ++cell) {
    if (shared_[cell]) graph_.initial(place(cell), number(recording_.initial[cell]));
    // A lock's word is zero at first, as kAtFirst is.
  }
  for (std::size_t thread = 0; thread < recording_.threads.size(); ++thread) add_thread(thread);
}

void Events::find_shared() {
  std::set<std::uint32_t> read;
  std::set<std::uint32_t> written;
  for (const ThreadRecording& thread : recording_.threads) {
    for (const Node& node : thread.nodes) {
      const Operation& op = node.operation;
      if (node.end == End::none && (op.access & checker::kGracePeriod) != 0) grace_periods_ = true;
      if (node.end == End::none && reads(op)) read.insert(op.cell);
      if (node.end == End::none && writes(op)) written.insert(op.cell);
      for (const Group& group : node.groups) {
        for (const auto& store : group.stores) written.insert(store.first);
      }
    }
  }
  shared_.assign(recording_.initial.size(), false);
  for (const std::uint32_t cell : read) shared_[cell] = written.contains(cell);
}

z3::expr Events::number(std::uint64_t word) {
  const auto [at, fresh] =
      numbers_.try_emplace(word, static_cast<std::int64_t>(words_.size()));
  if (fresh) words_.push_back(word);
  return graph_.number(at->second);
}

z3::expr Events::place(std::uint32_t cell) const {
  return graph_.number(static_cast<std::int64_t>(cell) + 1);
}

z3::expr Events::final_value(const void* cell) {
  return graph_.final_value(place(checker::cell_index(cell)));
}

z3::expr Events::returned(std::size_t thread, std::int64_t value) const {
  const auto& results = ends_.at(thread).results;
  const auto at = results.find(value);
  return at == results.end() ? graph_.logic().no() : at->second;
}

z3::expr Events::uses(std::size_t thread, const void* cell) const {
  const auto at = uses_.find({thread, checker::cell_index(cell)});
  return at == uses_.end() ? graph_.logic().no() : at->second;
}

z3::expr Events::finds(std::size_t thread, const void* cell, std::uint64_t value) const {
  const auto at = finds_.find({thread, checker::cell_index(cell), value});
  return at == finds_.end() ? graph_.logic().no() : at->second;
}

z3::expr Events::performs(std::size_t thread, const std::string& operation) const {
  const auto at = performs_.find({thread, operation});
  return at == performs_.end() ? graph_.logic().no() : at->second;
}

/// For each node one that happens exactly when it does, if there is one.
void Events::find_guards(const std::vector<Node>& nodes) {
  const Meeting meeting(nodes);
  std::vector<std::optional<std::size_t>> same(nodes.size());
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    futexmc::proofs::check(watch_);
    std::set<std::size_t> next;
    for (const Group& group : nodes[at].groups) next.insert(group.next);
    if (next.empty()) continue;
    const auto met = meeting.of(at);
    if (met && !same[*met]) same[*met] = at;
  }
  same_ = std::move(same);
}

z3::expr Events::guard_of(std::size_t node) const {
  if (!paths_.empty()) {
    return paths_[thread_].at(node) ? graph_.always() : graph_.logic().no();
  }
  if (node == 0) return graph_.always();
  if (same_[node]) return guards_[*same_[node]];
  return graph_.logic().any(into_[node]);
}

z3::expr Events::taken(std::size_t at, std::size_t group) {
  if (paths_.empty()) {
    return condition(at, recording_.threads[thread_].nodes[at].groups[group]);
  }
  return paths_[thread_].at(at) == group ? graph_.always() : graph_.logic().no();
}

z3::expr Events::condition(std::size_t at, const Group& group) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const auto& read = happens_[at].read;
  const bool any_value = node.groups.size() == 1 && !takes_lock(node.operation) && !node.known;
  if (any_value || !read) return graph_.always();
  std::vector<z3::expr> any;
  for (const auto& value : group.values) {
    any.push_back(graph_.logic().equal(graph_.value(*read), number(value.first)));
  }
  return graph_.logic().any(any);
}

void Events::add_thread(std::size_t thread) {
  const std::vector<Node>& nodes = recording_.threads[thread].nodes;
  const z3::expr no = graph_.logic().no();
  ends_.push_back({no, no, no, no, no, no, {}, {}});
  thread_ = thread;
  guards_.clear();
  into_.assign(nodes.size(), {});
  happens_.assign(nodes.size(), {});
  find_guards(nodes);
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    futexmc::proofs::check(watch_);
    guards_.push_back(guard_of(at));
    if (guards_.back().is_false()) continue;
    if (nodes[at].end != End::none) add_end(at);
    else add_node(at);
  }
  add_dependencies();
  add_exclusions();
  events_of_.emplace_back();
  for (const Happens& happens : happens_) events_of_.back().push_back(happens.all);
}

/// Of nodes that no path has both of, no execution has both events.
void Events::add_exclusions() {
  const std::vector<Node>& nodes = recording_.threads[thread_].nodes;
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    if (happens_[from].all.empty()) continue;
    futexmc::proofs::check(watch_);
    std::vector<bool> reached(nodes.size(), false);
    reached[from] = true;
    for (std::size_t at = from; at < nodes.size(); ++at) {
      if (!reached[at]) {
        for (const Id a : happens_[from].all)
          for (const Id b : happens_[at].all) graph_.set_exclusive(a, b);
        continue;
      }
      for (const Group& group : nodes[at].groups) reached[group.next] = true;
    }
  }
}

void Events::add_end(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  Ends& ends = ends_.back();
  z3::expr& end = node.end == End::finished ? ends.finished
                  : node.end == End::cut    ? ends.cut
                                            : ends.faulted;
  end = graph_.logic().either(end, guards_[at]);
  if (node.end == End::faulted && ends.fault.empty()) ends.fault = node.note;
}

void Events::label(Id id, const Node& node, std::uint32_t cell, const char* name) {
  const std::string object =
      cell == checker::kNoCell ? "" : fmt::format("&{}", recording_.cell_names[cell]);
  graph_.label(id, fmt::format("{}(): {}({})", node.function, name, object));
}

void Events::add_node(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const Operation& op = node.operation;
  const auto thread = static_cast<int>(thread_);
  Happens& here = happens_[at];
  if ((op.access & checker::kBarrierBefore) != 0) {
    here.all.push_back(graph_.fence(thread, Fence::mb, guards_[at]));
  }
  if ((op.access & kRcu) != 0) {
    if (grace_periods_) here.all.push_back(graph_.fence(thread, rcu_of(op), guards_[at]));
  } else if (takes_lock(op)) {
    add_lock(at);
  } else if (drops_lock(op)) {
    here.all = {graph_.unlock(thread, place(op.cell), number(node.left), guards_[at])};
  } else if (sleeps(op) || spins(op)) {
    add_wait(at);
  } else {
    add_access(at);
  }
  for (const Id id : here.all) label(id, node, op.cell, op.name);
  if (paths_.empty() && (node.known || takes_lock(op)) && here.read) {
    std::vector<z3::expr> found;
    for (const Group& group : node.groups) found.push_back(condition(at, group));
    ends_.back().otherwise = graph_.logic().either(ends_.back().otherwise,
                                                   guards_[at] && !graph_.logic().any(found));
  }
  add_stores(at);
  const auto also = [&](auto& table, auto key) {
    const auto [it, fresh] = table.try_emplace({thread_, std::move(key)}, guards_[at]);
    if (!fresh) it->second = graph_.logic().either(it->second, guards_[at]);
  };
  also(uses_, op.cell);
  also(performs_, std::string(op.name));
  for (std::size_t g = 0; g < node.groups.size(); ++g) {
    const Group& group = node.groups[g];
    const z3::expr then = graph_.logic().both(guards_[at], taken(at, g));
    if (then.is_false()) continue;
    // The one group of a path was not chosen freely.
    if (!paths_.empty()) graph_.require(condition(at, group));
    into_[group.next].push_back(then);
    if (here.read) add_found(op.cell, *here.read, group, then);
    for (const std::int64_t value : group.results) {
      auto& results = ends_.back().results;
      const auto [it, fresh] = results.try_emplace(value, then);
      if (!fresh) it->second = graph_.logic().either(it->second, then);
    }
  }
}

void Events::add_found(std::uint32_t cell, Id read, const Group& group, const z3::expr& then) {
  for (const auto& value : group.values) {
    const z3::expr found =
        group.values.size() == 1
            ? then
            : graph_.logic().both(then, graph_.logic().equal(graph_.value(read),
                                                             number(value.first)));
    const auto [it, fresh] = finds_.try_emplace({thread_, cell, value.first}, found);
    if (!fresh) it->second = graph_.logic().either(it->second, found);
  }
}

/// Whether the thread stays at a node for ever.
z3::expr Events::stays(const char* what, std::size_t at) {
  const std::string name = fmt::format("{} for ever {} {}", what, thread_, at);
  return graph_.context().bool_const(name.c_str());
}

/// Who never gets the lock is there all the same, or what stopped its holder could not be seen.
void Events::add_lock(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  const z3::expr place = this->place(node.operation.cell);
  const z3::expr waits = paths_.empty() ? stays("waits", at) : graph_.logic().no();
  if (!waits.is_false()) {
    const z3::expr held = graph_.final_value(place) == number(kTaken);
    graph_.require(z3::implies(guards_[at] && waits, held));
    ends_.back().locked_out =
        graph_.logic().either(ends_.back().locked_out, guards_[at] && waits);
    guards_[at] = graph_.logic().both(guards_[at], !waits);  // for what follows
  }
  const auto pair = graph_.lock(static_cast<int>(thread_), place, number(kTaken), guards_[at]);
  happens_[at].read = pair.read;
  happens_[at].all = {pair.read, pair.write};
}

void Events::add_stores(std::size_t at) {
  const Node& node = recording_.threads[thread_].nodes[at];
  for (std::size_t g = 0; g < node.groups.size(); ++g) {
    const z3::expr when = graph_.logic().both(guards_[at], taken(at, g));
    for (const auto& [cell, value] : node.groups[g].stores) {
      if (!shared(cell) || when.is_false()) continue;
      const Id id =
          graph_.write(static_cast<int>(thread_), Mark::once, place(cell), number(value), when);
      happens_[at].all.push_back(id);
      label(id, node, cell, "store");
    }
  }
}

std::vector<std::string> Events::describe(
    const futexmc::proofs::lkmm::Execution& execution) const {
  std::vector<std::string> lines;
  for (const auto& event : execution) {
    std::string line =
        fmt::format("[{}] {}", recording_.threads[static_cast<std::size_t>(event.thread)].name,
                    event.label.empty() ? event.what : event.label);
    if (event.access && event.value < words_.size()) {
      const std::uint64_t word = words_[event.value];
      const std::string name = recording_.target_of(word) >= 0 && word != 0
                                   ? checker::arena.layout.pointer_name(word)
                                   : fmt::format("{}", static_cast<std::int64_t>(word));
      line += (event.reads ? " = " : " := ") + name;
      if (event.reads && !event.source) line += ", as it was at first";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace futexmc::properties::proofs::memory
