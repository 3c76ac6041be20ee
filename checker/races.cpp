// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/races.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "checker/assert.hpp"
#include "checker/program.hpp"

namespace futexmc::checker {
namespace {

// A component a thread, each of a byte: canonical numbers are small.
struct Clock {
  std::array<std::uint8_t, 16> at{};
  bool operator==(const Clock&) const = default;
  void join(const Clock& other) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], other.at[i]);
  }
  bool covers(const Clock& other) const {
    bool all = true;
    for (std::size_t i = 0; i < at.size(); ++i) all &= at[i] >= other.at[i];
    return all;
  }
};
static_assert(kMaxThreads <= 16 && sizeof(Clock) == 16);

// A thread's clocks. `known` orders its reads; `seen`, which covers it, its writes and what it
// releases: it has what loads without acquire have observed. `fenced` is what its relaxed writes
// release: `seen` at its last full barrier. `pending` becomes known at its next one.
struct ThreadClocks {
  Clock known, seen, fenced, pending;
};

enum class Channel : std::uint8_t {
  write,      // what who reads the cell's value comes after
  overwrite,  // what who overwrites it comes after at its next full barrier
  named,      // the program's
};

struct Held {
  std::uint32_t key;  // 4 * cell + Channel
  Clock clock;
};

enum class Kind : std::uint8_t { write, plain_read, use, change };

// The last access of its kind by the thread to the cell; for the latter two kinds, to the object
// of which the cell is the first.
struct Record {
  std::uint16_t cell;
  Kind kind;
  std::uint8_t thread;
  std::uint8_t when;
  std::uint32_t function;  // a name's hash

  std::uint64_t place() const {
    return std::uint64_t{cell} << 8 | static_cast<std::uint64_t>(kind) << 4 | thread;
  }
};

constexpr std::size_t kMaxHeld = 96;
constexpr std::size_t kMaxRecords = 448;
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

template <class T, std::size_t Capacity>
class Bounded {
 public:
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  /// False if it is full.
  bool push(const T& item) {
    if (size_ == Capacity) return false;
    items_[size_++] = item;
    return true;
  }
  void shrink(T* new_end) { size_ = static_cast<std::size_t>(new_end - items_.data()); }
  void clear() { size_ = 0; }

 private:
  std::array<T, Capacity> items_;
  std::size_t size_ = 0;
};

// What a step works on; between steps it is in the cells.
struct Working {
  std::array<ThreadClocks, kMaxThreads> threads;
  Bounded<Held, kMaxHeld> held;
  Bounded<Record, kMaxRecords> records;
  std::size_t thread_count = 0;
  bool overflow = false;
};
Working now;

// Names by hash, for messages. Grows only, and says nothing about the state.
std::unordered_map<std::uint32_t, std::string_view>& names() {
  static std::unordered_map<std::uint32_t, std::string_view> table;
  return table;
}

