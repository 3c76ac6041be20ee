// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which operations of the program under test have been executed: a search that never reaches an
// operation says nothing about it. By place in the source, and by name: what two versions of a
// program can be compared by.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
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
    const Use use{function, operation.name, operation.cell};
    if (recent_uses_[slot(use)] != use || !watched_.empty()) note_name(use);
  }
  const Sites& sites() const { return sites_; }

  /// "futex_ref_get(): READ_ONCE of futex_private_hash.state", each once. Cells are called after
  /// the kind of their object, indices left out. Means nothing if programs of different layouts
  /// were noted.
  const std::set<std::string>& names() const { return names_; }
  /// Calls `told` each time that an operation of one of these names is executed.
  void watch(std::set<std::string> names, std::function<void(const std::string&)> told);

 private:
  /// The last site seen on a line: spares most look-ups.
  struct Recent {
    const char* file = nullptr;
    int line = 0;
    Site* site = nullptr;
  };
  /// An operation; names are compared by address, of which one name may have several.
  struct Use {
    const char* function = nullptr;
    const char* operation = nullptr;
    std::uint32_t cell = kNoCell;
    auto operator<=>(const Use&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
  };
  static constexpr std::size_t kSlots = 1024;
  static std::size_t slot(const Use& use) {
    return (fold(to_word(use.function) ^ use.cell, to_word(use.operation))) % kSlots;
  }
  void note_name(const Use& use);

  Sites sites_;
  std::array<Recent, 512> recent_{};
  std::array<Use, kSlots> recent_uses_{};
  std::map<Use, const std::string*> uses_;
  std::set<std::string> names_;
  std::set<std::string> watched_;
  std::function<void(const std::string&)> told_;
};

}  // namespace futexmc::checker
