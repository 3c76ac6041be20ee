// SPDX-License-Identifier: GPL-2.0-or-later
//
// Changing one word and waking on two. Follows kernel/futex/waitwake.c: futex_atomic_op_inuser,
// futex_wake_op; and arch_futex_atomic_op_inuser() as x86 has it, which never gives -EAGAIN.
#include "model/kernel/sched.hpp"
#include "model/variant.hpp"

namespace futexmc::model {
namespace {

enum : unsigned { FUTEX_OP_SET, FUTEX_OP_ADD, FUTEX_OP_OR, FUTEX_OP_ANDN, FUTEX_OP_XOR };
enum : unsigned {
  FUTEX_OP_CMP_EQ, FUTEX_OP_CMP_NE, FUTEX_OP_CMP_LT, FUTEX_OP_CMP_LE, FUTEX_OP_CMP_GT,
  FUTEX_OP_CMP_GE
};
constexpr unsigned FUTEX_OP_OPARG_SHIFT = 8;

/// Twelve bits with a sign.
int sign_extend12(unsigned value) {
  const int number = static_cast<int>(value & 0xfff);
  return number >= 0x800 && !knocked(Knockout::wake_op_extend) ? number - 0x1000 : number;
}

std::uint32_t changed(unsigned op, std::uint32_t old, std::uint32_t oparg) {
  switch (op) {
    case FUTEX_OP_SET: return oparg;
    case FUTEX_OP_ADD: return old + oparg;
    case FUTEX_OP_OR: return old | oparg;
    case FUTEX_OP_ANDN: return old & ~oparg;
    default: return old ^ oparg;
  }
}

int compared(unsigned cmp, std::uint32_t old, int cmparg) {
  if (knocked(Knockout::wake_op_compare)) return 1;
  std::int64_t a = static_cast<std::int32_t>(old);
  std::int64_t b = cmparg;
  if (knocked(Knockout::wake_op_signed)) {
    a = old;
    b = static_cast<std::uint32_t>(cmparg);
  }
  switch (cmp) {
    case FUTEX_OP_CMP_EQ: return a == b;
    case FUTEX_OP_CMP_NE: return a != b;
    case FUTEX_OP_CMP_LT: return a < b;
    case FUTEX_OP_CMP_GE: return a >= b;
    case FUTEX_OP_CMP_LE: return a <= b;
    case FUTEX_OP_CMP_GT: return a > b;
    default: return -ENOSYS;  // after the word has been changed
  }
}

// 1 or 0 as the old value compares, or an error: -EFAULT, -ENOSYS.
int futex_atomic_op_inuser(unsigned encoded_op, UserWord& word) {
  Scope scope("futex_atomic_op_inuser");
  const unsigned op = (encoded_op >> 28) & 7;
  const unsigned cmp = (encoded_op >> 24) & 15;
  int oparg = sign_extend12(encoded_op >> 12);
  const int cmparg = sign_extend12(encoded_op);
  if ((encoded_op >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) {
    oparg = static_cast<int>(1U << (static_cast<unsigned>(oparg) & 31));
  }
  if (op > FUTEX_OP_XOR) return scope.returns(-ENOSYS);
  int result = 0;
  const bool done = user_update_inatomic(
      word,
      [&](std::int64_t& value) {
        const auto old = static_cast<std::uint32_t>(value);
        value = changed(op, old, static_cast<std::uint32_t>(oparg));
        return compared(cmp, old, cmparg);
      },
      result, "futex_atomic_op");
  return scope.returns(done ? result : -EFAULT);
}

// Wakes up to `nr_wake` waiters of the key, one at least if there is one. Gives how many, or
// -EINVAL if one of them may not be woken so.
int wake_chain(futex_hash_bucket& hb, const futex_key& key, int nr_wake, wake_q_head& wake_q) {
  Scope scope("futex_wake_op");
  const checker::Lock& lock = hb.lock.lock;
  list_head* at = checker::load_under(lock, hb.chain.next);
  int woken = 0;
  for (;;) {
    scope.at("chain", at, wake_q.identity(), woken);
    if (at == &hb.chain) break;
    list_head* const next = checker::load_under(lock, linked(at).next);
    futex_q& q = entry_of(linked(at));
    if (futex_match(checker::load_under(lock, q.key), key)) {
      if (is_pi_waiter(q, lock)) {
        woken = -EINVAL;
        break;
      }
      futex_wake_mark(wake_q, q, lock);
      if (++woken >= nr_wake) break;
    }
    at = next;
  }
  scope.returns(wake_q.identity(), static_cast<std::uint64_t>(woken));
  return woken;
}

}  // namespace

int futex_wake_op(UserWord& word1, unsigned flags, UserWord& word2, int nr_wake, int nr_wake2,
                  unsigned op) {
  Scope scope("futex_wake_op");
  seams().wake_op_entry();
  for (const int invalid : {check_address(word1, flags), check_address(word2, flags)}) {
    if (invalid != 0) return scope.returns(invalid);
  }
  const futex_key key1 = get_futex_key(word1, flags);
  const futex_key key2 = get_futex_key(word2, flags);
  wake_q_head wake_q;
  int ret = 0;
  for (bool again = true; again;) {
    scope.at("retry");
    class_hbr hbr1(key1);
    scope.at("first", hbr1.hb(), hbr1.fph());
    class_hbr hbr2(key2);
    futex_hash_bucket& hb1 = *hbr1.hb();
    futex_hash_bucket& hb2 = *hbr2.hb();
    scope.at("found", &hb1, hbr1.fph(), &hb2, hbr2.fph());
    if (knocked(Knockout::wake_op_refs)) {
      hbr1.put();
      hbr2.put();
    }
    double_lock_hb(hb1, hb2);
    const bool late = knocked(Knockout::wake_op_late);
    const int op_ret = late ? 1 : futex_atomic_op_inuser(op, word2);
    again = op_ret == -EFAULT;
    scope.at("changed", op_ret, &hb1, hbr1.fph(), &hb2, hbr2.fph());
    if (op_ret >= 0) ret = wake_chain(hb1, key1, nr_wake, wake_q);
    scope.at("woken", op_ret, ret, wake_q.identity(), &hb1, hbr1.fph(), &hb2, hbr2.fph());
    if (op_ret > 0 && ret >= 0) {
      const int second = wake_chain(hb2, key2, nr_wake2, wake_q);
      ret = second < 0 ? second : ret + second;
    }
    double_unlock_hb(hb1, hb2);
    if (late) futex_atomic_op_inuser(op, word2);
    if (op_ret < 0 && !again) ret = op_ret;
    if (again) fault_in_user_writeable(word2);
    if (again && (!is_mapped(word2) || knocked(Knockout::wake_op_fault_retry))) {
      ret = -EFAULT;
      again = false;
    }
    scope.at("unlocked", again, ret, wake_q.identity(), &hb1, hbr1.fph(), &hb2, hbr2.fph());
  }
  scope.at("wake", ret, wake_q.identity());
  wake_up_q(wake_q);
  return scope.returns(ret);
}

}  // namespace futexmc::model
