// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/interrupt.hpp"

#include <csignal>
#include <ctime>

namespace futexmc::cli {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

volatile std::sig_atomic_t raised_at = 0;  // seconds

/// The first one asks for an end. Some senders signal a process and then its group, so that one
/// that follows at once is the same; a later one means it.
void raise_flag(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto seconds = static_cast<std::sig_atomic_t>(now.tv_sec);
  if (!flag.load()) {
    raised_at = seconds;
    flag.store(true);
  } else if (seconds - raised_at > 1) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

std::atomic<bool>& interrupted() { return flag; }

void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace futexmc::cli
