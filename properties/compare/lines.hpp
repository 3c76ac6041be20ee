// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cache lines move between processors, and which accesses pay for it, when several threads
// make refused waits on one bucket: the load of `perf bench futex hash`, counted as `perf c2c`
// does. docs/compare.md says what the simulation has of a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/variant.hpp"

namespace futexmc::properties {

/// The caches of a few processors: MESI. A line is whatever name one gives it.
class Caches {
 public:
  enum class Paid : std::uint8_t {
    nothing,   ///< the processor has the line as it needs it, or nobody else does
    shared,    ///< a load of a line that others have, unmodified
    hitm,      ///< a load of a line that another has modified
    ownership  ///< a store to a line that others have
  };
  /// What the access would pay now.
  Paid quote(const std::string& line, std::size_t cpu, bool write) const;
  Paid access(const std::string& line, std::size_t cpu, bool write);

 private:
  struct Line {
    std::uint32_t holders = 0;  ///< processors, a bit each
    bool modified = false;      ///< by its only holder
  };
  std::map<std::string, Line> lines_;
};

/// An access by what it is in the source.
struct Touch {
  std::string member;     ///< "bucket priv"
  std::string function;   ///< "futex_hash"
  std::string operation;  ///< "read"
  bool write = false;
  std::uint64_t hitm = 0;       ///< loads that found the line modified elsewhere
  std::uint64_t ownership = 0;  ///< stores that took the line from others
  std::uint64_t count = 0;
  std::uint64_t transfers() const { return hitm + ownership; }
};

struct LineReport {
  std::string line;  ///< line_of(), of the bucket that all threads use
  std::vector<Touch> touches;  ///< with a transfer; most first, then in the order of first access
  std::uint64_t transfers = 0;
};

struct LinesReport {
  std::size_t threads = 0;
  std::size_t operations = 0;     ///< refused waits, of all threads
  std::vector<LineReport> lines;  ///< with a transfer, most first
};

/// What an access costs that has to wait for its line; one that has it costs 1.
inline constexpr std::uint64_t kMissCost = 8;
LinesReport simulate_lines(const model::Variant& variant, std::uint64_t miss_cost = kMissCost);

/// What of the traffic went and came, in sentences: accesses that paid in a quarter of the
/// operations or more on one side, and in one of twenty or fewer on the other.
std::vector<std::string> line_sentences(const LinesReport& before, const LinesReport& after);

}  // namespace futexmc::properties
