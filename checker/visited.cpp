// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/visited.hpp"

#include <sys/mman.h>

#include <cmath>
#include <new>

namespace futexmc::checker {
namespace {

constexpr std::size_t kInitialCapacity = 1U << 12;

}  // namespace

void* Visited::allocate(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (bytes >= (2U << 20)) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

Visited::Visited(bool with_sleep) : capacity_(kInitialCapacity), with_sleep_(with_sleep) {
  keys_ = static_cast<Hash128*>(allocate(capacity_ * sizeof(Hash128)));
  if (with_sleep_) sleep_ = static_cast<std::uint32_t*>(allocate(capacity_ * 4));
  if (keys_ == nullptr || (with_sleep_ && sleep_ == nullptr)) throw std::bad_alloc();
}

Visited::~Visited() {
  munmap(keys_, capacity_ * sizeof(Hash128));
  if (sleep_ != nullptr) munmap(sleep_, capacity_ * 4);
}

bool Visited::grow() {
  const std::size_t capacity = capacity_ * 2;
  // While the table is copied, both stand.
  if (capacity_ * 3 * bytes_per_slot() > max_bytes_) return false;
  auto* const keys = static_cast<Hash128*>(allocate(capacity * sizeof(Hash128)));
  auto* const sleep =
      with_sleep_ ? static_cast<std::uint32_t*>(allocate(capacity * 4)) : nullptr;
  if (keys == nullptr || (with_sleep_ && sleep == nullptr)) {
    if (keys != nullptr) munmap(keys, capacity * sizeof(Hash128));
    return false;
  }
  for (std::size_t i = 0; i < capacity_; ++i) {
    if (keys_[i] == Hash128{}) continue;
    std::size_t at = keys_[i].a & (capacity - 1);
    while (!(keys[at] == Hash128{})) at = (at + 1) & (capacity - 1);
    keys[at] = keys_[i];
    if (with_sleep_) sleep[at] = sleep_[i];
  }
  munmap(keys_, capacity_ * sizeof(Hash128));
  if (sleep_ != nullptr) munmap(sleep_, capacity_ * 4);
  keys_ = keys;
  sleep_ = sleep;
  capacity_ = capacity;
  return true;
}

Visited::Slot Visited::insert(Hash128 fingerprint) {
  if (fingerprint == Hash128{}) fingerprint.a = 1;
  if (size_ * 4 >= capacity_ * 3 && !grow()) return {Insert::full, nullptr};
  for (std::size_t at = fingerprint.a & (capacity_ - 1);; at = (at + 1) & (capacity_ - 1)) {
    std::uint32_t* const sleep = with_sleep_ ? &sleep_[at] : nullptr;
    if (keys_[at] == fingerprint) return {Insert::seen, sleep};
    if (keys_[at] == Hash128{}) {
      keys_[at] = fingerprint;
      ++size_;
      return {Insert::fresh, sleep};
    }
  }
}

double Visited::collision_odds(double states) { return states * states * std::ldexp(1.0, -129); }

}  // namespace futexmc::checker
