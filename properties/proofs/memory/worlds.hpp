// SPDX-License-Identifier: GPL-2.0-or-later
//
// The worlds in which the theorems' programs run, and what they have in common.
#pragma once

#include "model/futex/futex.hpp"
#include "properties/proofs/memory/subjects.hpp"

namespace futexmc::properties::proofs::memory::worlds {

inline constexpr const char* kPrivate =
    "word f = 0; word g = 0; hash private(2); thread first { } thread second { }";
inline constexpr const char* kThree =
    "word f = 0; word g = 0; hash private(2); thread first { } thread second { } thread third { }";
inline constexpr const char* kFour =
    "word f = 0; word g = 0; hash private(2); "
    "thread first { } thread second { } thread third { } thread fourth { }";
inline constexpr const char* kGlobal =
    "word f = 0; word g = 0; hash global; thread first { } thread second { }";
/// Private, if the variant has it.
const char* of_two(const model::Variant& variant);

model::UserWord& word();
model::UserWord& other_word();
model::futex_private_hash& old_table();
model::futex_private_hash& new_table();
/// Where the first word's waiters are, and the other's.
model::futex_hash_bucket& old_bucket();
model::futex_hash_bucket& new_bucket();
model::futex_hash_bucket& other_bucket();
model::futex_q& entry();
model::futex_key key();

/// Thread 0 waits on the first word, and its task is asleep.
void queue_entry(model::futex_hash_bucket& hb);
/// The same where a lookup finds it now.
void queue_on_current_table();
/// A table waits to be installed; the current one's count is exact.
void prepare_pending(long count);

void pending_with_one_reference();

/// For bodies: gives a reference on the old table back.
void put();
/// A grace period passes after which the callback comes, if it is queued. Whether it was.
bool take_callback(std::uint64_t callback);
/// And is called, if it is that of the reference count.
bool run_callback();

}  // namespace futexmc::properties::proofs::memory::worlds
