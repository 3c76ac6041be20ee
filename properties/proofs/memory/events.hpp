// SPDX-License-Identifier: GPL-2.0-or-later
//
// A recording as events of the kernel's memory model, so that model.hpp can be asked of it.
//
//   reads and writes   by the order that the operation states; a read-modify-write is a pair, and
//                      one that leaves the value alone has failed, and orders nothing
//   set_current_state  a marked write and a full barrier
//   schedule           an acquiring read of the task's state; or nothing, and the thread is blocked
//   loops that spin    the last read; or nothing, and the thread is blocked
//   wake_up_process    a full barrier, a read of the state, and if it sleeps a write
//   RCU, preemption    sections and grace periods; no sections where no thread has a grace period
//   spinlocks, mutexes lock and unlock events; or the first half of none, and the thread waits
//   what an operation stores besides, and what is stored without one: writes
//
// Plain accesses are taken to be compiled to one access each, as if they were marked. Which of them
// race is the property `race`'s business.
//
// Dependencies: control, from a marked read to what is done with some of its values and with others
// never; address, from the last load of a pointer to accesses of the object that it points into.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "properties/proofs/lkmm/model.hpp"
#include "properties/proofs/memory/paths.hpp"
#include "properties/proofs/memory/recording.hpp"

namespace futexmc::properties::proofs::memory {

/// How a thread's run may end, each as the formula that it does.
struct Ends {
  z3::expr finished;
  z3::expr blocked;  ///< in schedule(), for ever: its state is one that it sleeps in, finally
  z3::expr locked_out;  ///< for ever, by a lock that is never free again
  z3::expr otherwise;   ///< it read under a lock what nobody left there: not recorded from there on
  z3::expr cut;
  z3::expr faulted;
  std::map<std::int64_t, z3::expr> results;
  std::string fault{};  ///< what the model said of the first faulted end
};

class Events {
 public:
  /// The recording must outlive this; nothing here outlives the context.
  Events(const Recording& recording, z3::context& context,
         const futexmc::proofs::Watch* watch = nullptr);
  /// Only the executions in which each thread takes its path, of which there is one for each.
  Events(const Recording& recording, z3::context& context, const std::vector<Path>& paths);

  futexmc::proofs::lkmm::Graph& graph() { return graph_; }
  const futexmc::proofs::lkmm::Graph& graph() const { return graph_; }
  const Ends& ends(std::size_t thread) const { return ends_.at(thread); }
  /// That the thread returned `value`.
  z3::expr returned(std::size_t thread, std::int64_t value) const;
  /// That the thread performs an operation on the cell.
  z3::expr uses(std::size_t thread, const void* cell) const;
  /// That the thread reads this value of the cell.
  z3::expr finds(std::size_t thread, const void* cell, std::uint64_t value) const;
  /// That the thread performs an operation of this name, on whatever cell.
  z3::expr performs(std::size_t thread, const std::string& operation) const;
  /// The value of a cell when all is over.
  z3::expr final_value(const void* cell);
  z3::expr number(std::uint64_t word);
  /// What a number of the graph stands for.
  std::uint64_t word(std::uint64_t number) const { return words_.at(number); }
  /// The events of a node, in program order; none if it is on no path.
  const std::vector<futexmc::proofs::lkmm::Id>& of(std::size_t thread, std::size_t node) const {
    return events_of_.at(thread).at(node);
  }
  /// A line for each event.
  std::vector<std::string> describe(const futexmc::proofs::lkmm::Execution& execution) const;

 private:
  void add_threads();
  void find_shared();
  void add_thread(std::size_t thread);
  z3::expr guard_of(std::size_t node) const;
  void find_guards(const std::vector<Node>& nodes);
  void add_node(std::size_t at);
  void add_found(std::uint32_t cell, futexmc::proofs::lkmm::Id read, const Group& group,
                 const z3::expr& then);
  void add_access(std::size_t at);
  void add_read_modify_write(std::size_t at);
  void add_wait(std::size_t at);
  void add_lock(std::size_t at);
  z3::expr stays(const char* what, std::size_t at);
  void add_exclusions();
  void add_end(std::size_t at);
  void add_stores(std::size_t at);
  void add_dependencies();
  void add_control(std::size_t from, std::size_t at);
  void add_address(std::size_t from, std::size_t at, const std::set<std::size_t>& through,
                   const std::set<int>& behind);
  /// That the group is taken where the node happens.
  z3::expr taken(std::size_t at, std::size_t group);
  z3::expr condition(std::size_t at, const Group& group);
  z3::expr stored(const Node& node, futexmc::proofs::lkmm::Id read);
  z3::expr place(std::uint32_t cell) const;
  void label(futexmc::proofs::lkmm::Id id, const Node& node, std::uint32_t cell, const char* name);
  bool shared(std::uint32_t cell) const { return cell < shared_.size() && shared_[cell]; }

  const Recording& recording_;
  futexmc::proofs::lkmm::Graph graph_;
  std::vector<Ends> ends_;
  std::vector<bool> shared_;  ///< written by somebody and read by somebody
  bool grace_periods_ = false;
  std::map<std::pair<std::size_t, std::uint32_t>, z3::expr> uses_;  ///< by thread and cell
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint64_t>, z3::expr> finds_;
  std::map<std::pair<std::size_t, std::string>, z3::expr> performs_;  ///< by thread and name
  std::map<std::uint64_t, std::int64_t> numbers_;
  std::vector<std::uint64_t> words_;  ///< by number
  const futexmc::proofs::Watch* watch_ = nullptr;
  std::vector<OnPath> paths_;         ///< by thread; empty if any may be taken
  std::vector<std::vector<std::vector<futexmc::proofs::lkmm::Id>>> events_of_;  ///< by node

  // Of the thread being added.
  std::size_t thread_ = 0;
  std::vector<z3::expr> guards_;
  /// By node: an earlier one that happens exactly when it does.
  std::vector<std::optional<std::size_t>> same_;
  std::vector<std::vector<z3::expr>> into_;  ///< by node: the conditions of its edges
  struct Happens {
    std::optional<futexmc::proofs::lkmm::Id> read, write;
    std::vector<futexmc::proofs::lkmm::Id> all;
  };
  std::vector<Happens> happens_;
};

}  // namespace futexmc::properties::proofs::memory
