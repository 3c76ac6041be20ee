// SPDX-License-Identifier: GPL-2.0-or-later
//
// Drawing small programs. What is drawn often is what the private hash makes hard: a resize against
// a wait or a wake, on a private hash or on the way to the first one.
#include "properties/rapid/small_program.hpp"

namespace futexmc::properties::rapid {
namespace {

using Kind = Action::Kind;
using Hash = SmallProgram::Hash;

/// A number in [0, count).
int pick(int count) { return *rc::gen::inRange(0, count); }
bool one_in(int count) { return pick(count) == 0; }

template <class T>
T pick_of(std::initializer_list<T> list) {
  return list.begin()[pick(static_cast<int>(list.size()))];
}

/// `may_wait`: anybody but the last thread; `may_resize`: tables are few, and so are states.
Action draw_action(bool may_wait, bool may_resize) {
  Action action;
  action.word = one_in(4) ? 1 : 0;
  const int kind = pick(6);
  if (may_wait && kind < 3) {
    action.kind = pick_of({Kind::wait, Kind::wait_loop});
    action.timeout = one_in(4);
    action.bitset = one_in(6) ? 1 + pick(3) : 0;
  } else if (may_resize && kind < 5) {
    action = {.kind = Kind::set_slots, .count = pick_of({4, 4, 2, 0})};
  } else {
    action.kind = one_in(3) ? Kind::post : Kind::wake;
    action.count = pick_of({1, 1, kAll});
    action.bitset = one_in(6) ? 1 + pick(3) : 0;
  }
  return action;
}

SmallProgram draw() {
  SmallProgram program;
  program.hash = pick_of({Hash::global, Hash::private_, Hash::private_, Hash::private_, Hash::none});
  program.threads.resize(one_in(3) ? 3 : 2);
  const bool roomy = program.threads.size() == 2;
  if (roomy) {
    program.spurious = one_in(5) ? 1 : 0;
    program.signal = one_in(5) ? 1 : 0;
  }
  int resizes = roomy && one_in(3) ? 2 : 1;
  const std::size_t last = program.threads.size() - 1;
  for (std::size_t id = 0; id <= last; ++id) {
    for (int left = roomy ? 1 + pick(2) : 1; left > 0; --left) {
      const Action action = draw_action(id != last, resizes > 0);
      if (action.kind == Kind::set_slots) --resizes;
      program.threads[id].push_back(action);
    }
  }
  return program;
}

}  // namespace

rc::Gen<SmallProgram> small_programs() {
  // The drawn numbers' own shrinks know nothing of programs: smaller() does.
  return {[](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(
        rc::gen::exec(&draw)(random, size).value(),
        [](const SmallProgram& program) { return rc::seq::fromContainer(smaller(program)); });
  }};
}

}  // namespace futexmc::properties::rapid
