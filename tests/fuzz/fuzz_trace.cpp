// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whatever the bytes: reading ends with a trace or an error that has a place; a trace that was read
// is written and read the same; replaying and explaining it on some program ends well.
//
// Inputs that are JSON get the right digest first, or the fuzzer would never get past it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "checker/explain.hpp"
#include "tests/models/semaphore.hpp"

namespace {

using namespace futexmc::checker;  // NOLINT(google-build-using-namespace)

void require(bool condition) {
  if (!condition) std::abort();
}

std::string sealed(std::string_view text) {
  auto json = nlohmann::ordered_json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object()) return {};
  json["digest"] = trace_digest(json);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Whether the text was a trace.
bool check(std::string_view text) {
  const auto read = read_trace(text);
  if (const auto* error = std::get_if<TraceError>(&read)) {
    require(!error->message.empty() && !error->place().empty());
    return false;
  }
  const auto& trace = std::get<Trace>(read);
  const auto again = read_trace(write_trace(trace));
  require(std::holds_alternative<Trace>(again) && std::get<Trace>(again) == trace);
  futexmc::models::Semaphore program({1, 1, 1, 1, futexmc::models::Mutation::late_count});
  const Replay result = replay(program, trace);
  require(result.at <= trace.steps.size());
  require(!explain(trace, result).empty());
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Deep nesting is for read_trace() to refuse; sealing it would need the stack that this saves.
  if (!check(text) && size < 4096) check(sealed(text));
  return 0;
}
