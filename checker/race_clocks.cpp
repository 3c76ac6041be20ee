// SPDX-License-Identifier: GPL-2.0-or-later
//
// The race detector's clocks between two steps: the cells that hold them, in a form that is equal
// for equal futures.
#include "checker/race_clocks.hpp"

#include <bit>

#include "checker/assert.hpp"
#include "checker/program.hpp"

namespace futexmc::checker {

namespace race_clocks {

Working now;

namespace {

constexpr std::size_t kThreadCells = sizeof(ThreadClocks) / 8;

// As laid out in the arena: the counts, the threads' clocks, then `held` and `records`, of which
// only the used ones are looked at.
struct Cells {
  Cell<std::uint64_t> counts;  // of held, and of records times 2^32
  std::array<std::array<Cell<std::uint64_t>, kThreadCells>, kMaxThreads> threads;
  std::array<std::array<Cell<std::uint64_t>, 3>, kMaxHeld> held;
  std::array<Cell<std::uint64_t>, kMaxRecords> records;
};

Cells& stored() { return *reinterpret_cast<Cells*>(cells() + rt.races); }  // NOLINT

// A thread that has yet to be started will begin with its creator's clock or a later one.
bool counts(std::size_t id) {
  const Thread& thread = thread_record(id);
  if (thread.status != Status::ready) return false;
  return thread.begun || thread.pending.guard.kind == Guard::Kind::always;
}

// What every thread knows, and so can never be part of a race again.
Clock known_to_all() {
  Clock all;
  all.at.fill(255);
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    if (!counts(id)) continue;
    const Clock& known = now.threads[id].known;
    for (std::size_t i = 0; i < all.at.size(); ++i) all.at[i] = std::min(all.at[i], known.at[i]);
  }
  return all;
}

// New numbers for one thread's component: equal where no clock tells records apart.
class Renumbering {
 public:
  void note_record(std::uint8_t when) {
    record_[when] = true;
    last_ = std::max(last_, when);
  }
  void note_clock(std::uint8_t value) {
    clock_[value] = true;
    last_ = std::max(last_, value);
  }
  void make() {
    std::uint8_t number = 1;
    bool used = false;
    for (std::size_t v = 0; v <= last_; ++v) {
      used |= record_[v];
      to_record_[v] = number;
      to_clock_[v] = used ? number : static_cast<std::uint8_t>(number - 1);
      if (clock_[v] && used) {
        ++number;
        used = false;
      }
    }
    own_ = number;
  }
  std::uint8_t record(std::uint8_t when) const { return to_record_[when]; }
  std::uint8_t clock(std::uint8_t value) const { return to_clock_[value]; }
  std::uint8_t own() const { return own_; }

 private:
  std::array<bool, 256> record_{}, clock_{};
  std::array<std::uint8_t, 256> to_record_, to_clock_;  // up to `last_`
  std::uint8_t last_ = 0;
  std::uint8_t own_ = 1;
};

template <class Do>
void for_each_clock(Do act) {
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    ThreadClocks& clocks = now.threads[id];
    act(id, clocks.known);
    act(id, clocks.seen);
    act(kMaxThreads, clocks.fenced);
    act(kMaxThreads, clocks.pending);
  }
  for (Held& held : now.held) act(kMaxThreads, held.clock);
}

void renumber(std::size_t component) {
  Renumbering numbers;
  for (const Record& record : now.records) {
    if (record.thread == component) numbers.note_record(record.when);
  }
  for_each_clock([&](std::size_t owner, const Clock& clock) {
    if (owner != component) numbers.note_clock(clock.at[component]);
  });
  numbers.make();
  for (Record& record : now.records) {
    if (record.thread == component) record.when = numbers.record(record.when);
  }
  for_each_clock([&](std::size_t owner, Clock& clock) {
    clock.at[component] = owner == component ? numbers.own() : numbers.clock(clock.at[component]);
  });
}

void forget_the_finished() {
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    if (thread_record(id).status != Status::ready) now.threads[id] = {};
  }
}

