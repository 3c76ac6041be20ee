// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/proofs/count/parameters.hpp"

#include <algorithm>
#include <initializer_list>

#include "model/patches/patches.hpp"

namespace futexmc::properties::proofs::count {
namespace {

using model::Knockout;
using model::Seams;

/// The seams of one kernel or patch, on top of the base's.
Seams seams_of(const char* name) {
  Seams seams = model::base_seams();
  for (const auto* const table : {&model::kernels(), &model::patches()}) {
    for (const model::Change& change : *table) {
      if (change.name == name) change.apply(seams);
    }
  }
  return seams;
}

/// The protocol's rules have them: each changes a rule in system.hpp.
constexpr std::initializer_list<Knockout> kInCount = {
    Knockout::get_state, Knockout::get_not_zero, Knockout::put_state, Knockout::put_preempt,
    Knockout::put_atomic, Knockout::put_wake, Knockout::put_no_touch, Knockout::bias,
    Knockout::bias_first, Knockout::fold_grace_period, Knockout::fold_reset, Knockout::fold_sum,
    Knockout::fold_initial, Knockout::initial_ref, Knockout::next_ref, Knockout::next_ref_first,
    Knockout::fold_wake, Knockout::drop_mmget, Knockout::end_mmput, Knockout::drop_once,
    Knockout::callback_state, Knockout::publish_grace_period, Knockout::cookie_order,
    Knockout::dead_test, Knockout::lookup_rcu, Knockout::lookup_reset, Knockout::free_grace_period,
    Knockout::pivot_free_old, Knockout::allocate_rcu, Knockout::slots_rcu,
    Knockout::install_new_cleared, Knockout::pivot_new_cleared, Knockout::busy_test,
    Knockout::global_for_good, Knockout::pending_none, Knockout::pending_dead,
    Knockout::prctl_enqueue, Knockout::woken_flag, Knockout::get_preempt};

/// They change nothing that the protocol's rules speak of: how waiters queue and are woken, which
/// of two tables is preferred, and what the rules leave open (whether somebody puts, pivots,
/// waits).
constexpr std::initializer_list<Knockout> kBesideCount = {
    Knockout::waiters_before_check, Knockout::wait_count, Knockout::wait_uncount,
    Knockout::value_check_locked, Knockout::value_check, Knockout::fault_unlock,
    Knockout::fault_retry, Knockout::hbr_put, Knockout::queue_locked, Knockout::queue_fifo,
    Knockout::wait_state_late, Knockout::wait_running, Knockout::wait_timer_test,
    Knockout::timer_start, Knockout::timer_cancel, Knockout::wait_woken_first,
    Knockout::wait_timeout_check, Knockout::wait_signal_check, Knockout::wait_spurious,
    Knockout::unqueue_recheck, Knockout::unqueue_read_once, Knockout::unqueue_lock,
    Knockout::unqueue_del, Knockout::unqueue_count, Knockout::wake_lock, Knockout::wake_key,
    Knockout::wake_bitset, Knockout::wake_limit, Knockout::wake_get_task,
    Knockout::wake_unlink_first, Knockout::wake_no_touch, Knockout::wake_lock_ptr,
    Knockout::wake_up_q, Knockout::wake_q_clear_first, Knockout::lookup_pivot,
    Knockout::rehash_old_lock, Knockout::rehash_new_lock, Knockout::rehash_waiters,
    Knockout::rehash_move, Knockout::rehash_key, Knockout::rehash_lock_ptr, Knockout::publish_last,
    Knockout::default_custom, Knockout::less_zero, Knockout::prctl_again,
    Knockout::hash_less_custom, Knockout::hash_less_size, Knockout::slots_power_of_two,
    Knockout::check_no_fault, Knockout::state_after_check, Knockout::wait_barrier,
    Knockout::wake_barrier, Knockout::wake_release, Knockout::wait_state_first,
    Knockout::wait_list_test, Knockout::wait_state_barrier, Knockout::wake_pending,
    Knockout::wake_unlocked, Knockout::dead_rcu, Knockout::rehash_uncount, Knockout::pivot_state,
    Knockout::global_test, Knockout::busy_handover, Knockout::prctl_wait, Knockout::default_grows,
    Knockout::woken_clear, Knockout::wake_var_active};

/// The rules of waiters.hpp have them.
constexpr std::initializer_list<Knockout> kInWaiters = {
    Knockout::waiters_before_check, Knockout::wait_count, Knockout::wait_uncount,
    Knockout::value_check_locked, Knockout::value_check, Knockout::queue_locked,
    Knockout::unqueue_count, Knockout::rehash_waiters, Knockout::wake_pending};

bool among(std::initializer_list<Knockout> list, Knockout what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

/// Names the first knock-out that is in none of the lists.
std::string outside(const model::Variant& variant,
                    std::initializer_list<std::initializer_list<Knockout>> lists) {
  for (const model::KnockoutInfo& info : model::knockouts()) {
    if (!variant.removed.test(static_cast<std::size_t>(info.id))) continue;
    const bool known = std::any_of(lists.begin(), lists.end(),
                                   [&](const auto& list) { return among(list, info.id); });
    if (!known) return "the knock-out '" + info.name + "'";
  }
  return {};
}

/// The lookup's retry; false if it is an unknown lookup.
bool find_retry(const Seams& seams, Retry& retry) {
  retry = Retry::forgets;
  const auto lookup = seams.futex_hash;
  if (lookup == seams_of("bucket-ref-draft-1").futex_hash) retry = Retry::keeps_if_global;
  else if (lookup == seams_of("bucket-ref-tglx").futex_hash) retry = Retry::keeps;
  else if (lookup != seams_of("v7.3").futex_hash && lookup != seams_of("v7.1").futex_hash &&
           lookup != seams_of("rwsem-gate-get").futex_hash) {
    return false;
  }
  return true;
}

constexpr const char* kUnspoken = "the transition system does not represent ";

}  // namespace

Parameters parameters_of(const model::Variant& variant) {
  Parameters parameters;
  parameters.removed = variant.removed;
  const auto cookie_order = static_cast<std::size_t>(Knockout::cookie_order);
  parameters.cookie_first = variant.seams.pivot_publish == seams_of("v7.2").pivot_publish ||
                            variant.removed.test(cookie_order);
  parameters.cookie_in_section =
      variant.seams.pivot_publish == seams_of("v7.2").pivot_publish;
  parameters.touch_after_put =
      variant.seams.private_hash_put == seams_of("v7.1").private_hash_put ||
      parameters.without(Knockout::put_no_touch);
  find_retry(variant.seams, parameters.retry);
  return parameters;
}

std::string not_represented(const model::Variant& variant) {
  const Seams base = seams_of("v7.3");
  const Seams& seams = variant.seams;
  Retry unused{};
  std::string what;
  if (!find_retry(seams, unused)) what = "this futex_hash()";
  else if (seams.pivot_publish != base.pivot_publish &&
           seams.pivot_publish != seams_of("v7.2").pivot_publish) {
    what = "this publish in __futex_pivot_hash()";
  } else if (seams.private_hash_put != base.private_hash_put &&
             seams.private_hash_put != seams_of("v7.1").private_hash_put) {
    what = "this futex_private_hash_put()";
  } else if (seams.hbr_put != base.hbr_put && seams.hbr_put != seams_of("v7.1").hbr_put &&
             seams.hbr_put != seams_of("bucket-ref-tglx").hbr_put) {
    what = "this put of a bucket reference";
  } else if (seams.hash_set_slots != base.hash_set_slots ||
             seams.hash_allocate_default != base.hash_allocate_default) {
    what = "this way to ask for a table";
  } else {
    what = outside(variant, {kInCount, kBesideCount});
  }
  return what.empty() ? what : kUnspoken + what;
}

std::string waiters_not_represented(const model::Variant& variant) {
  std::string what;
  if (variant.seams.wait_check != seams_of("v7.3").wait_check) {
    what = "this check in futex_wait_setup()";
  } else {
    what = outside(variant, {kInWaiters, kInCount});
  }
  return what.empty() ? what : kUnspoken + what;
}

}  // namespace futexmc::properties::proofs::count
