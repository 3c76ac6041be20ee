// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far a command has come: one line that is rewritten on a terminal, elsewhere a line now and
// then if it takes long, nothing at all if it was told to be quiet.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "checker/search.hpp"
#include "cli/streams.hpp"

namespace futexmc::cli {

class ProgressDisplay {
 public:
  /// `total`: tasks, "scenarios" by default, that are to be done.
  ProgressDisplay(Streams& streams, bool quiet, std::size_t total);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() { clear(); }

  void update(std::size_t task, const std::string& name, const checker::Progress& progress);
  void done(std::size_t task);
  /// Writes what is due.
  void tick();
  /// Takes the line away, so that other text can be written.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::string name;
    checker::Progress progress;
  };
  std::string text() const;

  Streams& streams_;
  bool quiet_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::map<std::size_t, Running> running_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  bool shown_ = false;
};

}  // namespace futexmc::cli
