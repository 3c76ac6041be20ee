// SPDX-License-Identifier: GPL-2.0-or-later
//
// A trace: one failure as a file that replays, read and written as JSON. docs/trace-format.md
// describes the file, docs/trace.schema.json is its schema.
//
// Invariants
//  1. A step is one visible operation of a thread or one event, named, not numbered.
//  2. read_trace(write_trace(t)) gives t; write_trace() is deterministic.
//  3. read_trace() throws nothing and accepts nothing that write_trace() could not have written,
//     white space and the order of members apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "checker/search.hpp"

namespace futexmc::checker {

inline constexpr const char* kTraceFormat = "futexmc-trace";
inline constexpr std::uint64_t kTraceVersion = 1;

/// What a reader accepts; what a search writes is far below.
inline constexpr std::size_t kMaxTraceBytes = 16 << 20;
inline constexpr std::size_t kMaxTraceDepth = 32;  ///< nesting of objects and arrays
inline constexpr std::size_t kMaxTraceSteps = 100'000;
inline constexpr std::size_t kMaxTraceText = 16 << 10;  ///< bytes of one string, `subject` apart

struct TraceStep {
  std::string agent;      ///< thread or event
  std::string operation;  ///< "spin_lock"; an event's own name
  std::string object;     ///< "hb0.lock"; empty where it acts on no cell
  std::string function;   ///< of the program under test; empty for an event
  std::optional<unsigned> alternative;  ///< the outcome taken, where there was more than one
  std::vector<std::string> enabled;     ///< agents that could have gone instead, this one included
  std::string state;  ///< fingerprint afterwards, 32 hexadecimal digits
  bool operator==(const TraceStep&) const = default;
};

/// Whether no cheaper trace shows the same violation.
enum class Minimal : std::uint8_t { no, reduced, proved };

/// What a reader has to keep in mind; a minimiser lowers it in this order.
struct TraceCost {
  std::uint64_t threads = 0;     ///< that take a step
  std::uint64_t switches = 0;    ///< from one thread's operation to another thread's
  std::uint64_t events = 0;      ///< steps of the environment
  std::uint64_t operations = 0;  ///< steps of threads
  bool operator==(const TraceCost&) const = default;
};

struct Trace {
  std::string tool = "futexmc 0.1";
  /// What was checked: filled and read by the layer that knows; opaque here.
  nlohmann::ordered_json subject = nlohmann::ordered_json::object();
  std::string property;
  std::string message;
  Minimal minimal = Minimal::no;
  TraceCost cost;
  std::vector<TraceStep> steps;
  bool operator==(const Trace&) const = default;
};

/// Why a text is not a trace, and where: a line and column (from 1, in bytes) where it is not
/// JSON, otherwise a path such as "$.steps[3].agent".
struct TraceError {
  std::string message;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string path;
  /// "line 3, column 7" or the path.
  std::string place() const;
};

/// Runs the program along `operations`, decisions at the granularity of operations (a path found
/// with Options::movers off), and writes down what happens. The caller fills `subject` and
/// `minimal`.
Trace make_trace(Program& program, const Path& operations, std::string property,
                 std::string message);

/// The file: pretty-printed, one step a line, with its digest. Text that is not UTF-8 is replaced.
std::string write_trace(const Trace& trace);
std::variant<Trace, TraceError> read_trace(std::string_view text);

/// What `digest` must be in that document: XXH3-128 of the document without its digest, dumped
/// without white space and with members sorted by name; 32 hexadecimal digits.
std::string trace_digest(const nlohmann::ordered_json& document);

const char* to_string(Minimal minimal);

}  // namespace futexmc::checker
