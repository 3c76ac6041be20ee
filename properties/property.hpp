// SPDX-License-Identifier: GPL-2.0-or-later
//
// The guarantees, by name. Each is stated once: the ones about a state or a final state in
// invariants/, the ones about an operation where the model performs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace futexmc::properties {

struct Property {
  std::string id;
  std::string title;   ///< what must hold
  std::string source;  ///< who says so
  int exit_code;       ///< of a check that finds it violated
};

/// Those that every check looks at.
const std::vector<Property>& all();
/// Those that a check looks at only if asked, as it takes another search.
const std::vector<Property>& on_request();
/// Both.
std::vector<const Property*> listed();
/// Null if there is no such property.
const Property* find(std::string_view id);
/// Whether it is a finding about the kernel itself (docs/findings.md), which says nothing of a
/// program that uses it, nor of a patch.
bool is_known(std::string_view property, std::string_view message);
/// Of several violated properties the exit code that counts: 13, 11, 10, 12, 14.
int exit_code(const std::vector<std::string>& violated);

}  // namespace futexmc::properties
