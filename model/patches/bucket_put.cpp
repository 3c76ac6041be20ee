// SPDX-License-Identifier: GPL-2.0-or-later
//
// References of PI operations that go through the bucket's back pointer, as before the bucket
// reference: futex_lock_pi() gives its own back before it blocks, and futex_unlock_pi() takes one
// for a waiter that it takes off the chain (`drop_hb_ref`), who looks its bucket up to put it.
#include "model/patches/patches.hpp"

namespace futexmc::model {

void put_through_bucket(const futex_bucket_ref& hbr) {
  Scope scope("futex_hash_put");
  if (hbr.hb == nullptr) return;  // no_free_ptr()
  futex_private_hash* const fph = read_plain(hbr.hb->priv);
  if (fph != nullptr) futex_private_hash_put(fph);
}

void lock_pi_put_through_bucket(futex_bucket_ref& hbr) {
  put_through_bucket(hbr);
  hbr.hb = nullptr;
}

void lock_pi_put_twice(futex_bucket_ref& hbr) { put_through_bucket(hbr); }

void handoff_get_through_bucket(futex_q& q, futex_hash_bucket& hb, const futex_key& /*key*/) {
  Scope scope("futex_hash_get");
  futex_private_hash* const fph = read_plain(hb.priv);
  if (fph == nullptr || knocked(Knockout::pi_handoff)) return;
  warn_on(!futex_private_hash_get(fph), "futex_hash_get(): the table is dead");
  q.drop_fph.poke(fph);  // says drop_hb_ref
  note_handed_over(*fph, q.task.peek() - 1);
}

void handoff_put_through_bucket(futex_q& q) {
  Scope scope("futex_lock_pi");
  if (read_immutable(q.drop_fph) == nullptr) return;
  const class_hbr hbr(q.key.peek());
  put_through_bucket({hbr.hb(), nullptr});
}

}  // namespace futexmc::model
