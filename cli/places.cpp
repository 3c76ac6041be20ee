// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/places.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "cli/failure.hpp"

#ifndef FUTEXMC_SCENARIO_DIR
#define FUTEXMC_SCENARIO_DIR "model/scenarios"
#endif
#ifndef FUTEXMC_TRACE_DIR
#define FUTEXMC_TRACE_DIR "traces"
#endif
#ifndef FUTEXMC_DATA_DIR
#define FUTEXMC_DATA_DIR "/usr/share/futexmc"
#endif
#ifndef FUTEXMC_VERSION
#define FUTEXMC_VERSION "0"
#endif

namespace futexmc::cli {

namespace fs = std::filesystem;

namespace {

fs::path first_that_exists(const fs::path& built, const fs::path& installed) {
  std::error_code ignored;
  return fs::is_directory(built, ignored) ? built : installed;
}

}  // namespace

fs::path source_directory() {
  return fs::path(FUTEXMC_SCENARIO_DIR).parent_path().parent_path();
}

fs::path scenario_directory() {
  return first_that_exists(FUTEXMC_SCENARIO_DIR, fs::path(FUTEXMC_DATA_DIR) / "scenarios");
}

fs::path trace_directory() {
  return first_that_exists(FUTEXMC_TRACE_DIR, fs::path(FUTEXMC_DATA_DIR) / "traces");
}

std::string version() { return FUTEXMC_VERSION; }

std::string shown(const fs::path& path) {
  std::error_code error;
  const std::string near = fs::proximate(path, error).string();
  const std::string far = path.string();
  return !error && near.size() < far.size() ? near : far;
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Failure(exit_code::kUsage, fmt::format("cannot read '{}': Is a directory", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Failure(exit_code::kUsage,
                  fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  std::string text(max_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Failure(exit_code::kUsage, fmt::format("cannot read '{}'", path));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > max_bytes) {
    throw Failure(exit_code::kBadInput,
                  fmt::format("{}: has more than {} bytes", path, max_bytes));
  }
  return text;
}

void make_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw Failure(exit_code::kUsage,
                  fmt::format("cannot make '{}': {}", directory, error.message()));
  }
}

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return;
  throw Failure(exit_code::kUsage,
                fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

}  // namespace futexmc::cli
