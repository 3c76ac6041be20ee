// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the depth-first search (dfs.cpp) keeps of the current path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "checker/hash.hpp"
#include "checker/machine.hpp"

namespace futexmc::checker {

/// What an agent's transitions from one state read and wrote.
struct Footprint {
  std::size_t agent;
  std::uint64_t reads;
  std::uint64_t writes;
};

/// A transition of the innermost frame, and what to do in the state it leads to.
struct Child {
  Hash128 fingerprint;
  AgentMask sleep;  ///< agents that sleep there
  AgentMask todo;   ///< if it was seen before: agents to explore all the same
  std::uint32_t saved_at;  ///< the moving thread's copy
  std::uint8_t agent;
  std::uint8_t alternative;
  std::uint8_t footprints;  ///< number of the frame's footprints that precede it
  bool fresh;
};

/// A state on the current path.
struct Frame {
  Hash128 shared_hash;
  Hash128 threads_hash;
  std::uint32_t undo_mark;
  std::uint32_t saved_at;       ///< where the copies of the threads that move begin
  std::uint32_t footprints_at;  ///< first of its footprints
  std::uint32_t children_at;    ///< first of its children that are still to be entered
  std::uint32_t moved_at;       ///< copy of the thread that the current choice moves
  std::uint8_t agent;           ///< current choice
  std::uint8_t alternative;
};

}  // namespace futexmc::checker
