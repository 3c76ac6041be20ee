// SPDX-License-Identifier: GPL-2.0-or-later
//
// User memory. A page may be absent: while the fault budget lasts, an access that may not sleep can
// fail once, and the access that may sleep then brings the page in.
#pragma once

#include <cerrno>

#include "model/kernel/might_sleep.hpp"

namespace futexmc::model {

using UserWord = Cell<std::int64_t>;

/// What an access gives that faulted; no value of a word is.
inline constexpr std::int64_t kUserFault = -1;

/// Whether the word is on a page of the process, present or not.
inline bool is_mapped(const UserWord& word) {
  const auto& words = machine.scenario->words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (machine.word[i] == &word) return words[i].mapping != scenario::Mapping::unmapped;
  }
  return true;
}

/// An access with page faults disabled, which may fail: true is -EFAULT. Of a word that is not
/// mapped it does.
inline bool faults(const UserWord& word, checker::Operation op) {
  const std::uint64_t budget = checker::footprint(machine.budget->fault.index());
  op.reads |= budget;
  if (machine.scenario->budgets.fault > 0) {
    op.alternatives = 2;
    op.writes |= budget;
  }
  checker::announce(op);
  // The budget may have been spent by another thread since this was announced.
  const bool absent = checker::chosen() == 1 && op.alternatives == 2 &&
                      spend(machine.budget->fault);
  return absent || !is_mapped(word);
}

/// get_user() with page faults disabled: false is -EFAULT. `differs` says whether the value is not
/// `val`; nothing else is used of it.
inline bool get_user_inatomic(const UserWord& word, std::int64_t val, bool& differs,
                              Loc loc = Loc::here()) {
  const bool fault = faults(word, checker::operation("get_user", word, checker::Access::read,
                                                     Order::once, loc));
  const int seen = fault ? 2 : static_cast<int>(word.seen() != val);
  checker::remember(seen);
  differs = seen == 1;
  return seen != 2;
}

/// The model's books, as part of the access at hand: user space, or the kernel on its behalf, may
/// take or free a PI word only while nobody waits. From then on `pi-owner` leaves the word alone.
void note_user_change(const UserWord& word, std::int64_t before, std::int64_t after);

/// An atomic change of a word with page faults disabled: false is -EFAULT. `change(value)` may
/// change the value; what it returns is what the kernel learns, in `result`.
template <class Change>
bool user_update_inatomic(UserWord& word, Change change, int& result, const char* name,
                          Loc loc = Loc::here()) {
  const bool fault = faults(word, checker::atomic(checker::operation(
      name, word, checker::Access::write, Order::full, loc)));
  if (!fault) {
    checker::drain_stores();
    std::int64_t value = word.peek();
    const std::int64_t before = value;
    result = change(value);
    note_user_change(word, before, value);
    word.poke(value);
  }
  checker::remember(fault);
  if (!fault) checker::recall(static_cast<std::uint64_t>(static_cast<std::int64_t>(result)));
  return !fault;
}

/// The word, or kUserFault for -EFAULT.
inline std::int64_t futex_get_value_locked(const UserWord& word, Loc loc = Loc::here()) {
  const bool fault = faults(word, checker::operation("get_user", word, checker::Access::read,
                                                     Order::once, loc));
  return checker::remember(fault ? kUserFault : word.seen());
}

/// What the word was before, or kUserFault.
inline std::int64_t futex_cmpxchg_value_locked(UserWord& word, std::uint32_t uval,
                                               std::uint32_t newval, Loc loc = Loc::here()) {
  const bool fault = faults(word, checker::atomic(checker::operation(
      "futex_atomic_cmpxchg_inatomic", word, checker::Access::write, Order::full, loc)));
  if (fault) return checker::remember(kUserFault);
  const std::int64_t before = word.peek();
  if (before == uval) word.poke(newval);
  return checker::remember(before);
}

/// Brings the page in: 0 or -EFAULT. What is mapped is writable.
inline int fault_in_user_writeable(const UserWord& word) {
  might_sleep("fault_in_user_writeable()");
  return is_mapped(word) ? 0 : -EFAULT;
}

/// get_user() that may sleep: the word, or kUserFault.
inline std::int64_t get_user(const UserWord& word, Loc loc = Loc::here()) {
  const bool mapped = is_mapped(word);
  const std::int64_t value = checker::load_as(word, Order::once, [mapped](std::int64_t v) {
    return mapped ? v : kUserFault;
  }, loc, "get_user");
  might_sleep("get_user()");
  return value;
}

/// get_user() that may sleep, of a word that is mapped or of which nobody uses the value.
inline bool get_user_differs(const UserWord& word, std::int64_t val, Loc loc = Loc::here()) {
  const bool differs = checker::load_as(
      word, Order::once, [val](std::int64_t v) { return v != val; }, loc, "get_user");
  might_sleep("get_user()");
  return differs;
}

}  // namespace futexmc::model
