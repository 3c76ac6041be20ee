// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/races.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "checker/program.hpp"
#include "checker/race_clocks.hpp"

namespace futexmc::checker {

using namespace race_clocks;  // NOLINT(google-build-using-namespace): its own file

namespace {

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

}  // namespace

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
