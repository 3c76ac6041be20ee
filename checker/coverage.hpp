// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which operations of the program under test have been executed: a search that never reaches an
// operation says nothing about it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "checker/runtime.hpp"

namespace futexmc::checker {

class Coverage {
 public:
  struct Site {
    std::string function;
    std::string operation;
    std::uint64_t count = 0;  ///< executions
  };
  /// Keyed by source file, as the compiler was given it, and line.
  using Sites = std::map<std::pair<std::string, int>, Site>;

  void note(const Operation& operation, const char* function) {
    Recent& recent = recent_[static_cast<std::size_t>(operation.loc.line) % recent_.size()];
    if (recent.file != operation.loc.file || recent.line != operation.loc.line) {
      Site& site = sites_[{operation.loc.file, operation.loc.line}];
      site.function = function;
      site.operation = operation.name;
      recent = {operation.loc.file, operation.loc.line, &site};
    }
    ++recent.site->count;
  }
  const Sites& sites() const { return sites_; }

 private:
  /// The last site seen on a line: spares most look-ups.
  struct Recent {
    const char* file = nullptr;
    int line = 0;
    Site* site = nullptr;
  };
  Sites sites_;
  std::array<Recent, 512> recent_{};
};

}  // namespace futexmc::checker
