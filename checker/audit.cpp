// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/audit.hpp"

#include <string_view>

#include <fmt/format.h>

namespace futexmc::checker {
namespace {

constexpr std::size_t kMaxFailures = 16;

Hash128 append_text(Hash128 hash, std::string_view text) {
  for (const char c : text) hash = append(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

Hash128 Audit::try_step(Machine& machine, std::size_t agent, unsigned alternative) {
  const std::size_t mark = arena.undo.size();
  const Hash128 shared_hash = arena.shared_hash;
  const Hash128 threads_hash = machine.threads_hash();
  std::vector<char> saved;
  if (machine.is_thread(agent)) {
    saved.resize(Machine::saved_size(agent));
    Machine::save_thread(agent, saved.data());
  }
  machine.step(agent, alternative);
  const Hash128 successor = machine.fingerprint();
  arena.undo_to(mark);
  arena.shared_hash = shared_hash;
  machine.set_threads_hash(threads_hash);
  if (machine.is_thread(agent)) Machine::load_thread(agent, saved.data());
  return successor;
}

Audit::Expansion Audit::expand(Machine& machine) {
  Expansion expansion;
  const AgentMask enabled = machine.enabled();
  for (std::size_t agent = 0; agent < machine.agent_count(); ++agent) {
    Hash128 digest = append({}, (enabled >> agent) & 1);
    // A thread that has ended keeps the operation it did last, which means nothing.
    if (machine.is_thread(agent) && thread_record(agent).status == Status::ready) {
      const Operation& op = thread_record(agent).pending;
      digest = append(append_text(digest, op.name), op.cell);
      digest = append(append_text(digest, op.loc.function), op.alternatives);
    }
    for (unsigned i = 0; ((enabled >> agent) & 1) != 0 && i < machine.alternatives(agent); ++i) {
      const Hash128 successor = try_step(machine, agent, i);
      digest = append(append(digest, successor.a), successor.b);
    }
    expansion.push_back({agent, digest});
  }
  return expansion;
}

void Audit::arrive(Machine& machine, const std::function<Path()>& path) {
  const Expansion expansion = expand(machine);
  const auto [at, fresh] = first_.try_emplace(machine.fingerprint(), expansion);
  if (fresh) return;
  ++compared_;
  const Expansion& first = at->second;
  if (first == expansion || failures_.size() >= kMaxFailures) return;
  for (std::size_t i = 0; i < expansion.size(); ++i) {
    if (first[i] == expansion[i]) continue;
    const std::size_t agent = expansion[i].agent;
    std::string where = machine.agent_name(agent);
    if (machine.is_thread(agent)) {
      const Operation& op = thread_record(agent).pending;
      where += fmt::format(" in {}() at {}", op.loc.function, op.name);
    }
    failures_.push_back({"two states with one fingerprint differ in what " + where + " does next",
                         path()});
    return;
  }
}

}  // namespace futexmc::checker
