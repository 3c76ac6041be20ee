// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a thread may forget. A thread's identity is the hash of what its operations returned; a
// scope cuts that history by function: on return only the result survives, and at a named point
// only the named locals do.
//
// A scope that forgets a live local merges states that differ, and the second one is pruned
// silently. The audit (audit.hpp) exists to notice; name every local that is read later.
#pragma once

#include <cstdint>

#include "checker/hash.hpp"
#include "checker/runtime.hpp"

namespace futexmc::checker {

/// A function of the program under test. Lives on the fiber's stack, first local of the function,
/// so that what later locals' destructors do is forgotten too.
class Scope {
 public:
  explicit Scope(Label label)
      : label_(label), parent_(rt.current->scope), base_(rt.current->history) {
    rt.current->scope = this;
  }
  ~Scope() {
    rt.current->scope = parent_;
    if (rt.scoped) rt.current->history = append(append(base_, label_.hash), result_);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Names the function's result, which is what the caller remembers: `return scope.returns(x);`
  template <class T>
  T returns(T value) {
    result_ = to_word(value);
    return value;
  }
  /// As above for a result of two words.
  void returns(std::uint64_t first, std::uint64_t second) {
    result_ = append(append({}, first), second).a;
  }

  /// From here on only `live` (each at most 8 bytes) and what the callers know matters.
  template <class... Live>
  void at(Label point, Live... live) {
    if (!rt.scoped) return;
    Hash128 hash = append(base_, point.hash);
    ((hash = append(hash, to_word(live))), ...);
    rt.current->history = hash;
  }

  /// Shows a local to who looks at the suspended thread; says nothing about its identity, so the
  /// history must determine it.
  template <class T>
  void show(T value) {
    shown_ = to_word(value);
  }

  const Scope* parent() const { return parent_; }
  const char* name() const { return label_.name; }
  /// What returns() was given; 0 before.
  std::uint64_t result() const { return result_; }
  /// What show() was given last; 0 before.
  std::uint64_t shown() const { return shown_; }

 private:
  Label label_;
  Scope* parent_;
  Hash128 base_;
  std::uint64_t result_ = 0;
  std::uint64_t shown_ = 0;
};

}  // namespace futexmc::checker
