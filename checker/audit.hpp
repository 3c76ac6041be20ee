// SPDX-License-Identifier: GPL-2.0-or-later
//
// The identity audit: does every arrival at a state behave like the first?
//
// When a state is reached for the first time, each of its transitions is run once and a digest kept
// of who can go, with which operation on which cell, and the fingerprint each leads to. Later
// arrivals are compared. A scope that forgot a live local shows as a difference.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "checker/machine.hpp"
#include "checker/search.hpp"

namespace futexmc::checker {

class Audit {
 public:
  /// The machine is in a state that was generated; it is left as it was found.
  void arrive(Machine& machine, const std::function<Path()>& path);
  const std::vector<AuditFailure>& failures() const { return failures_; }
  std::uint64_t compared() const { return compared_; }

 private:
  struct Entry {
    std::size_t agent;
    Hash128 digest;
    bool operator==(const Entry&) const = default;
  };
  using Expansion = std::vector<Entry>;
  struct Hasher {
    std::size_t operator()(const Hash128& hash) const { return hash.a; }
  };

  static Expansion expand(Machine& machine);
  static Hash128 try_step(Machine& machine, std::size_t agent, unsigned alternative);

  std::unordered_map<Hash128, Expansion, Hasher> first_;
  std::vector<AuditFailure> failures_;
  std::uint64_t compared_ = 0;
};

}  // namespace futexmc::checker
