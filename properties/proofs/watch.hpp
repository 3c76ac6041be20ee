// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who looks at the clock, and for Ctrl-C, while something else has the processor: a thread that
// interrupts the solver. What is not the solver asks for itself.
//
//   Watch watch(300, &flag);
//   const Watch::Over over(&watch, context);   // questions to solvers of the context end early
//   for (...) check(&watch);                   // throws Stopped
//
// A pointer to a watch may be null: then nothing ever ends early.
//
// Invariants
//  1. Once there is a reason it stays the reason.
//  2. An interrupted solver answers `unknown` or throws; what it says after that is worth nothing,
//     so whoever gets an answer asks for a reason before believing it to be none.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <z3++.h>

namespace futexmc::proofs {

/// Thrown to end work early; what() is the reason.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr const char* kInterrupted = "interrupted";
inline constexpr const char* kOutOfTime = "--max-time was reached";

class Watch {
 public:
  /// Begins to count now. `interrupt`, which may be null and must outlive this, asks for an end.
  Watch(double seconds, const std::atomic<bool>* interrupt);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Why work should end; null while it need not. For any thread.
  const char* reason() const;

  /// While it lives, the context's solvers are interrupted once there is a reason. The context must
  /// outlive it.
  class Over {
   public:
    Over(const Watch* watch, z3::context& context);
    ~Over();
    Over(const Over&) = delete;
    Over& operator=(const Over&) = delete;

   private:
    const Watch* watch_;
    z3::context* context_;
  };

 private:
  void run();

  std::chrono::steady_clock::time_point start_;
  double seconds_;
  const std::atomic<bool>* interrupt_;
  mutable std::atomic<const char*> reason_{nullptr};
  mutable std::mutex mutex_;
  std::condition_variable done_;
  mutable std::vector<z3::context*> contexts_;  ///< under the mutex
  bool ending_ = false;                         ///< under the mutex
  std::thread thread_;                          // last: it uses the others
};

/// Why work should end, or null.
inline const char* reason_of(const Watch* watch) {
  return watch == nullptr ? nullptr : watch->reason();
}
/// Throws Stopped if it should end.
inline void check(const Watch* watch) {
  if (const char* const reason = reason_of(watch)) throw Stopped(reason);
}

}  // namespace futexmc::proofs
