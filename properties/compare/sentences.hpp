// SPDX-License-Identifier: GPL-2.0-or-later
//
// The difference of two accounts in sentences: "the lookup and the put no longer read the bucket's
// back pointer". They follow from the two sets of (phase, role, access) alone.
#pragma once

#include <string>
#include <vector>

#include "properties/compare/account.hpp"

namespace futexmc::properties {

/// Of one operation on two variants. `before` and `after` are accounts of the same operation.
std::vector<std::string> sentences(const Account& before, const Account& after);

/// A sentence with the operations of which it is true.
struct Sentence {
  std::string text;
  std::vector<std::string> subjects;  ///< "refused waits"; empty where the text names them itself
};
/// Of all operations, each sentence once, in order of the first operation that it is true of.
std::vector<Sentence> all_sentences(const std::vector<Account>& before,
                                    const std::vector<Account>& after);

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace futexmc::properties
