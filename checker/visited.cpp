// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/visited.hpp"

#include <sys/mman.h>

#include <cmath>
#include <new>
#include <vector>

namespace futexmc::checker {
namespace {

constexpr std::size_t kInitialCapacity = 1U << 12;
constexpr std::size_t kMaxReserved = std::size_t{1} << 38;

/// Address space, of which nothing costs memory before it is used. Null if there is none.
void* reserve(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

Visited::Visited(bool with_sleep)
    : reserved_(kMaxReserved), capacity_(kInitialCapacity), with_sleep_(with_sleep) {
  // Where address space is limited, half of what there is: others need some too.
  void* memory = reserve(reserved_);
  while (memory == nullptr && reserved_ > bytes()) {
    reserved_ /= 2;
    memory = reserve(reserved_);
    if (memory == nullptr) continue;
    munmap(memory, reserved_);
    reserved_ /= 2;
    memory = reserve(reserved_);
  }
  if (memory == nullptr || reserved_ < bytes()) throw std::bad_alloc();
  madvise(memory, reserved_, MADV_HUGEPAGE);
  entries_ = static_cast<Entry*>(memory);
  if (mprotect(memory, bytes(), PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, reserved_);
    throw std::bad_alloc();
  }
}

Visited::~Visited() { munmap(entries_, reserved_); }

bool Visited::grow() {
  const std::size_t old = capacity_;
  const std::size_t wanted = bytes() * 2;
  if (wanted > max_bytes_ || wanted > reserved_) return false;
  if (mprotect(entries_, wanted, PROT_READ | PROT_WRITE) != 0) return false;
  capacity_ = old * 2;
  // An entry's new home is its old one or `old` slots further. Taken in the order of the slots,
  // from the first empty one on, each finds a place no later than where it was, or in the new
  // half: none lands among those still to be taken. The entries before that slot may have wrapped
  // around the old end, so they come last.
  std::vector<Entry> wrapped;
  std::size_t at = 0;
  for (; !entries_[at].empty(); ++at) {
    wrapped.push_back(entries_[at]);
    entries_[at] = {};
  }
  for (; at < old; ++at) {
    const Entry entry = entries_[at];
    if (entry.empty()) continue;
    entries_[at] = {};
    place(entry);
  }
  for (const Entry& entry : wrapped) place(entry);
  return true;
}

void Visited::place(const Entry& entry) {
  std::size_t at = entry.a & (capacity_ - 1);
  while (!entries_[at].empty()) at = (at + 1) & (capacity_ - 1);
  entries_[at] = entry;
}

Visited::Slot Visited::insert(Hash128 fingerprint) {
  Entry wanted{fingerprint.a, static_cast<std::uint32_t>(fingerprint.b),
               with_sleep_ ? 0 : static_cast<std::uint32_t>(fingerprint.b >> 32)};
  // The mask of an entry may be zero, so its fingerprint must not be.
  if (wanted.a == 0 && wanted.b == 0) wanted.b = 1;
  if (size_ * 4 >= capacity_ * 3 && !grow()) return {Insert::full, nullptr};
  for (std::size_t at = wanted.a & (capacity_ - 1);; at = (at + 1) & (capacity_ - 1)) {
    Entry& entry = entries_[at];
    std::uint32_t* const sleep = with_sleep_ ? &entry.rest : nullptr;
    if (entry.a == wanted.a && entry.b == wanted.b && (with_sleep_ || entry.rest == wanted.rest)) {
      return {Insert::seen, sleep};
    }
    if (entry.empty()) {
      entry = wanted;
      ++size_;
      return {Insert::fresh, sleep};
    }
  }
}

double Visited::collision_odds(double states) const {
  return states * states * std::ldexp(1.0, with_sleep_ ? -97 : -129);
}

}  // namespace futexmc::checker
