// SPDX-License-Identifier: GPL-2.0-or-later
//
// Single runs in a recording: one value group after another, from a thread's start to its end.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

struct Step {
  std::size_t node;
  std::size_t group;
};

/// A run of one thread.
struct Path {
  std::vector<Step> steps;
  std::size_t last = 0;  ///< the node that it ends in
  bool sleeps = false;   ///< it ends in schedule(), for ever
};

/// Every run of a thread. Throws std::runtime_error if there are more than `most`.
std::vector<Path> paths_of(const ThreadRecording& thread, std::size_t most);

/// A path, by node.
class OnPath {
 public:
  OnPath(const Path& path, std::size_t nodes) : groups_(nodes), path_(path) {
    for (const Step& step : path.steps) groups_.at(step.node) = step.group;
    groups_.at(path.last) = 0;
  }
  /// The group taken there; none if the node is not on the path. At the last node it says nothing.
  std::optional<std::size_t> at(std::size_t node) const { return groups_.at(node); }
  bool sleeps_at(std::size_t node) const { return path_.sleeps && path_.last == node; }

 private:
  std::vector<std::optional<std::size_t>> groups_;
  Path path_;
};

}  // namespace futexmc::properties::proofs::memory
