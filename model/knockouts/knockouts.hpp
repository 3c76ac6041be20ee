// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of knock-outs in parts, in the order of knockouts.def.
#pragma once

#include "model/variant.hpp"

namespace futexmc::model {

std::vector<KnockoutInfo> wait_knockouts();
std::vector<KnockoutInfo> wake_knockouts();
std::vector<KnockoutInfo> ref_knockouts();
std::vector<KnockoutInfo> table_knockouts();
std::vector<KnockoutInfo> allocate_knockouts();
std::vector<KnockoutInfo> policy_knockouts();
std::vector<KnockoutInfo> order_knockouts();
std::vector<KnockoutInfo> requeue_knockouts();
std::vector<KnockoutInfo> waitv_knockouts();
std::vector<KnockoutInfo> redundant_knockouts();
std::vector<KnockoutInfo> rtmutex_knockouts();
std::vector<KnockoutInfo> pi_knockouts();
std::vector<KnockoutInfo> requeue_pi_knockouts();

}  // namespace futexmc::model
