// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers as people write and read them.
#pragma once

#include <cstdint>
#include <string>

namespace futexmc::cli {

/// "512M" as bytes; suffixes K, M, G are powers of 1024. Throws Failure (usage), naming `option`.
std::uint64_t parse_bytes(const std::string& option, const std::string& text);
/// A whole number from 1. Throws Failure (usage).
std::uint64_t parse_count(const std::string& option, const std::string& text);
/// Seconds, above 0, fractions allowed. Throws Failure (usage).
double parse_seconds(const std::string& option, const std::string& text);

/// "999", "12.3k", "4.56M"
std::string short_count(double count);
/// "512 B", "34.5 MB" (powers of 1024)
std::string short_bytes(std::uint64_t bytes);
/// "0.12 s", "45.1 s", "312 s"
std::string short_seconds(double seconds);

}  // namespace futexmc::cli
