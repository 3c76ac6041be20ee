// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tasks in processes of their own, a few at a time. The checker has one arena a process, and a
// task that crashes takes nobody else with it.
//
// A task sends lines, the parent takes them one by one. A task that ends otherwise than by
// returning has crashed, whatever it sent before.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace futexmc::cli {

using Send = std::function<void(const std::string& line)>;

struct Pool {
  std::size_t jobs = 1;      ///< at a time
  bool in_process = false;   ///< one after the other, here: exceptions and crashes are the caller's
  const std::atomic<bool>* interrupt = nullptr;  ///< set: start nothing, and ask tasks to finish
  std::function<void(std::size_t task, const std::string& line)> line;
  /// `crash`: empty if the task returned, else how it ended.
  std::function<void(std::size_t task, const std::string& crash)> ended;
  std::function<void()> idle;  ///< a few times a second, if set
};

/// Runs work(0) to work(count - 1). When interrupted, SIGINT goes to the tasks that run; those that
/// have not finished two seconds later are killed and not reported as crashes.
void run_pool(std::size_t count, const std::function<void(std::size_t, const Send&)>& work,
              const Pool& pool);

/// Processors of this machine.
std::size_t processors();

}  // namespace futexmc::cli
