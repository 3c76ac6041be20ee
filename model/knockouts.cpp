// SPDX-License-Identifier: GPL-2.0-or-later
//
// The knock-outs, with the property that must catch each and the smallest scenario known to. A test
// runs the table: each line is found with the knock-out and absent without.
#include "model/knockouts/knockouts.hpp"

namespace futexmc::model {

const std::vector<KnockoutInfo>& knockouts() {
  static const std::vector<KnockoutInfo> table = [] {
    std::vector<KnockoutInfo> all;
    for (auto* part : {&wait_knockouts, &wake_knockouts, &ref_knockouts, &table_knockouts,
                       &allocate_knockouts, &policy_knockouts, &order_knockouts, &requeue_knockouts,
                       &waitv_knockouts, &redundant_knockouts, &rtmutex_knockouts, &pi_knockouts,
                       &requeue_pi_knockouts}) {
      for (KnockoutInfo& info : part()) all.push_back(std::move(info));
    }
    return all;
  }();
  return table;
}

std::string name_of(Engine engine) {
  switch (engine) {
    case Engine::sc: return "sc";
    case Engine::tso: return "tso";
    case Engine::lkmm: break;
  }
  return "lkmm";
}

}  // namespace futexmc::model
