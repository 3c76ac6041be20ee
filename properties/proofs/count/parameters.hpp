// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which protocol a variant has, as far as the transition systems here can tell.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>

#include "model/variant.hpp"

namespace futexmc::properties::proofs::count {

/// What a lookup that starts again does with the table it had found.
enum class Retry : std::uint8_t {
  forgets,
  keeps_if_global,  ///< takes it for its table if the current one stands for the global hash
  keeps,            ///< looks in it again
};

struct Parameters {
  std::bitset<static_cast<std::size_t>(model::Knockout::count)> removed;
  bool cookie_first = false;     ///< the cookie is taken before the new table is published
  bool cookie_in_section = false;  ///< both are done inside RCU, as v7.2 does
  bool touch_after_put = false;  ///< whoever put the last reference reads the table once more
  Retry retry = Retry::forgets;

  bool operator==(const Parameters&) const = default;
  bool without(model::Knockout what) const { return removed.test(static_cast<std::size_t>(what)); }
};

/// The parameters of the reference count's system.
Parameters parameters_of(const model::Variant& variant);

/// Why that system does not speak of the variant: a seam or a knock-out of the protocol that it
/// does not represent. Empty if it does.
std::string not_represented(const model::Variant& variant);

/// The same of the system of waiters on a bucket (waiters.hpp).
std::string waiters_not_represented(const model::Variant& variant);

}  // namespace futexmc::properties::proofs::count
