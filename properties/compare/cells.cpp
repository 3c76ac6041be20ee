// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/compare/cells.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "checker/arena.hpp"

namespace futexmc::properties {
namespace {

constexpr const char* kBucket = "futex_hash_bucket";
constexpr const char* kTable = "futex_private_hash";

struct Named {
  std::string_view structure;
  std::string_view member;
  const char* name;
  const char* phrase;
  const char* group;
};
constexpr const char* kTheBucket = "the bucket";
constexpr const char* kTheTable = "the table";
constexpr const char* kTheCount = "the reference count";

constexpr std::array<Named, 20> kRoles = {{
    {kBucket, "waiters", "bucket waiters", "the bucket's waiter count", kTheBucket},
    {kBucket, "lock", "bucket lock", "the bucket's lock", kTheBucket},
    {kBucket, "chain", "bucket chain", "the bucket's chain", kTheBucket},
    {kBucket, "priv", "bucket priv", "the bucket's back pointer", kTheBucket},
    {kTable, "state", "table state", "the table's state", kTheTable},
    {kTable, "hash_mask", "table hash_mask", "the table's hash_mask", kTheTable},
    {kTable, "mm", "table mm", "the table's mm", kTheTable},
    {"mm_struct", "hash", "mm hash", "the pointer to the table", "the mm"},
    {"mm_struct", "hash_new", "mm hash_new", "the pointer to the next table", "the mm"},
    {"mm_struct", "atomic", "mm atomic", "the shared reference count", kTheCount},
    {"mm_struct", "ref[]", "mm ref (per CPU)", "the per-CPU reference count", kTheCount},
    {"word", "", "user word", "the user word", "the user word"},
    {"task_struct", "state", "task state", "the task's state", "the task"},
    {"task_struct", "wake_q", "task wake_q", "the task's wake_q", "the task"},
    {"futex_q", "list", "waiter list", "the waiter's list entry", "the waiter"},
    {"futex_q", "lock_ptr", "waiter lock_ptr", "the waiter's lock_ptr", "the waiter"},
    {"futex_q", "key", "waiter key", "the waiter's key", "the waiter"},
    {"futex_q", "task", "waiter task", "the waiter's task", "the waiter"},
    {"futex_q", "bitset", "waiter bitset", "the waiter's bitset", "the waiter"},
    {"wait_queue_head", "lock", "var_waitqueue lock", "the lock of var_waitqueue",
     "the wait queue"},
}};

/// "list" of "list.next"; a per-CPU counter whichever CPU's it is.
std::string plain(const std::string& member) {
  if (member.ends_with(".next") || member.ends_with(".prev")) {
    return member.substr(0, member.size() - 5);
  }
  return member.starts_with("ref[") ? "ref[]" : member;
}

bool split_cacheline(const model::Variant& variant) {
  const auto& patches = variant.patches;
  return std::find(patches.begin(), patches.end(), "split-cacheline") != patches.end();
}

}  // namespace

Place place_of(std::uint32_t cell) {
  const checker::Object& object = checker::arena.layout.object_of(cell);
  const std::string name = checker::arena.layout.cell_name(cell);
  Place place{object.kind, object.name, ""};
  if (!name.starts_with(object.name + ".")) return place;
  place.member = name.substr(object.name.size() + 1);
  if (place.member.starts_with("queues[")) {
    const std::size_t dot = place.member.find('.');
    place.structure = kBucket;
    place.instance += "." + place.member.substr(0, dot);
    place.member.erase(0, dot + 1);
  }
  if (place.member.starts_with("ref[")) place.instance += "." + place.member;
  place.member = plain(place.member);
  return place;
}

Role role_of(const Place& place) {
  for (const Named& named : kRoles) {
    if (named.structure == place.structure && named.member == place.member) {
      return {named.name, named.phrase, named.group};
    }
  }
  const std::string name = place.structure + (place.member.empty() ? "" : " " + place.member);
  return {name, name, place.structure};
}

bool counts(const Place& place) {
  if (place.structure == "word") return true;
  return !place.member.empty() && place.member != "read_side" && place.structure != "rcu_state" &&
         place.structure != "budget";
}

std::string line_of(const Place& place, const model::Variant& variant) {
  const std::string& member = place.member;
  if (place.structure == kBucket) {
    // waiters 0x00, lock 0x04, chain 0x08, priv 0x18; the patch aligns chain to a line of its own.
    const bool second = split_cacheline(variant) && (member == "chain" || member == "priv");
    return second ? "bucket (2)" : "bucket";
  }
  if (place.structure == kTable) return "table";
  if (place.structure == "mm_struct") {
    if (member == "ref[]") return "per-CPU count";
    // struct futex_mm_phash: lock 0x00, hash 0x20, hash_new 0x28, batches 0x30, rcu 0x38,
    // atomic 0x48, ref 0x50, counted from a line's beginning.
    return member == "atomic" || member == "ref" ? "mm futex (2)" : "mm futex";
  }
  if (place.structure == "word") return "user word";
  return place.structure;
}

std::string phase_of(const std::vector<std::string>& calls) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 17> kPhases = {{
      {"futex_hash_wait_new", "the gate"},
      {"futex_hash", "the lookup"},
      {"futex_private_hash_put", "the put"},
      {"futex_hash_put", "the put"},
      {"hbr_put", "the put"},
      {"futex_q_lock", "the locking"},
      {"futex_q_unlock", "the unlocking"},
      {"futex_wait_setup", "the value check"},
      {"futex_queue", "the queueing"},
      {"futex_do_wait", "the sleep"},
      {"futex_unqueue", "the unqueueing"},
      {"futex_hb_waiters_pending", "the test for waiters"},
      {"futex_wake", "the scan"},
      {"futex_wake_mark", "the marking"},
      {"wake_up_q", "the wakeup"},
      {"__futex_wait", "the wait"},
      {"futex_wait", "the wait"},
  }};
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    for (const auto& [function, phase] : kPhases) {
      if (*call == function) return phase;
    }
  }
  return calls.empty() ? "" : calls.back() + "()";
}

}  // namespace futexmc::properties
