// SPDX-License-Identifier: GPL-2.0-or-later
//
// The data races that the kernel accepts, with the reasons. Anything else that the detector reports
// counts.
#include <algorithm>
#include <array>
#include <string_view>

#include "checker/races.hpp"
#include "properties/invariants/invariants.hpp"

namespace futexmc::properties {
namespace {

struct Accepted {
  std::string_view what;
  std::string_view reader;
};

constexpr std::array<Accepted, 2> kAccepted = {{
    // kernel/sched/wait.c says how the flag may be read beside its being set, and which barriers
    // (its A, B and C) make either outcome right; the accesses are not marked.
    {"task_struct.wait.woken", "wait_woken"},
    // kernel/futex/core.c says at the test how lock_ptr may change beside it: if the lock that was
    // taken is the wrong one, any value but its own will do, and that value it cannot become while
    // the lock is held.
    {"futex_q.lock_ptr", "futex_unqueue"},
}};

}  // namespace

bool is_accepted(const checker::Race& race) {
  return std::any_of(kAccepted.begin(), kAccepted.end(), [&race](const Accepted& one) {
    return one.what == race.what && one.reader == race.reader;
  });
}

}  // namespace futexmc::properties
