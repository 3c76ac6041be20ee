// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/interrupt.hpp"

#include <csignal>

namespace futexmc::cli {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void raise_flag(int /*signal*/) { flag.store(true); }

}  // namespace

std::atomic<bool>& interrupted() { return flag; }

void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace futexmc::cli
