// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/compare/lines.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "checker/recording.hpp"
#include "properties/compare/account.hpp"
#include "properties/compare/cells.hpp"
#include "properties/futex_program.hpp"

namespace futexmc::properties {
namespace {

constexpr std::size_t kThreads = 3;
constexpr std::size_t kRepeats = 16;
constexpr std::size_t kMaxSteps = 50'000;  ///< a variant that spins is cut there

// Each thread has a word of its own, as in the benchmark; what they share is the bucket.
const std::string& load_text() {
  static const std::string text = fmt::format(
      "word a = 0; word b = 0; word c = 0; collide a, b, c; hash private(2);\n"
      "thread ta {{ repeat ({0}) {{ futex_wait(a, 1); }} }}\n"
      "thread tb {{ repeat ({0}) {{ futex_wait(b, 1); }} }}\n"
      "thread tc {{ repeat ({0}) {{ futex_wait(c, 1); }} }}\n",
      kRepeats);
  return text;
}

/// An access about to happen, or an attempt at a lock that is taken.
struct Next {
  std::size_t thread = 0;
  std::uint64_t done = 0;  ///< when it will have been made
  std::string key;         ///< names the line among all; empty if it touches none that counts
  std::string line;
  bool write = false;
  bool waits = false;  ///< queues for the lock instead of taking it
};

class Simulation {
 public:
  Simulation(const model::Variant& variant, std::uint64_t miss_cost)
      : variant_(variant), miss_cost_(miss_cost), scenario_(built_in(load_text(), "refused waits")),
        program_(scenario_, variant_), run_(program_) {}

  LinesReport report() {
    while (run_.steps.size() < kMaxSteps) {
      const std::optional<Next> next = earliest();
      if (!next) break;
      take(*next);
    }
    return sorted();
  }

 private:
  /// The next to complete, the lower thread of two at once.
  std::optional<Next> earliest() const {
    std::optional<Next> best;
    const checker::AgentMask enabled = run_.machine.enabled();
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      const bool ready = ((enabled >> thread) & 1) != 0;
      const std::optional<Next> next = next_of(thread, ready);
      if (next && (!best || next->done < best->done)) best = next;
    }
    return best;
  }

  std::optional<Next> next_of(std::size_t thread, bool ready) const {
    const checker::Thread& record = checker::thread_record(thread);
    const checker::Operation& op = record.pending;
    if (record.status != checker::Status::ready || (!ready && queued_[thread])) return std::nullopt;
    // What else may block, a sleep or a settle, has nothing to queue on.
    if (!ready && op.mover != checker::Mover::right) return std::nullopt;
    Next next;
    next.thread = thread;
    next.waits = !ready;
    next.write = op.writes != 0;
    next.done = clock_[thread] + 1;
    if (op.cell == checker::kNoCell) return next;
    const Place place = place_of(op.cell);
    if (!counts(place)) return next;
    next.line = line_of(place, variant_);
    next.key = place.instance + " " + next.line;
    const Caches::Paid paid = caches_.quote(next.key, thread, next.write);
    next.done = clock_[thread] + (paid == Caches::Paid::nothing ? 1 : miss_cost_);
    return next;
  }

  void take(const Next& next) {
    const std::uint32_t cell = checker::thread_record(next.thread).pending.cell;
    const checker::Step pending = run_.pending(next.thread);
    const checker::AgentMask before = run_.machine.enabled();
    queued_[next.thread] = next.waits;
    clock_[next.thread] = next.done;
    if (!next.waits) run_.go(next.thread, 0);
    // Who waited for this goes on from here.
    const checker::AgentMask woken = run_.machine.enabled() & ~before;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      if (((woken >> thread) & 1) != 0) clock_[thread] = std::max(clock_[thread], next.done);
    }
    if (next.key.empty()) return;
    const Caches::Paid paid = caches_.access(next.key, next.thread, next.write);
    Touch& touch = touch_of(next, role_of(place_of(cell)).name, pending);
    ++touch.count;
    if (paid == Caches::Paid::hitm) ++touch.hitm;
    if (paid == Caches::Paid::ownership) ++touch.ownership;
  }

  Touch& touch_of(const Next& next, const std::string& member, const checker::Step& pending) {
    const std::string operation = pending.operation + (next.waits ? " (waits)" : "");
    auto line = std::find_if(lines_.begin(), lines_.end(),
                             [&](const LineReport& one) { return one.line == next.line; });
    if (line == lines_.end()) line = lines_.insert(line, {next.line, {}, 0});
    for (Touch& touch : line->touches) {
      if (touch.member == member && touch.function == pending.function &&
          touch.operation == operation) {
        return touch;
      }
    }
    line->touches.push_back({member, pending.function, operation, next.write, 0, 0, 0});
    return line->touches.back();
  }

  LinesReport sorted() {
    LinesReport report{kThreads, kThreads * kRepeats, {}};
    for (LineReport& line : lines_) {
      std::erase_if(line.touches, [](const Touch& touch) { return touch.transfers() == 0; });
      std::stable_sort(
          line.touches.begin(), line.touches.end(),
          [](const Touch& a, const Touch& b) { return a.transfers() > b.transfers(); });
      for (const Touch& touch : line.touches) line.transfers += touch.transfers();
      if (line.transfers != 0) report.lines.push_back(std::move(line));
    }
    std::stable_sort(
        report.lines.begin(), report.lines.end(),
        [](const LineReport& a, const LineReport& b) { return a.transfers > b.transfers; });
    return report;
  }

  const model::Variant& variant_;
  const std::uint64_t miss_cost_;
  const scenario::Scenario scenario_;
  FutexProgram program_;
  checker::Recording run_;
  Caches caches_;
  std::array<std::uint64_t, kThreads> clock_{};  ///< when the thread's last access was made
  std::array<bool, kThreads> queued_{};          ///< has tried the lock that it waits for
  std::vector<LineReport> lines_;
};

}  // namespace

Caches::Paid Caches::quote(const std::string& line, std::size_t cpu, bool write) const {
  const auto at = lines_.find(line);
  if (at == lines_.end()) return Paid::nothing;
  const std::uint32_t own = 1U << cpu;
  const bool others = (at->second.holders & ~own) != 0;
  if (write) return others ? Paid::ownership : Paid::nothing;
  if ((at->second.holders & own) != 0 || !others) return Paid::nothing;
  return at->second.modified ? Paid::hitm : Paid::shared;
}

Caches::Paid Caches::access(const std::string& line, std::size_t cpu, bool write) {
  const Paid paid = quote(line, cpu, write);
  Line& state = lines_[line];
  const std::uint32_t own = 1U << cpu;
  if (write) {
    state = {own, true};
  } else {
    // The owner writes back, and both share.
    if (paid == Paid::hitm) state.modified = false;
    state.holders |= own;
  }
  return paid;
}

LinesReport simulate_lines(const model::Variant& variant, std::uint64_t miss_cost) {
  return Simulation(variant, miss_cost).report();
}

}  // namespace futexmc::properties
