// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chain of a bucket: include/linux/plist.h as far as tasks of one priority use it, a circular
// list in FIFO order. The links are cells: the owner of an entry reads its own link without the
// lock, to see whether it has been taken off (plist_node_empty).
//
// Because of that read, a write to a link of an entry by anybody but its owner is racy; all other
// link accesses are protected by the lock that is passed.
#pragma once

#include "model/kernel/atomic.hpp"

namespace futexmc::model {

using plist_node = list_head;
using plist_head = list_head;

/// Makes the list empty as part of the operation at hand.
inline void INIT_LIST_HEAD(list_head& list) {
  list.next.poke(&list);
  list.prev.poke(&list);
}

inline bool plist_head_empty(const plist_head& head) { return head.next.peek() == &head; }

/// The owner's look at its own entry, without the lock.
inline bool plist_node_empty(plist_node& node, Loc loc = Loc::here()) {
  return checker::load_as(node.next, Order::once, [&node](list_head* n) { return n == &node; },
                          loc, "plist_node_empty");
}

/// What a link leads to, which is about to be used; a link of an object that was freed is NULL.
inline list_head& linked(list_head* node) {
  if (node == nullptr) checker::fault("lifetime", {"a link of a list is NULL"});
  return *node;
}

/// Appends `node`. `own`: the current task owns the entry, and so is the only one that might read
/// its link without the lock.
inline void plist_add(plist_node& node, plist_head& head, const checker::Lock& lock, bool own,
                      Loc loc = Loc::here()) {
  Scope scope("plist_add");
  list_head* const last = checker::load_under(lock, head.prev, loc);
  if (own) {
    checker::store_under(lock, node.next, &head, loc);
  } else {
    write_plain(node.next, &head, loc);
  }
  checker::store_under(lock, node.prev, last, loc);
  checker::store_under(lock, linked(last).next, &node, loc);
  checker::store_under(lock, head.prev, &node, loc);
}

/// Takes `node` off and leaves it empty.
inline void plist_del(plist_node& node, const checker::Lock& lock, Loc loc = Loc::here()) {
  Scope scope("plist_del");
  list_head* const next = checker::load_under(lock, node.next, loc);
  list_head* const prev = checker::load_under(lock, node.prev, loc);
  checker::store_under(lock, linked(next).prev, prev, loc);
  checker::store_under(lock, linked(prev).next, next, loc);
  write_plain(node.next, &node, loc);
  checker::store_under(lock, node.prev, &node, loc);
}

}  // namespace futexmc::model
