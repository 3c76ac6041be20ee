// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/arena.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "checker/assert.hpp"

namespace futexmc::checker {

Arena arena;

void Arena::map() {
  static bool mapped = false;
  if (mapped) return;
  void* const wanted = reinterpret_cast<void*>(kArenaBase);  // NOLINT(performance-no-int-to-ptr)
  void* const got = mmap(wanted, kArenaSize, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) throw std::system_error(errno, std::generic_category(), "mapping the arena");
  for (std::size_t i = 0; i < kMaxThreads; ++i) {
    char* const stack = static_cast<char*>(got) + kStacksOffset + i * kStackSize;
    if (mprotect(stack, 4096, PROT_NONE) != 0) {
      throw std::system_error(errno, std::generic_category(), "guarding a stack");
    }
  }
  mapped = true;
}

void UndoLog::grow() {
  const std::size_t used = size();
  entries_.resize(used == 0 ? 256 : used * 2);
  end_ = entries_.data() + used;
  limit_ = entries_.data() + entries_.size();
}

void Layout::clear() {
  std::memset(cells(), 0, kMaxCells * 8);
  used_ = 1;  // cell 0 stays zero: the liveness of what always lives
  objects_.assign(1, Object{0, 1, 0, "global", "global"});
  objects_liveness_.assign(1, 0);
  owner_.assign(kMaxCells, 0);
  members_.assign(kMaxCells, {});
}

std::uint32_t Layout::reserve(std::size_t bytes, std::string name, std::string kind) {
  FUTEXMC_ASSERT(bytes % 8 == 0, "objects are made of whole cells");
  const auto count = static_cast<std::uint32_t>(bytes / 8);
  FUTEXMC_ASSERT(used_ + count + 1 <= kMaxCells, "the arena has no room for another object");
  FUTEXMC_ASSERT(objects_.size() < 256, "too many objects");
  const Object object{used_ + 1, count, used_, std::move(name), std::move(kind)};
  const auto id = static_cast<std::uint8_t>(objects_.size());
  for (std::uint32_t i = object.first; i < object.first + count; ++i) owner_[i] = id;
  members_[object.liveness] = object.name + " liveness";
  used_ += count + 1;
  objects_.push_back(object);
  objects_liveness_.push_back(object.liveness);
  return object.first;
}

void Layout::unallocated(Liveness why) {
  Object& object = objects_.back();
  object.mortal = true;
  arena.write_cell(object.liveness, to_word(why), true);
}

void Layout::name_cell(const void* address, std::string member) {
  members_[cell_index(address)] = std::move(member);
}

std::string Layout::cell_name(std::uint32_t cell) const {
  if (cell >= used_) return fmt::format("cell {}", cell);
  const Object& object = object_of(cell);
  if (owner_[cell] == 0) return members_[cell].empty() ? fmt::format("cell {}", cell)
                                                       : members_[cell];
  if (members_[cell].empty()) return fmt::format("{}[{}]", object.name, cell - object.first);
  return object.name + "." + members_[cell];
}

std::string Layout::pointer_name(std::uint64_t address) const {
  if (address == 0) return "NULL";
  const std::uint64_t offset = address - kArenaBase;
  if (address < kArenaBase || offset / 8 >= used_) return fmt::format("{:#x}", address);
  const auto cell = static_cast<std::uint32_t>(offset / 8);
  const Object& object = object_of(cell);
  return cell == object.first ? object.name : cell_name(cell);
}

}  // namespace futexmc::checker
