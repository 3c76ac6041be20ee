// SPDX-License-Identifier: GPL-2.0-or-later
//
// Shrinking small programs. What is simpler is less to read: fewer threads, then fewer waits (each
// brings a closing store and wake), then fewer actions, then nothing from the environment, then
// plainer calls. No step adds to what comes before it in this list.
#include "properties/rapid/small_program.hpp"

namespace futexmc::properties::rapid {
namespace {

using Kind = Action::Kind;
using Hash = SmallProgram::Hash;

bool waits(const Action& action) {
  return action.kind == Kind::wait || action.kind == Kind::wait_loop;
}

/// The last thread must not wait, whichever that is now.
void keep_promise(SmallProgram& program) { std::erase_if(program.threads.back(), waits); }

void drop_threads(const SmallProgram& program, std::vector<SmallProgram>& out) {
  if (program.threads.size() == 1) return;
  for (std::size_t id = 0; id < program.threads.size(); ++id) {
    SmallProgram less = program;
    less.threads.erase(less.threads.begin() + static_cast<std::ptrdiff_t>(id));
    keep_promise(less);
    out.push_back(std::move(less));
  }
}

void drop_actions(const SmallProgram& program, std::vector<SmallProgram>& out) {
  for (std::size_t id = 0; id < program.threads.size(); ++id) {
    for (std::size_t i = 0; i < program.threads[id].size(); ++i) {
      SmallProgram less = program;
      less.threads[id].erase(less.threads[id].begin() + static_cast<std::ptrdiff_t>(i));
      out.push_back(std::move(less));
    }
  }
}

/// A wait may be there for its lookup only: a wake does that too. Or for the closing wake's, which
/// goes with the last wait.
void replace_waits(const SmallProgram& program, std::vector<SmallProgram>& out) {
  for (std::size_t id = 0; id < program.threads.size(); ++id) {
    for (std::size_t i = 0; i < program.threads[id].size(); ++i) {
      const Action& wait = program.threads[id][i];
      if (!waits(wait)) continue;
      const Action wake = {.kind = Kind::wake, .word = wait.word};
      SmallProgram less = program;
      less.threads[id][i] = wake;
      out.push_back(less);
      less.threads[id].erase(less.threads[id].begin() + static_cast<std::ptrdiff_t>(i));
      less.threads.back().push_back(wake);
      out.push_back(std::move(less));
    }
  }
}

void calm_environment(const SmallProgram& program, std::vector<SmallProgram>& out) {
  const auto with = [&](auto change) {
    SmallProgram less = program;
    change(less);
    if (less != program) out.push_back(std::move(less));
  };
  with([](SmallProgram& p) { p.spurious = p.signal = 0; });
  if (program.spurious != 0 && program.signal != 0) {
    with([](SmallProgram& p) { p.spurious = 0; });
    with([](SmallProgram& p) { p.signal = 0; });
  }
  with([](SmallProgram& p) { p.hash = Hash::global; });
  if (program.hash == Hash::none) with([](SmallProgram& p) { p.hash = Hash::private_; });
}

/// The action with one thing plainer.
std::vector<Action> plainer(const Action& action) {
  std::vector<Action> out;
  const auto with = [&](auto change) {
    Action less = action;
    change(less);
    if (less != action) out.push_back(less);
  };
  if (action.kind == Kind::post) with([](Action& a) { a.kind = Kind::wake; });
  if (action.kind == Kind::wait_loop) with([](Action& a) { a.kind = Kind::wait; });
  with([](Action& a) { a.timeout = false; });
  with([](Action& a) { a.bitset = 0; });
  with([](Action& a) { a.word = 0; });
  // 4 is the plainest number of slots: it grows the table.
  with([](Action& a) { a.count = a.kind == Kind::set_slots ? 4 : 1; });
  return out;
}

void simplify_actions(const SmallProgram& program, std::vector<SmallProgram>& out) {
  for (std::size_t id = 0; id < program.threads.size(); ++id) {
    for (std::size_t i = 0; i < program.threads[id].size(); ++i) {
      for (const Action& action : plainer(program.threads[id][i])) {
        SmallProgram less = program;
        less.threads[id][i] = action;
        out.push_back(std::move(less));
      }
    }
  }
}

}  // namespace

std::vector<SmallProgram> smaller(const SmallProgram& program) {
  std::vector<SmallProgram> out;
  drop_threads(program, out);
  drop_actions(program, out);
  replace_waits(program, out);
  calm_environment(program, out);
  simplify_actions(program, out);
  return out;
}

}  // namespace futexmc::properties::rapid
