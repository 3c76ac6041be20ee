// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/units.hpp"

#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "cli/failure.hpp"

namespace futexmc::cli {
namespace {

/// The whole of `text` as a number.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

[[noreturn]] void bad(const std::string& option, const std::string& text, const char* expected) {
  throw Failure(exit_code::kUsage, fmt::format("{} '{}': expected {}", option, text, expected));
}

/// Three significant digits.
std::string three(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

}  // namespace

std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  constexpr const char* kExpected = "a number of bytes above 0, K, M or G may follow";
  std::string_view digits = text;
  unsigned shift = 0;
  if (!digits.empty()) {
    switch (digits.back()) {
      case 'k': case 'K': shift = 10; break;
      case 'm': case 'M': shift = 20; break;
      case 'g': case 'G': shift = 30; break;
      default: break;
    }
    if (shift != 0) digits.remove_suffix(1);
  }
  const auto value = number<std::uint64_t>(digits);
  if (!value || *value == 0 || *value > std::numeric_limits<std::uint64_t>::max() >> shift) {
    bad(option, text, kExpected);
  }
  return *value << shift;
}

std::uint64_t parse_count(const std::string& option, const std::string& text) {
  const auto value = number<std::uint64_t>(text);
  if (!value || *value == 0) bad(option, text, "a whole number above 0");
  return *value;
}

double parse_seconds(const std::string& option, const std::string& text) {
  const auto value = number<double>(text);
  // Written so that not-a-number fails too.
  if (!value || !(*value > 0 && *value < 1e9)) bad(option, text, "a number of seconds above 0");
  return *value;
}

std::string short_count(double count) {
  if (count < 1e3) return fmt::format("{:.0f}", count);
  if (count < 999.5e3) return three(count / 1e3) + "k";
  if (count < 999.5e6) return three(count / 1e6) + "M";
  return three(count / 1e9) + "G";
}

std::string short_bytes(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1024) return fmt::format("{} B", bytes);
  if (size < 1024.0 * 1024) return three(size / 1024) + " kB";
  if (size < 1024.0 * 1024 * 1024) return three(size / (1024.0 * 1024)) + " MB";
  return three(size / (1024.0 * 1024 * 1024)) + " GB";
}

std::string short_seconds(double seconds) { return three(seconds) + " s"; }

}  // namespace futexmc::cli
