// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the program as a function, and gives tests a directory of their own.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/interrupt.hpp"
#include "cli/run.hpp"
#include "cli/streams.hpp"

namespace futexmc::cli {

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
  Json json() const { return Json::parse(out); }
};

inline Ran run_cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "futexmc");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  Ran ran;
  ran.code = run(static_cast<int>(argv.size()), argv.data(), out, err);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

inline std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A test with an empty directory, removed afterwards, and no interrupt pending.
class InDirectory : public testing::Test {
 protected:
  InDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "futexmc-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~InDirectory() override {
    interrupted().store(false);
    std::filesystem::remove_all(directory_);
  }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path directory_;
};

}  // namespace futexmc::cli
