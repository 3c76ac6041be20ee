// SPDX-License-Identifier: GPL-2.0-or-later
//
// The account of an operation: which shared cells it reads and writes, and in which part of it,
// when it runs alone in the steady state (a private hash, counted per CPU). Recorded from the
// model, so it is what the variant does and not what its changelog says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/scenario/scenario.hpp"
#include "model/variant.hpp"
#include "properties/compare/cells.hpp"

namespace futexmc::properties {

/// Accesses of one kind to one role. A read-modify-write counts as a write.
struct Uses {
  std::vector<std::string> phases;  ///< each once, in the order of the first access
  std::size_t count = 0;
};

struct Entry {
  Role role;
  Uses reads;
  Uses writes;
  bool contended = false;  ///< another thread of the account writes such a cell that this one uses
};

struct Account {
  std::string operation;      ///< "refused wait"
  std::string subject;        ///< "refused waits", as sentences begin
  std::string function;       ///< that it calls: "futex_wait"
  std::vector<Entry> entries;  ///< in the order of the first access
  const Entry* find(const std::string& role) const;
};

/// The accounts: of a refused wait, of a wake with nobody waiting, and of the two sides of a
/// successful wait and wake.
std::vector<Account> accounts(const model::Variant& variant);

/// A scenario of the program's own. The text must be well-formed.
scenario::Scenario built_in(const std::string& text, const std::string& name);

}  // namespace futexmc::properties
