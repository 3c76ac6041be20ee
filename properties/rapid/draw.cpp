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

struct Allowed {
  bool wait = false;
  bool resize = false;
};

Action draw_action(Allowed allowed) {
  Action action;
  action.word = one_in(4) ? 1 : 0;
  const int kind = pick(6);
  if (allowed.wait && kind < 3) {
    action.kind = pick_of({Kind::wait, Kind::wait_loop});
    action.timeout = one_in(4);
    action.bitset = one_in(6) ? 1 + pick(3) : 0;
  } else if (allowed.resize && kind < 5) {
    action = {.kind = Kind::set_slots, .count = pick_of({4, 2, 0})};
  } else {
    action.kind = one_in(3) ? Kind::post : Kind::wake;
    action.count = pick_of({1, 1, kAll});
    action.bitset = one_in(6) ? 1 + pick(3) : 0;
  }
  return action;
}

bool waits_somewhere(const SmallProgram& program) {
  for (const auto& thread : program.threads) {
    for (const Action& action : thread) {
      if (action.kind == Kind::wait || action.kind == Kind::wait_loop) return true;
    }
  }
  return false;
}

// Sizes are what a search of some 100,000 states can finish: a wait against a resize takes two
// threads, a second resize leaves no room for the environment, and three threads do one thing each.
SmallProgram draw() {
  SmallProgram program;
  program.hash = one_in(6) ? Hash::global : one_in(5) ? Hash::none : Hash::private_;
  const bool three = one_in(3);
  program.threads.resize(three ? 3 : 2);
  const bool waiting = !three || one_in(2);
  int resizes = three ? !waiting : one_in(4) ? 2 : 1;
  const bool calm = three || resizes > 1;
  const std::size_t last = program.threads.size() - 1;
  for (std::size_t id = 0; id <= last; ++id) {
    for (int left = three ? 1 : 1 + pick(2); left > 0; --left) {
      const Action action = draw_action({.wait = waiting && id != last, .resize = resizes > 0});
      if (action.kind == Kind::set_slots) --resizes;
      program.threads[id].push_back(action);
    }
  }
  if (!calm && waits_somewhere(program) && one_in(3)) {
    (one_in(2) ? program.spurious : program.signal) = 1;
  }
  return program;
}

}  // namespace

rc::Gen<SmallProgram> small_programs() {
  // Of full size from the first sample on: a small one is degenerate, not simple. The drawn
  // numbers' own shrinks know nothing of programs: smaller() does.
  return {[](const rc::Random& random, int /*size*/) {
    return rc::shrinkable::shrinkRecur(
        rc::gen::exec(&draw)(random, rc::kNominalSize).value(),
        [](const SmallProgram& program) { return rc::seq::fromContainer(smaller(program)); });
  }};
}

}  // namespace futexmc::properties::rapid
