// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/progress.hpp"

#include <fmt/format.h>

#include "cli/units.hpp"

namespace futexmc::cli {
namespace {

constexpr std::chrono::milliseconds kRewrite{200};
constexpr std::chrono::seconds kLine{30};
constexpr std::size_t kColumns = 79;  ///< a longer line would wrap, and could not be rewritten

}  // namespace

ProgressDisplay::ProgressDisplay(Streams& streams, bool quiet, std::size_t total)
    : streams_(streams), quiet_(quiet), total_(total) {
  next_ = start_ + (streams.terminal ? Clock::duration(kRewrite) : Clock::duration(kLine));
}

void ProgressDisplay::update(std::size_t task, const std::string& name,
                             const checker::Progress& progress) {
  running_[task] = {name, progress};
  tick();
}

void ProgressDisplay::done(std::size_t task) {
  running_.erase(task);
  ++done_;
}

std::string ProgressDisplay::text() const {
  const std::chrono::duration<double> elapsed = Clock::now() - start_;
  std::string text = fmt::format("{}/{} done, {}", done_, total_, short_seconds(elapsed.count()));
  for (const auto& [task, one] : running_) {
    text += fmt::format("; {}: {} states, depth {}, {}", one.name,
                        short_count(static_cast<double>(one.progress.states)), one.progress.depth,
                        short_bytes(one.progress.bytes));
  }
  return text;
}

void ProgressDisplay::tick() {
  const Clock::time_point now = Clock::now();
  if (quiet_ || now < next_) return;
  if (streams_.terminal) {
    next_ = now + kRewrite;
    streams_.err << "\r\033[K" << text().substr(0, kColumns) << std::flush;
    shown_ = true;
  } else {
    next_ = now + kLine;
    streams_.err << text() << std::endl;
  }
}

void ProgressDisplay::clear() {
  if (shown_) streams_.err << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace futexmc::cli
