// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/memory/paths.hpp"

#include <stdexcept>

namespace futexmc::properties::proofs::memory {
namespace {

class Walk {
 public:
  Walk(const ThreadRecording& thread, std::size_t most) : thread_(thread), most_(most) {}

  std::vector<Path> run() {
    from(0);
    return std::move(found_);
  }

 private:
  void from(std::size_t at) {
    const Node& node = thread_.nodes.at(at);
    if (node.end != End::none) return add(at, false);
    if (!node.blocking.empty()) add(at, true);
    for (std::size_t group = 0; group < node.groups.size(); ++group) {
      steps_.push_back({at, group});
      from(node.groups[group].next);
      steps_.pop_back();
    }
  }

  void add(std::size_t last, bool sleeps) {
    if (found_.size() == most_) {
      throw std::runtime_error("too many runs of " + thread_.name);
    }
    found_.push_back({steps_, last, sleeps});
  }

  const ThreadRecording& thread_;
  std::size_t most_;
  std::vector<Step> steps_;
  std::vector<Path> found_;
};

}  // namespace

std::vector<Path> paths_of(const ThreadRecording& thread, std::size_t most) {
  return Walk(thread, most).run();
}

}  // namespace futexmc::properties::proofs::memory
