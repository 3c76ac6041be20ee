// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/store_buffer.hpp"

namespace futexmc::checker {
namespace {

// Objects lie one after the other, each with one more cell for its liveness.
constexpr std::size_t kStride = sizeof(StoreBuffer) / 8 + 1;

StoreBuffer& buffer_of(std::size_t thread) {
  return *reinterpret_cast<StoreBuffer*>(cells() + rt.buffers + thread * kStride);  // NOLINT
}

/// The oldest store takes effect.
void drain_one(std::size_t thread) {
  StoreBuffer& buffer = buffer_of(thread);
  const std::uint64_t where = buffer.entries[0].where.peek();
  const std::uint64_t value = buffer.entries[0].value.peek();
  const std::uint64_t used = buffer.used.peek();
  for (std::size_t i = 0; i + 1 < used; ++i) {
    buffer.entries[i].where.poke(buffer.entries[i + 1].where.peek());
    buffer.entries[i].value.poke(buffer.entries[i + 1].value.peek());
  }
  buffer.entries[used - 1].where.poke(0);
  buffer.entries[used - 1].value.poke(0);
  buffer.used.poke(used - 1);
  for (auto& marked : buffer.marked) {
    if (marked.peek() != 0) marked.poke(marked.peek() - 1);
  }
  const auto cell = static_cast<std::uint32_t>(where / 2);
  if (arena.layout.dead(cell)) {
    const std::string name = arena.layout.cell_name(cell);
    report("lifetime", {"use after free of ", arena.layout.object_of(cell).kind, ": a store to ",
                        name, " drains"});
    return;
  }
  arena.write_cell(cell, value, where % 2 != 0);
}

bool can_drain(std::uint64_t thread) { return buffer_of(thread).used.peek() != 0; }
void drain_event(std::uint64_t thread) { drain_one(thread); }

/// Position of the thread's newest store to the cell, plus one; 0 if there is none.
std::uint64_t newest(const StoreBuffer& buffer, std::uint32_t cell) {
  for (std::uint64_t i = buffer.used.peek(); i > 0; --i) {
    if (buffer.entries[i - 1].where.peek() / 2 == cell) return i;
  }
  return 0;
}

}  // namespace

std::uint64_t forwarded(std::uint32_t cell) {
  const StoreBuffer& buffer = buffer_of(rt.current_id);
  const std::uint64_t at = newest(buffer, cell);
  return at != 0 ? buffer.entries[at - 1].value.peek() : cells()[cell];
}

bool is_buffered(std::uint32_t cell) { return newest(buffer_of(rt.current_id), cell) != 0; }

void buffer_store(std::uint32_t cell, std::uint64_t value, bool hashed) {
  StoreBuffer& buffer = buffer_of(rt.current_id);
  const std::uint64_t used = buffer.used.peek();
  if (used == kStoreBufferSize) stop_at_bound("more than twelve stores in a store buffer");
  buffer.entries[used].where.poke(cell * 2ULL + (hashed ? 1 : 0));
  buffer.entries[used].value.poke(value);
  buffer.used.poke(used + 1);
}

void drain_own_stores() {
  while (can_drain(rt.current_id)) drain_one(rt.current_id);
}

void add_store_buffers(Builder& builder, std::size_t threads) {
  for (std::size_t id = 0; id < threads; ++id) {
    const std::string& name = builder.thread_name(id);
    auto& buffer = builder.make<StoreBuffer>(name + " store buffer", kStoreBufferKind);
    if (id == 0) rt.buffers = cell_index(&buffer);
    builder.event(
        {kDrainOf + name, true, &can_drain, &drain_event, id, kEverything, kEverything});
  }
}

std::uint64_t buffered_stores(std::size_t thread) {
  return rt.buffers == 0 ? 0 : buffer_of(thread).used.peek();
}

void mark_buffered_stores(std::size_t thread, std::size_t mark) {
  if (rt.buffers != 0) buffer_of(thread).marked[mark].poke(buffer_of(thread).used.peek());
}

std::uint64_t marked_stores(std::size_t thread, std::size_t mark) {
  return rt.buffers == 0 ? 0 : buffer_of(thread).marked[mark].peek();
}

}  // namespace futexmc::checker
