// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the scenarios and the committed traces are: in the source tree that the program was built
// from while that exists, else where they were installed. And reading files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace futexmc::cli {

/// The source tree that the program was built from, whether it still exists or not.
std::filesystem::path source_directory();
std::filesystem::path scenario_directory();
std::filesystem::path trace_directory();
/// "0.1.0"
std::string version();

/// The path as the user would write it: relative if that is shorter.
std::string shown(const std::filesystem::path& path);

/// The whole file. Throws Failure: usage if it cannot be read, bad input if it has more than
/// `max_bytes` bytes.
std::string read_file(const std::string& path, std::size_t max_bytes);
/// Makes it and what is above it where they are missing. Throws Failure (usage) if it cannot.
void make_directory(const std::string& directory);
/// Throws Failure (usage) if that does not work.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace futexmc::cli
