// SPDX-License-Identifier: GPL-2.0-or-later
//
// Breadth-first search: every finding comes with a path of the fewest transitions.
//
// Invariants
//  1. States are numbered in the order of discovery, so each level is a range of numbers, and
//     expanding a level in order needs only its snapshots, not its numbers.
//  2. A state remembers its parent's number and the choice that led here: six bytes, from which
//     paths are read backwards.
//  3. Sleep sets do not apply: the states, transitions and findings are those of the unreduced
//     depth-first search (with the same movers).
#include <algorithm>
#include <new>
#include <optional>

#include "checker/observer.hpp"
#include "checker/store.hpp"
#include "checker/visited.hpp"

namespace futexmc::checker {
namespace {

class BreadthFirst final : public Observer {
 public:
  BreadthFirst(Machine& machine, const Options& options)
      : Observer(machine, options), budget_(options.max_bytes) {}

  void run() {
    machine_.reset(options_.movers, options_.scoped);
    if (!stopped()) {
      try {
        search();
      } catch (const std::bad_alloc&) {  // over the budget, or the system has no more
        result.limit = Limit::memory;
      }
    }
    result.bytes = std::max<std::uint64_t>(result.bytes, bytes());
    if (visited_) {
      result.collision_odds = visited_->collision_odds(static_cast<double>(result.states));
    }
    finish();
  }

 protected:
  Path path() const override {
    Path path;
    if (expanding_ == kNone) return path;  // before the first transition
    path.push_back(choice_);
    for (std::uint32_t id = expanding_; id != 0; id = parents_[id]) path.push_back(choices_[id]);
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;

  std::uint64_t bytes() const {
    return (visited_ ? visited_->bytes() : 0) + budget_.used() +
           arena.undo.capacity() * sizeof(UndoEntry);
  }

  void search() {
    visited_.emplace(false);
    store_.emplace(machine_, budget_);
    arrive();
    while (!stopped() && next_.size() != 0) {
      level_.clear();
      level_.swap(next_);
      for (std::size_t i = 0; i < level_.size() && !stopped(); ++i) {
        ++expanding_;
        expand(level_[i]);
      }
      ++depth_;
    }
  }

  void expand(StateStore::Snapshot snapshot) {
    store_->restore(snapshot);
    const AgentMask enabled = machine_.enabled();
    for (std::size_t agent = 0; agent < machine_.agent_count(); ++agent) {
      if (((enabled >> agent) & 1) == 0) continue;
      const unsigned alternatives = machine_.alternatives(agent);
      for (unsigned i = 0; i < alternatives; ++i) {
        if (!keep_going(bytes(), depth_)) return;
        choice_ = {static_cast<std::uint8_t>(agent), static_cast<std::uint8_t>(i)};
        machine_.step(agent, i);
        ++result.transitions;
        arrive();
        store_->rewind(agent);
      }
    }
  }

  /// Deals with the state at hand.
  void arrive() {
    share_memory();
    const Visited::Insert inserted = visited_->insert(machine_.fingerprint()).result;
    if (inserted == Visited::Insert::full) throw std::bad_alloc();
    if (inserted == Visited::Insert::seen) {
      ++result.matched;
      return;
    }
    next_.push_back(store_->save());
    parents_.push_back(expanding_);
    choices_.push_back(choice_);
    ++result.states;
    if (expanding_ != kNone) result.max_depth = depth_ + 1;
    visit_state();
    if (machine_.is_final(machine_.enabled())) visit_final();
  }

  /// What one table does not use the other may, up to the limit for both.
  void share_memory() {
    const std::size_t max = options_.max_bytes;
    visited_->set_max_bytes(max - std::min(max, budget_.used()));
    budget_.set_max(max - std::min(max, visited_->bytes()));
  }

  Budget budget_;
  std::optional<Visited> visited_;
  std::optional<StateStore> store_;
  Segments<StateStore::Snapshot> level_{budget_};  ///< being expanded
  Segments<StateStore::Snapshot> next_{budget_};
  Segments<std::uint32_t> parents_{budget_};
  Segments<Choice> choices_{budget_};
  std::uint32_t expanding_ = kNone;
  Choice choice_;
  std::size_t depth_ = 0;  ///< of the level being expanded
};

}  // namespace

Result breadth_first(Program& program, const Options& options) {
  Machine machine(program);
  Options used = options;
  std::string reduction_off;
  {
    BreadthFirst search(machine, used);
    search.run();
    if (search.result.reduction_off.empty()) return search.result;
    reduction_off = search.result.reduction_off;
  }
  used.movers = false;
  BreadthFirst search(machine, used);
  search.run();
  search.result.reduction_off = reduction_off;
  return search.result;
}

}  // namespace futexmc::checker
