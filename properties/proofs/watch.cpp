// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/watch.hpp"

#include <algorithm>

namespace futexmc::proofs {
namespace {

/// How late a reason may be seen.
constexpr std::chrono::milliseconds kEvery{50};

}  // namespace

Watch::Watch(double seconds, const std::atomic<bool>* interrupt)
    : start_(std::chrono::steady_clock::now()), seconds_(seconds), interrupt_(interrupt),
      thread_([this] { run(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  done_.notify_all();
  thread_.join();
}

const char* Watch::reason() const {
  if (const char* const known = reason_.load()) return known;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
  const char* found = nullptr;
  if (took.count() > seconds_) found = kOutOfTime;
  if (interrupt_ != nullptr && interrupt_->load()) found = kInterrupted;
  const char* none = nullptr;
  if (found != nullptr && !reason_.compare_exchange_strong(none, found)) return none;
  return found;
}

void Watch::run() {
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, kEvery, [this] { return ending_; })) {
    if (reason() == nullptr) continue;
    // Again and again: one that comes between two questions does not end the next.
    for (z3::context* const context : contexts_) context->interrupt();
  }
}

Watch::Over::Over(const Watch* watch, z3::context& context) : watch_(watch), context_(&context) {
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex_);
  watch_->contexts_.push_back(context_);
}

Watch::Over::~Over() {
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex_);
  auto& contexts = watch_->contexts_;
  contexts.erase(std::find(contexts.begin(), contexts.end(), context_));
}

}  // namespace futexmc::proofs