void canonicalize() {
  forget_the_finished();
  const Clock all = known_to_all();
  now.records.shrink(std::remove_if(now.records.begin(), now.records.end(), [&](const Record& r) {
    return r.when <= all.at[r.thread];
  }));
  for (std::size_t id = 0; id < now.thread_count; ++id) renumber(id);
  const Clock known = known_to_all();
  now.held.shrink(std::remove_if(now.held.begin(), now.held.end(), [&](const Held& held) {
    return known.covers(held.clock);
  }));
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    ThreadClocks& clocks = now.threads[id];
    if (clocks.known.covers(clocks.pending)) clocks.pending = {};
  }
  std::sort(now.held.begin(), now.held.end(),
            [](const Held& a, const Held& b) { return a.key < b.key; });
  std::sort(now.records.begin(), now.records.end(),
            [](const Record& a, const Record& b) { return a.place() < b.place(); });
}

template <class T>
using Words = std::array<std::uint64_t, sizeof(T) / 8>;
template <class T>
Words<T> words_of(const T& value) {
  return std::bit_cast<Words<T>>(value);
}
/// What the cells from `first` on hold.
template <class T>
T value_in(const Cell<std::uint64_t>* first) {
  Words<T> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = first[i].peek();
  return std::bit_cast<T>(words);
}

std::uint64_t pack(const Record& r) {
  return std::uint64_t{r.function} << 32 | std::uint64_t{r.cell} << 16 |
         static_cast<std::uint64_t>(r.kind) << 12 | std::uint64_t{r.thread} << 8 | r.when;
}
Record unpack(std::uint64_t word) {
  return {static_cast<std::uint16_t>(word >> 16), static_cast<Kind>(word >> 12 & 0xF),
          static_cast<std::uint8_t>(word >> 8 & 0xF), static_cast<std::uint8_t>(word),
          static_cast<std::uint32_t>(word >> 32)};
}
static_assert(kMaxCells <= 1U << 16);

}  // namespace

}  // namespace race_clocks

using namespace race_clocks;  // NOLINT(google-build-using-namespace): its own file

void add_race_clocks(Builder& builder) {
  auto& object = builder.make<Cells>("race clocks", kRaceClocksKind);
  rt.races = cell_index(&object);
  now = {};
  now.thread_count = builder.thread_count();
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    now.threads[id].known.at[id] = now.threads[id].seen.at[id] = 1;
  }
}

void begin_race_step() {
  Cells& from = stored();
  const std::uint64_t counts = from.counts.peek();
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    now.threads[id] = value_in<ThreadClocks>(from.threads[id].data());
  }
  now.held.clear();
  for (std::size_t i = 0; i < (counts & 0xFFFFFFFF); ++i) {
    const auto key = static_cast<std::uint32_t>(from.held[i][0].peek());
    now.held.push({key, value_in<Clock>(&from.held[i][1])});
  }
  now.records.clear();
  for (std::size_t i = 0; i < counts >> 32; ++i) now.records.push(unpack(from.records[i].peek()));
}

void end_race_step() {
  if (now.overflow) {
    now.overflow = false;
    rt.monitor->bound_reached("more clocks or accesses than the race detector keeps");
  }
  canonicalize();
  Cells& to = stored();
  const std::uint64_t before = to.counts.peek();
  to.counts.poke(now.held.size() | std::uint64_t{now.records.size()} << 32);
  for (std::size_t id = 0; id < now.thread_count; ++id) {
    const auto words = words_of(now.threads[id]);
    for (std::size_t i = 0; i < words.size(); ++i) to.threads[id][i].poke(words[i]);
  }
  const std::size_t held_before = before & 0xFFFFFFFF;
  for (std::size_t i = 0; i < std::max(held_before, now.held.size()); ++i) {
    const Held held = i < now.held.size() ? now.held[i] : Held{0, {}};
    const auto words = words_of(held.clock);
    to.held[i][0].poke(held.key);
    to.held[i][1].poke(words[0]);
    to.held[i][2].poke(words[1]);
  }
  const std::size_t records_before = before >> 32;
  for (std::size_t i = 0; i < std::max(records_before, now.records.size()); ++i) {
    to.records[i].poke(i < now.records.size() ? pack(now.records[i]) : 0);
  }
}

}  // namespace futexmc::checker