std::uint32_t name_hash(const char* function) {
  static const char* last = nullptr;
  static std::uint32_t last_hash = 0;
  if (function == last) return last_hash;
  std::uint32_t hash = 2166136261U;
  for (const char c : std::string_view(function)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  names().try_emplace(hash, function);
  last = function;
  return last_hash = hash;
}

ThreadClocks& mine() { return now.threads[rt.current_id]; }

Held* find_held(std::uint32_t key) {
  for (Held& held : now.held) {
    if (held.key == key) return &held;
  }
  return nullptr;
}

std::uint32_t key_of(std::uint32_t cell, Channel channel) {
  return cell * 4 + static_cast<std::uint32_t>(channel);
}

void hold(std::uint32_t key, const Clock& clock, bool joined) {
  if (Held* const held = find_held(key)) {
    if (joined) held->clock.join(clock);
    else held->clock = clock;
  } else if (!(clock == Clock{}) && !now.held.push({key, clock})) {
    now.overflow = true;
  }
}

const Clock& held_in(std::uint32_t key) {
  static const Clock nothing;
  const Held* const held = find_held(key);
  return held != nullptr ? held->clock : nothing;
}

// What the thread does from now on is later than what it has released.
void tick() {
  const auto id = rt.current_id;
  ThreadClocks& clocks = mine();
  if (clocks.known.at[id] == 255) {
    now.overflow = true;
    return;
  }
  ++clocks.known.at[id];
  clocks.seen.at[id] = clocks.known.at[id];
}

void full_barrier() {
  ThreadClocks& clocks = mine();
  clocks.seen.join(clocks.pending);
  clocks.known = clocks.seen;
  clocks.pending = {};
  clocks.fenced = clocks.seen;
  tick();
}

void read(const Operation& op) {
  ThreadClocks& clocks = mine();
  const Clock& written = held_in(key_of(op.cell, Channel::write));
  clocks.seen.join(written);
  const bool acquires = op.order == Order::acquire || op.order == Order::full;
  if (acquires || (op.access & kPointer) != 0) clocks.known.join(written);
  hold(key_of(op.cell, Channel::overwrite), clocks.fenced, true);
}

void write(const Operation& op) {
  ThreadClocks& clocks = mine();
  const bool rmw = (op.access & kReadModifyWrite) != 0;
  // smp_store_mb() is a store and then a barrier.
  const bool releases = op.order == Order::release || (op.order == Order::full && rmw);
  clocks.pending.join(held_in(key_of(op.cell, Channel::overwrite)));
  hold(key_of(op.cell, Channel::write), releases ? clocks.seen : clocks.fenced, rmw);
  hold(key_of(op.cell, Channel::overwrite), clocks.fenced, true);
  if (releases) tick();
}

// "futex_private_hash.queues[].lock": like things have one name.
std::string name_of_cell(std::uint32_t cell) {
  const Object& object = arena.layout.object_of(cell);
  std::string name = arena.layout.cell_name(cell);
  const bool prefixed = name.starts_with(object.name + ".");
  name = object.kind + (prefixed ? name.substr(object.name.size()) : "");
  std::erase_if(name, [](unsigned char c) { return std::isdigit(c) != 0; });
  return name;
}

void report_race(const Race& race) {
  if (rt.program != nullptr && rt.program->tolerates(race)) return;
  if (race.lifetime) {
    report("race", {race.what, ": its use in ", race.reader,
                    "() is not ordered with its allocation or freeing in ", race.writer, "()"});
  } else {
    report("race", {race.what, ": a plain read in ", race.reader,
                    "() is not ordered with a write in ", race.writer, "()"});
  }
}

std::string function_named(std::uint32_t hash) { return std::string(names().at(hash)); }

// Reports others' accesses of the kind that `clock` does not cover.
void compare(std::uint16_t cell, Kind kind, const Clock& clock, const char* function) {
  for (std::size_t i = 0; i < now.records.size(); ++i) {
    const Record record = now.records[i];
    if (record.cell != cell || record.kind != kind || record.thread == rt.current_id) continue;
    ++rt.conflicts;
    if (record.when <= clock.at[record.thread]) continue;
    const bool lifetime = kind == Kind::use || kind == Kind::change;
    const bool other_reads = kind == Kind::plain_read || kind == Kind::use;
    const std::string what =
        lifetime ? arena.layout.object_of(cell).kind : name_of_cell(cell);
    const std::string other = function_named(record.function);
    report_race({what, other_reads ? other : function, other_reads ? function : other, lifetime});
  }
}

void keep(std::uint16_t cell, Kind kind, const char* function) {
  const auto id = static_cast<std::uint8_t>(rt.current_id);
  const Record record{cell, kind, id, mine().known.at[id], name_hash(function)};
  for (Record& old : now.records) {
    if (old.place() == record.place()) {
      old = record;
      return;
    }
  }
  if (!now.records.push(record)) now.overflow = true;
}

void check(const Operation& op) {
  const auto cell = static_cast<std::uint16_t>(op.cell);
  const char* const function =
      rt.current->scope != nullptr ? function_of(*rt.current) : op.loc.function;
  const bool writes = op.writes != 0;
  const bool plain_read = op.order == Order::plain && !writes;
  const ThreadClocks& clocks = mine();
  const Object& object = arena.layout.object_of(op.cell);
  if (object.mortal) {
    const auto first = static_cast<std::uint16_t>(object.first);
    compare(first, Kind::change, plain_read ? clocks.known : clocks.seen, function);
    keep(first, Kind::use, function);
  }
  if (plain_read) {
    compare(cell, Kind::write, clocks.known, function);
    keep(cell, Kind::plain_read, function);
  } else if (writes) {
    compare(cell, Kind::plain_read, clocks.seen, function);
    keep(cell, Kind::write, function);
  }
}

// Forgets what is known of the object's cells, which mean nothing from now on.
void forget(const Object& object) {
  const auto within = [&object](std::uint32_t cell) {
    return cell >= object.first && cell < object.first + object.count;
  };
  now.records.shrink(std::remove_if(now.records.begin(), now.records.end(), [&](const Record& r) {
    return within(r.cell);
  }));
  now.held.shrink(std::remove_if(now.held.begin(), now.held.end(), [&](const Held& held) {
    return within(held.key / 4) && held.key % 4 != static_cast<std::uint32_t>(Channel::named);
  }));
}

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

void note_race_access(const Operation& op) {
  rt.current->begun = true;
  const bool barrier = op.order == Order::full;
  const bool before = barrier && (op.access & kReadModifyWrite) != 0;
  if (before || (barrier && op.cell == kNoCell)) full_barrier();
  if (op.cell == kNoCell) return;
  const bool writes = op.writes != 0;
  // A read-modify-write takes part in both; a store only in the second.
  if (!writes || (op.access & kReadModifyWrite) != 0) read(op);
  check(op);
  if (writes) write(op);
  if (barrier) full_barrier();
}

namespace order {

void release(std::uint32_t channel) {
  if (rt.races == 0) return;
  hold(key_of(channel, Channel::named), mine().seen, true);
  tick();
}

void acquire(std::uint32_t channel) { acquire_for(rt.current_id, channel); }

void acquire_for(std::size_t thread, std::uint32_t channel) {
  if (rt.races == 0) return;
  const Clock& clock = held_in(key_of(channel, Channel::named));
  now.threads[thread].known.join(clock);
  now.threads[thread].seen.join(clock);
}

void pass(std::uint32_t from, std::uint32_t to) {
  if (rt.races == 0) return;
  const Clock clock = held_in(key_of(from, Channel::named));
  hold(key_of(to, Channel::named), clock, true);
}

void clear(std::uint32_t channel) {
  if (rt.races == 0) return;
  if (Held* const held = find_held(key_of(channel, Channel::named))) held->clock = {};
}

void object_changes(std::uint32_t cell) {
  if (rt.races == 0) return;
  const Object& object = arena.layout.object_of(cell);
  const auto first = static_cast<std::uint16_t>(object.first);
  const char* const function = function_of(*rt.current);
  compare(first, Kind::use, mine().seen, function);
  forget(object);
  keep(first, Kind::change, function);
}

void object_freed_after(std::uint32_t cell, std::uint32_t channel, const char* by) {
  if (rt.races == 0) return;
  const Object& object = arena.layout.object_of(cell);
  const std::size_t id = rt.current_id;
  rt.current_id = kMaxThreads;  // nobody
  compare(static_cast<std::uint16_t>(object.first), Kind::use,
          held_in(key_of(channel, Channel::named)), by);
  rt.current_id = id;
  forget(object);
}

}  // namespace order

}  // namespace futexmc::checker
